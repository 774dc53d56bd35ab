import type { Frame, MessageLines } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import { FrameColumns } from './frame-columns.ts'
import { headSize } from './head-template.ts'
import { costOf, recordedOf, type Recorded } from './recorded.ts'
import type { MessageId } from './message-id.ts'
import { isNotice } from './message-part.ts'

/** Frames of one segment, at most. */
export const PLACES = 4_096

/**
 * Some thousands of frames in a row: those that can be are kept as bytes, the others as they came. Frames are numbered
 * through all segments.
 */
export class Segment {
  #columns: FrameColumns | undefined
  readonly #others: (Recorded | undefined)[] = []
  /** Frames that go unseen. */
  readonly #gone = new Uint8Array(PLACES)
  /** The number of the first frame. */
  #base = 1
  #size = 0
  #first = 0
  #cost = 0
  #hasHeads = false

  /** How many frames are left in it. */
  get size(): number {
    return this.#size - this.#first
  }

  get isFull(): boolean {
    return this.#size === PLACES || this.#columns?.isFull === true
  }

  /** Bytes of memory that its frames take once they are folded, roughly. */
  get cost(): number {
    return this.#cost
  }

  /** The number of the frame that is added next. */
  get end(): number {
    return this.#base + this.#size
  }

  /** To be called before the first frame is added, with its number. */
  begin(number: number): void {
    this.#base = number
  }

  /** Whether some of its frames are HTTP heads without a message. */
  get hasHeads(): boolean {
    return this.#hasHeads
  }

  /** Adds a frame as it is. */
  add(recorded: Recorded): void {
    if (recorded.kind === 'http') this.#hasHeads = true
    this.#others[this.#size] = recorded
    this.#cost += costOf(recorded.bytes.byteLength, recorded.http !== undefined)
    this.#size += 1
  }

  /** Adds a frame whose bytes nobody looks for by identity. */
  addCopy(connection: Connection, at: number, frame: Frame): void {
    this.#columns ??= new FrameColumns(PLACES)
    const before = this.#columns.used
    if (!this.#columns.write(this.#size, connection, at, frame)) {
      this.#cost += this.#columns.used - before
      if ('http' in frame) this.#cost += headSize(frame.http)
      this.add(recordedOf(connection, at, frame, undefined))
      return
    }
    if (frame.kind === 'http') this.#hasHeads = true
    // An id, the values of a head and its form take room too, as long as the frame is here.
    this.#cost += costOf(this.#columns.used - before, 'http' in frame)
    this.#size += 1
  }

  /** Adds lines as bytes, from one on, until one cannot be or there is no room. Gives how many it took. */
  addLines(connection: Connection, at: number, lines: MessageLines, from: number): number {
    this.#columns ??= new FrameColumns(PLACES)
    const before = this.#columns.used
    const count = this.#columns.writeLines(this.#size, connection, at, lines, from)
    this.#cost += costOf(0, false) * count + this.#columns.used - before
    this.#size += count
    return count
  }

  /** Takes out the oldest. */
  take(): Recorded | undefined {
    while (this.#first < this.#size && this.#gone[this.#first] === 1) this.#first += 1
    if (this.#first === this.#size) return undefined
    const place = this.#first
    this.#first += 1
    const recorded = this.#others[place] ?? this.#columns?.read(place)
    this.#others[place] = undefined
    if (recorded !== undefined) this.#cost -= costOf(recorded.bytes.byteLength, recorded.http !== undefined)
    return recorded
  }

  /** The number of the frame that was taken out last. */
  get taken(): number {
    return this.#base + this.#first - 1
  }

  /** Lets a frame go unseen. */
  drop(place: number): void {
    this.#gone[place] = 1
  }

  /** The place of the oldest frame that was not taken out. */
  get first(): number {
    return this.#first
  }

  /** How many places are used, those of frames that are gone or taken out too. */
  get places(): number {
    return this.#size
  }

  isGone(place: number): boolean {
    return this.#gone[place] === 1
  }

  connection(place: number): Connection | undefined {
    const other = this.#others[place]
    return other === undefined ? this.#columns?.connection(place) : other.connection
  }

  /** The number of the HTTP exchange that a frame belongs to. */
  exchange(place: number): number | undefined {
    const other = this.#others[place]
    return other === undefined ? this.#columns?.exchange(place) : other.http?.exchange
  }

  isReceived(place: number): boolean {
    const other = this.#others[place]
    return other === undefined ? this.#columns?.isReceived(place) === true : other.direction === 'received'
  }

  /** Whether a frame is an HTTP head without a message. */
  isHead(place: number): boolean {
    const other = this.#others[place]
    return other === undefined ? this.#columns?.isHead(place) === true : other.kind === 'http'
  }

  /** Whether a frame asks for an answer. */
  asks(place: number): boolean {
    return this.#columns?.asks(place) === true
  }

  /** Finds the id by which a frame asks for an answer; tells whether it does. */
  findAsked(place: number, id: MessageId): boolean {
    return this.#columns?.findAsked(place, id) === true
  }

  /** Finds the id of the request that a frame answers, as far as it is known without parsing; tells whether it is. */
  findAnswered(place: number, id: MessageId): boolean {
    return this.#columns?.findAnswered(place, id, this.#others[place]?.bytes) === true
  }

  /** Whether a frame is a notification that stands for itself: nothing that is open needs it. */
  isNotice(place: number): boolean {
    const other = this.#others[place]
    return other === undefined
      ? this.#columns?.isNotice(place) === true
      : other.kind === 'message' && isNotice(other.bytes, 0, other.bytes.length)
  }

  /** Makes it as new. */
  reset(): void {
    this.#columns?.reset()
    this.#others.length = 0
    this.#gone.fill(0, 0, this.#size)
    this.#size = 0
    this.#first = 0
    this.#cost = 0
    this.#hasHeads = false
  }
}
