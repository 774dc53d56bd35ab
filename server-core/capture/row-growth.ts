import type { Span } from './exchange.ts'
import type { Row, StoredFrame } from './row.ts'

/** A row names at most so many frames; then a new row continues it. */
export const ROW_FRAMES = 1_000

const FEW = 8
const INSTANTS = 64
const WAITS = 500

/** Adds a frame to a row, once. */
export function joinRow(row: Row, frame: StoredFrame): void {
  if (row.frames.at(-1) === frame.seq) return
  // Most rows have one frame or two and no spare capacity; longer lists are not copied for each frame.
  if (row.frames.length < FEW) row.frames = row.frames.concat(frame.seq)
  else row.frames.push(frame.seq)
  row.bytes += frame.bytes.byteLength
  row.kept += 1
  frame.rows = frame.rows.concat(row)
}

/** Counts one more notification at a time; the instants stay evenly thinned however many come. */
export function countInstant(row: Row, at: number): void {
  row.count += 1
  row.endedAt = at
  row.instants ??= [row.startedAt]
  if ((row.count - 1) % row.instantStep !== 0) return
  row.instants.push(at)
  if (row.instants.length <= INSTANTS) return
  row.instants = row.instants.filter((_, index) => index % 2 === 0)
  row.instantStep *= 2
}

/** Starts a wait of the exchange for the side that asked. Undefined if there are too many to tell apart. */
export function startWait(row: Row, at: number): Span | undefined {
  row.waits ??= []
  if (row.waits.length >= WAITS) return undefined
  const span: Span = { startedAt: at }
  row.waits.push(span)
  return span
}
