import type { Exchange, TrafficCounts } from './exchange.ts'
import type { Row, StoredFrame } from './row.ts'
import { exchangeOf, joinRow, startRow, type RowStart } from './row-growth.ts'
import { costOf } from './stored-frame.ts'

/** How much a log keeps. */
export type TrafficBounds = {
  /** Bytes of memory for frames, their own overhead included. */
  readonly frameBytes: number
  readonly rows: number
}

export const DEFAULT_BOUNDS: TrafficBounds = { frameBytes: 64 * 1024 * 1024, rows: 100_000 }

/** Of a bound, what is left after it was passed. */
const LEFT_SHARE = 0.95

/**
 * The frames and rows that are kept. When a bound is passed the oldest frames and the oldest rows go, and are
 * counted. A row goes with its last frame, but an open one stays, so that its answer still finds it.
 */
export class RowStore {
  readonly #bounds: TrafficBounds
  /** By sequence number, the oldest first. */
  readonly #frames = new Map<number, StoredFrame>()
  #keptBytes = 0
  #cost = 0
  #dropped = 0
  /** Rows in time order from `#oldest` on; those that went early are marked. */
  #rows: Row[] = []
  #oldest = 0
  /** Open rows that would have gone already. */
  #held: Row[] = []
  #keptRows = 0
  #nextId = 1
  readonly #changed = new Set<Row>()
  #removed: string[] = []
  /** Whether changes are collected; without listeners nobody would fetch them. */
  #collecting = false

  constructor(bounds: TrafficBounds) {
    this.#bounds = bounds
  }

  /** Starts a row with its first frame; it is the newest of its connection. */
  start(start: RowStart, frame: StoredFrame): Row {
    const row = startRow(`x${this.#nextId++}`, start, frame)
    joinRow(row, frame)
    start.connection.newest = row
    this.#rows.push(row)
    this.#keptRows += 1
    this.touch(row)
    return row
  }

  /** The row changed. */
  touch(row: Row): void {
    if (this.#collecting && !row.gone) this.#changed.add(row)
  }

  /** Keeps a frame that was folded into its rows. Sequence numbers come in order, with gaps where frames went unseen. */
  keep(frame: StoredFrame): void {
    this.#frames.set(frame.seq, frame)
    this.#keptBytes += frame.bytes.byteLength
    this.#cost += costOf(frame)
    this.#keepBounds()
  }

  frame(seq: number): StoredFrame | undefined {
    return this.#frames.get(seq)
  }

  /** Bytes of memory that the frames take, roughly. */
  get cost(): number {
    return this.#cost
  }

  /** Drops the oldest frames, and some more, until those that are left take no more than `bytes`. */
  dropFrames(bytes: number): void {
    if (this.#cost <= bytes) return
    for (const frame of this.#frames.values()) {
      if (this.#cost <= bytes * LEFT_SHARE) break
      this.#dropFrame(frame)
    }
    this.#compact()
  }

  /** Counts frames that went before they came here. */
  countDropped(frames: number): void {
    this.#dropped += frames
  }

  counts(): TrafficCounts {
    return { frames: this.#frames.size, bytes: this.#keptBytes, dropped: this.#dropped }
  }

  /** Every row that is kept, in time order, as others see it. */
  exchanges(): Exchange[] {
    return Array.from(this.#all(), tell)
  }

  *#all(): Generator<Row> {
    for (const row of this.#held) if (!row.gone) yield row
    for (let index = this.#oldest; index < this.#rows.length; index += 1) {
      const row = this.#rows[index]
      if (row !== undefined && !row.gone) yield row
    }
  }

  /** Starts or stops collecting what `takeChanges` gives. */
  collectChanges(collecting: boolean): void {
    this.#collecting = collecting
    if (!collecting) this.takeChanges()
  }

  /** The rows that changed since the last time, and those that went of which others know. */
  takeChanges(): { readonly rows: Exchange[]; readonly removed: string[] } {
    const rows = Array.from(this.#changed, tell)
    const removed = this.#removed
    this.#changed.clear()
    this.#removed = []
    return { rows, removed }
  }

  /** Forgets every row that is over and begins to count anew. */
  clear(): void {
    const open = [...this.#all()].filter((row) => row.outcome === 'open')
    for (const row of this.#all()) if (row.outcome !== 'open') this.#remove(row)
    const frames = new Set(open.flatMap((row) => row.frames))
    for (const frame of this.#frames.values()) if (!frames.has(frame.seq)) this.#forgetFrame(frame)
    this.#rows = open
    this.#held = []
    this.#oldest = 0
    this.#dropped = 0
    this.#changed.clear()
    this.#removed = []
    for (const row of open) this.touch(row)
    this.#compact()
  }

  /** Makes some room at once, so that whoever shows the rows is not told with each frame that one went. */
  #keepBounds(): void {
    const { frameBytes, rows } = this.#bounds
    if (this.#cost <= frameBytes && this.#keptRows <= rows) return
    this.dropFrames(frameBytes)
    if (this.#keptRows > rows) while (this.#keptRows > rows * LEFT_SHARE) this.#dropOldestRow()
    this.#compact()
  }

  #dropFrame(frame: StoredFrame): void {
    this.#dropped += 1
    this.#forgetFrame(frame)
    for (const row of frame.rows) {
      row.kept -= 1
      if (row.kept === 0 && row.outcome !== 'open') this.#remove(row)
    }
  }

  #dropOldestRow(): void {
    const closed = this.#held.findIndex((row) => row.outcome !== 'open')
    if (closed >= 0 || this.#held.length >= this.#bounds.rows / 10) {
      for (const row of this.#held.splice(Math.max(closed, 0), 1)) this.#dropWithFrames(row)
      return
    }
    const row = this.#rows[this.#oldest]
    this.#oldest += 1
    if (row === undefined || row.gone) return
    if (row.outcome === 'open') this.#held.push(row)
    else this.#dropWithFrames(row)
  }

  #dropWithFrames(row: Row): void {
    this.#remove(row)
    for (const seq of row.frames) {
      const frame = this.frame(seq)
      if (frame === undefined || frame.rows.some((other) => !other.gone)) continue
      this.#dropped += 1
      this.#forgetFrame(frame)
    }
  }

  #forgetFrame(frame: StoredFrame): void {
    this.#frames.delete(frame.seq)
    this.#keptBytes -= frame.bytes.byteLength
    this.#cost -= costOf(frame)
  }

  #remove(row: Row): void {
    if (row.gone) return
    row.gone = true
    row.connection.forget(row)
    this.#keptRows -= 1
    this.#changed.delete(row)
    if (this.#collecting && row.told) this.#removed.push(row.id)
  }

  /** Gives back the room of what went, now and then. */
  #compact(): void {
    if (this.#rows.length > 1_024 && this.#rows.length > this.#keptRows * 2) {
      this.#rows = this.#rows.slice(this.#oldest).filter((row) => !row.gone)
      this.#oldest = 0
    }
  }
}

function tell(row: Row): Exchange {
  row.told = true
  return exchangeOf(row)
}
