import type { RecordedKind } from '../capture/recording/recording-format.ts'
import type { FrameTable } from './index/frame-table.ts'
import { NO_PAIR } from './index/frame-table.ts'
import type { PartIndex, PartSummary } from './index/part-index.ts'

const MICROS = 1_000

/** Which exchanges are looked for: those that match all that is given. */
export type RecordingFilter = {
  /** Methods, any of them. */
  readonly methods?: readonly string[] | undefined
  /** The tool, prompt or URI, whole. */
  readonly target?: string | undefined
  readonly kinds?: readonly RecordedKind[] | undefined
  /** Only errors. */
  readonly errors?: boolean | undefined
  /** From that time, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** Before that time. */
  readonly until?: number | undefined
  /** A text within the message or its answer: as it is, in small letters, in capitals, or with a capital at its start. */
  readonly text?: string | undefined
}

/** A frame that begins something, and when it came in milliseconds since 1970. */
export type FoundFrame = { readonly number: number; readonly at: number }

export type Source = { readonly startedAt: number; readonly summary: PartSummary }
export type Content = { readonly index: () => Promise<PartIndex>; readonly bytes: () => Promise<Buffer> }
export type Window = {
  /** Only frames before that one. */
  readonly before: number
  readonly limit: number
}

/** Finds frames of a part that begin something, the newest first. What the summary rules out is not read. */
export async function findFrames(
  filter: RecordingFilter,
  { startedAt, summary }: Source,
  { index, bytes }: Content,
  { before, limit }: Window,
): Promise<FoundFrame[]> {
  const { methods, target, kinds, errors, from, until, text } = filter
  const first = from === undefined ? -Infinity : Math.round((from - startedAt) * MICROS)
  const end = until === undefined ? Infinity : Math.round((until - startedAt) * MICROS)
  if (summary.frames === 0 || summary.lastAt < first || summary.firstAt >= end) return []
  if (errors === true && summary.errors === 0) return []
  const wanted = placesOf(summary, methods, target)
  if (wanted?.size === 0) return []
  const matches = text === undefined || text === '' ? undefined : matchesIn(await bytes(), text)
  if (matches?.length === 0) return []
  const { table } = await index()
  const containing = matches === undefined ? undefined : framesAt(table, matches)
  const found: FoundFrame[] = []
  for (let frame = Math.min(before, table.count) - 1; frame >= 0 && found.length < limit; frame -= 1) {
    const at = table.at(frame)
    if (at < first) break
    const pair = table.pair(frame)
    const isHead = !table.isAnswer(frame) || pair === NO_PAIR
    if (!isHead || at >= end) continue
    if (wanted !== undefined && !wanted.has(table.method(frame))) continue
    if (kinds !== undefined && !kinds.includes(table.kind(frame))) continue
    if (errors === true && !table.isError(frame)) continue
    if (containing !== undefined && !containing.has(frame) && !containing.has(pair)) continue
    found.push({ number: frame, at: startedAt + at / MICROS })
  }
  return found
}

/** The places of methods that are looked for; undefined if any is. */
function placesOf(
  { methods: known }: PartSummary,
  methods: readonly string[] | undefined,
  target: string | undefined,
): ReadonlySet<number> | undefined {
  if (methods === undefined && target === undefined) return undefined
  const places = new Set<number>()
  for (const [place, each] of known.entries()) {
    if (methods !== undefined && !methods.includes(each.method)) continue
    if (target !== undefined && each.target !== target) continue
    if (each.method !== '') places.add(place)
  }
  return places
}

/** The frames whose lines are at these offsets. */
function framesAt(table: FrameTable, offsets: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const at of offsets) {
    const frame = frameOf(table, at)
    if (frame !== undefined) found.add(frame)
  }
  return found
}

/**
 * Offsets of a text in bytes: as it is, in small letters, in capitals and with a capital at its start. A search that
 * ignores case would take ten times as long.
 */
function matchesIn(bytes: Buffer, text: string): number[] {
  const offsets: number[] = []
  const small = text.toLowerCase()
  const forms = new Set([
    text,
    small,
    text.toUpperCase(),
    `${small.slice(0, 1).toUpperCase()}${small.slice(1)}`,
  ])
  for (const form of forms)
    for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, at + 1)) offsets.push(at)
  return offsets
}

function frameOf(table: FrameTable, offset: number): number | undefined {
  let low = 0
  let high = table.count - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (table.offset(middle) <= offset) low = middle
    else high = middle - 1
  }
  return table.offset(low) <= offset && offset < table.offset(low) + table.length(low) ? low : undefined
}
