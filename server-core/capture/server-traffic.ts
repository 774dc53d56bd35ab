import { frameOf, type Frame, type MessageLines } from '../ports/tap.ts'
import type { Connection } from './connection.ts'
import { RowList } from './row-list.ts'
import type { Row, StoredFrame, TapSource } from './row.ts'
import { PLACES, Segment } from './segment.ts'
import { Settler } from './settled.ts'
import { storedFrame } from './stored-frame.ts'
import type { TrafficBounds } from './traffic-bounds.ts'
import type { Usage } from './usage.ts'

/** The oldest segment is dropped at once, so it should be a small part of all. */
const SEGMENT_SHARE = 1 / 16
/** The same for bytes: what is dropped may have to be parsed first, and listeners wait for that. */
const SEGMENT_BYTES_SHARE = 1 / 64
/** Of the bounds, so much may be taken by frames that outlive their segment. */
const OUTLIVING_SHARE = 1 / 10
/** Handshakes with longer frames may be dropped. */
const LONGEST_HANDSHAKE = 64 * 1024
/** What a frame takes as an object, beside its bytes. */
const OBJECT_BYTES = 512

/** Folds a frame into rows; `value` is what it was parsed to, if the transport parsed it. */
export type Fold = (connection: Connection, frame: StoredFrame, value: unknown) => void

type Options = {
  /** Of its first connection. */
  readonly source: TapSource
  readonly bounds: TrafficBounds
  readonly usage: Usage
  /** Is called with each row that is dropped. */
  readonly removed: (row: Row) => void
  readonly fold: Fold
}

/**
 * Frames and rows of one server, on one side of the tap. Frames wait in segments until they are folded into rows, and
 * stay there until there is no room; then the oldest segment is dropped. What is open, contains stored rows or is a
 * handshake outlives its segment.
 */
export class ServerTraffic {
  readonly rows: RowList
  readonly #options: Options
  readonly #segmentCost: number
  readonly #places: number
  readonly #segments: Segment[] = []
  /** Frames that outlived their segment, by number, the oldest first. */
  readonly #outlived = new Map<number, StoredFrame>()
  #outlivedCost = 0
  #outlivedBytes = 0
  #settler: Settler | undefined
  /** An empty segment for later. */
  #spare: Segment | undefined
  #cost = 0
  /** How many of the oldest segments are folded. */
  #foldedSegments = 0
  /** How many of its frames were dropped to keep within the bounds. */
  dropped = 0

  constructor(options: Options) {
    const { frameBytes, rows } = options.bounds
    this.#options = options
    this.rows = new RowList(options.usage, options.removed)
    this.#segmentCost = frameBytes * SEGMENT_BYTES_SHARE
    this.#places = Math.max(1, Math.min(PLACES, Math.floor(rows * SEGMENT_SHARE)))
  }

  get source(): TapSource {
    return this.#options.source
  }

  /** Bytes of memory that its frames and rows take, roughly. */
  get cost(): number {
    return this.#cost + this.rows.cost
  }

  /** How many frames are stored, and their bytes. */
  count(): { readonly frames: number; readonly bytes: number } {
    let frames = this.#outlived.size
    let bytes = this.#outlivedBytes
    for (const segment of this.#segments) {
      frames += segment.stored
      bytes += segment.bytes
    }
    return { frames, bytes }
  }

  /** Adds a frame with that number. `value`: what the transport parsed it to, if it is folded soon. */
  add(seq: number, connection: Connection, at: number, frame: Frame, value: unknown): void {
    const segment = this.#open()
    const before = segment.cost
    segment.add(seq, connection, at, frame)
    if (value !== undefined) segment.keepValue(value)
    this.#addCost(segment.cost - before)
  }

  /** Adds lines; the first has the number `seq`. */
  addLines(seq: number, connection: Connection, at: number, lines: MessageLines): void {
    for (let from = 0; from < lines.ends.length;) {
      const segment = this.#open()
      const before = segment.cost
      const count = segment.addLines(seq + from, connection, at, lines, from)
      this.#addCost(segment.cost - before)
      from += count
      if (count > 0) continue
      this.add(seq + from, connection, at, frameOf(lines, from), undefined)
      from += 1
    }
  }

  /** The number of the oldest frame that is not folded; Infinity if all are. */
  get nextSeq(): number {
    for (; this.#foldedSegments < this.#segments.length; this.#foldedSegments += 1) {
      const next = this.#segments[this.#foldedSegments]?.nextSeq
      if (next !== undefined) return next
      if (this.#foldedSegments === this.#segments.length - 1) return Infinity
    }
    return Infinity
  }

  /** Folds the oldest frame that is not folded. Returns whether there was one. */
  foldNext(): boolean {
    if (this.nextSeq === Infinity) return false
    const segment = this.#segments[this.#foldedSegments]
    return segment !== undefined && this.#foldIn(segment)
  }

  /** The frame with that number, if it is stored. Its bytes may be a view of memory that is reused. */
  frame(seq: number): StoredFrame | undefined {
    const outlived = this.#outlived.get(seq)
    if (outlived !== undefined) return outlived
    const found = this.#find(seq)
    const recorded = found?.segment.read(found.place)
    return recorded && storedFrame(recorded, seq)
  }

  /** Whether that frame is stored. */
  has(seq: number): boolean {
    return this.#outlived.has(seq) || this.#find(seq) !== undefined
  }

  /** The first row that shows a frame, if it is folded. */
  rowOf(seq: number): Row | undefined {
    const outlived = this.#outlived.get(seq)
    if (outlived !== undefined) return outlived.rows[0]
    const found = this.#find(seq)
    return found?.segment.rows(found.place)[0]
  }

  /** Drops some of the oldest frames and the rows that only they showed. Returns false if nothing is left. */
  dropOldest(): boolean {
    const oldest = this.#segments[0]
    if (oldest === undefined) return this.#dropOutlived(0, true)
    this.#retire(oldest)
    const { frameBytes, rows } = this.#options.bounds
    const isOver = this.#outlivedCost > frameBytes * OUTLIVING_SHARE
    if (isOver || this.#outlived.size > Math.max(1, rows * OUTLIVING_SHARE)) {
      this.#dropOutlived(this.#outlived.size / 2, false)
    }
    return true
  }

  /** Drops every row that is over and the frames that only such rows show; counts from zero again. */
  clear(): void {
    for (const segment of this.#segments.slice()) this.#retire(segment)
    for (const row of this.rows.stored()) if (row.outcome !== 'open') this.rows.remove(row)
    for (const frame of this.#outlived.values()) {
      if (frame.rows.every(({ isDropped }) => isDropped)) this.#forget(frame)
    }
    this.rows.compact()
    this.dropped = 0
  }

  /** Folds the oldest frame of a segment that is not folded. Returns whether there was one. */
  #foldIn(segment: Segment): boolean {
    const place = segment.next()
    if (place === undefined) return false
    const recorded = segment.read(place)
    if (recorded === undefined) return true
    const frame = storedFrame(recorded, segment.seq(place))
    this.#options.fold(recorded.connection, frame, segment.takeValue(place))
    const before = segment.cost
    segment.folded(place, frame.rows)
    this.#addCost(segment.cost - before)
    return true
  }

  /** Drops the oldest segment but for the frames that outlive it. */
  #retire(oldest: Segment): void {
    if (oldest.nextSeq !== undefined) {
      this.dropped += (this.#settler ??= new Settler()).drop(oldest, this.#segments[1])
      while (this.#foldIn(oldest));
    }
    this.#dropOver()
    for (let place = 0; place < oldest.places; place += 1) {
      if (oldest.isGone(place)) continue
      const rows = oldest.rows(place)
      if (rows.some((row) => this.rows.outlives(row))) this.#outlive(oldest, place, rows)
      else this.#release(rows)
    }
    this.#addCost(-oldest.cost)
    this.#segments.shift()
    this.#foldedSegments = Math.max(0, this.#foldedSegments - 1)
    oldest.reset()
    this.#spare = oldest
  }

  /** Copies a frame out of its segment. */
  #outlive(segment: Segment, place: number, rows: readonly Row[]): void {
    const recorded = segment.read(place)
    if (recorded === undefined) return
    const seq = segment.seq(place)
    const bytes = new Uint8Array(recorded.bytes)
    const frame: StoredFrame = { ...storedFrame({ ...recorded, bytes }, seq), rows }
    this.#outlived.set(seq, frame)
    this.#outlivedCost += costOf(frame)
    this.#outlivedBytes += bytes.byteLength
    this.#addCost(costOf(frame))
  }

  /** Drops the outlived frames whose rows need them no longer. */
  #dropOver(): void {
    for (const frame of this.#outlived.values()) {
      if (!frame.rows.some((row) => this.rows.outlives(row))) this.#dropFrame(frame)
    }
  }

  /** Drops the oldest outlived frames until `left` are left; handshakes only if `all`. Returns whether any went. */
  #dropOutlived(left: number, all: boolean): boolean {
    const before = this.#outlived.size
    for (const frame of this.#outlived.values()) {
      if (this.#outlived.size <= left) break
      const isHandshake =
        frame.bytes.byteLength <= LONGEST_HANDSHAKE && frame.rows.some((row) => this.rows.isHandshake(row))
      if (all || !isHandshake) this.#dropFrame(frame)
    }
    return this.#outlived.size < before
  }

  #dropFrame(frame: StoredFrame): void {
    this.#forget(frame)
    this.#release(frame.rows)
  }

  #forget(frame: StoredFrame): void {
    this.#outlived.delete(frame.seq)
    this.#outlivedCost -= costOf(frame)
    this.#outlivedBytes -= frame.bytes.byteLength
    this.#addCost(-costOf(frame))
  }

  /** A frame of these rows is dropped. */
  #release(rows: readonly Row[]): void {
    this.dropped += 1
    for (const row of rows) {
      row.kept -= 1
      if (row.parent !== undefined) row.parent.dropped += 1
      if (row.kept === 0) this.rows.remove(row)
    }
  }

  #find(seq: number): { readonly segment: Segment; readonly place: number } | undefined {
    let low = 0
    let high = this.#segments.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#segments[middle]?.seq(0) ?? Infinity) > seq) high = middle - 1
      else low = middle
    }
    const segment = this.#segments[low]
    const place = segment?.placeOf(seq)
    return segment === undefined || place === undefined ? undefined : { segment, place }
  }

  #open(): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && !last.isFull && last.cost < this.#segmentCost) return last
    const segment = this.#spare ?? new Segment(this.#places)
    this.#spare = undefined
    this.#segments.push(segment)
    return segment
  }

  #addCost(cost: number): void {
    this.#cost += cost
    this.#options.usage.cost += cost
  }
}

function costOf(frame: StoredFrame): number {
  const http = frame.http === undefined ? 0 : 400 + Object.keys(frame.http.headers).length * 100
  return frame.bytes.byteLength + OBJECT_BYTES + http
}
