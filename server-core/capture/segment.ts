import { startOf, type Frame, type MessageLines } from '../ports/tap.ts'
import type { Connection } from './connection.ts'
import { FrameColumns } from './frame-columns.ts'
import { headSize } from './head-template.ts'
import type { MessageId } from './message-id.ts'
import { isNotice } from './message-part.ts'
import { recordedOf, type Recorded } from './recorded.ts'
import { ROW_BYTES, type Row } from './row.ts'
import { ownBytes } from './stored-frame.ts'

/** Frames of one segment, at most. */
export const PLACES = 2_048
/** What a frame takes beside its bytes, roughly. */
const COLUMN_BYTES = 64
/** The same for one that is an object. */
const OBJECT_BYTES = 512

/**
 * Some thousands of frames of one server in a row. Most are stored as bytes and numbers, the others as objects. A frame
 * is first recorded, then folded into rows; both happen in order.
 */
export class Segment {
  readonly #places: number
  #columns: FrameColumns | undefined
  /** Frames that do not fit into columns. */
  readonly #others: (Recorded | undefined)[] = []
  /** Parsed values of frames that will be folded soon. */
  readonly #values: unknown[] = []
  /** The rows of each folded frame. */
  readonly #rows: (readonly Row[] | undefined)[] = []
  readonly #seqs: Float64Array
  /** Frames that are dropped without being folded. */
  readonly #gone: Uint8Array
  #size = 0
  #stored = 0
  #first = 0
  #cost = 0
  #bytes = 0
  #hasHeads = false

  /** `places`: how many frames it stores at most. */
  constructor(places: number) {
    this.#places = places
    this.#seqs = new Float64Array(places)
    this.#gone = new Uint8Array(places)
  }

  get isFull(): boolean {
    return this.#size === this.#places || this.#columns?.isFull === true
  }

  /** Bytes of memory that its frames take, roughly; those of rows to come included. */
  get cost(): number {
    return this.#cost
  }

  /** How many frames it stores. */
  get stored(): number {
    return this.#stored
  }

  /** Bytes of its frames as they were on the wire. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether some of its frames are HTTP heads without a message. */
  get hasHeads(): boolean {
    return this.#hasHeads
  }

  /** Adds a frame with that number. */
  add(seq: number, connection: Connection, at: number, frame: Frame): void {
    const place = this.#size
    this.#columns ??= new FrameColumns(this.#places)
    const before = this.#columns.used
    const isCopied = this.#columns.write(place, connection, at, frame)
    this.#cost += this.#columns.used - before + COLUMN_BYTES + ROW_BYTES
    if (!isCopied) {
      this.#others[place] = recordedOf(connection, at, frame)
      this.#cost += OBJECT_BYTES + frame.bytes.byteLength
      if ('http' in frame) this.#cost += headSize(frame.http)
    }
    if (frame.kind === 'http') this.#hasHeads = true
    this.#bytes += frame.bytes.byteLength
    this.#seqs[place] = seq
    this.#size += 1
    this.#stored += 1
  }

  /** Remembers the parsed value of the frame that was added last, until that is folded. */
  keepValue(value: unknown): void {
    this.#values[this.#size - 1] = value
  }

  /**
   * Adds lines, from one on, until one does not fit; the first has the number `seq`. Returns how many it added.
   */
  addLines(seq: number, connection: Connection, at: number, lines: MessageLines, from: number): number {
    this.#columns ??= new FrameColumns(this.#places)
    const before = this.#columns.used
    const place = this.#size
    const count = this.#columns.writeLines(place, connection, at, lines, from)
    if (count === 0) return 0
    for (let index = 0; index < count; index += 1) this.#seqs[place + index] = seq + index
    // A line feed separates two lines.
    this.#bytes += (lines.ends[from + count - 1] ?? 0) - startOf(lines, from) - (count - 1)
    this.#cost += (COLUMN_BYTES + ROW_BYTES) * count + this.#columns.used - before
    this.#size += count
    this.#stored += count
    return count
  }

  /** The place of the oldest frame that is not folded; moves on to the next. Undefined if all are. */
  next(): number | undefined {
    if (this.nextSeq === undefined) return undefined
    this.#first += 1
    return this.#first - 1
  }

  /** The number of the oldest frame that is not folded. Undefined if all are. */
  get nextSeq(): number | undefined {
    while (this.#first < this.#size && this.#gone[this.#first] === 1) this.#first += 1
    return this.#first < this.#size ? this.#seqs[this.#first] : undefined
  }

  /** The frame at a place; its bytes are a view. */
  read(place: number): Recorded | undefined {
    return this.#others[place] ?? this.#columns?.read(place)
  }

  /** Removes and returns the parsed value of a message that was stored for its folding. */
  takeValue(place: number): unknown {
    const value = this.#values[place]
    this.#values[place] = undefined
    return value
  }

  /** The frame is folded into these rows. */
  folded(place: number, rows: readonly Row[]): void {
    this.#rows[place] = rows
    this.#cost -= ROW_BYTES
    const other = this.#others[place]
    if (other !== undefined) this.#others[place] = { ...other, bytes: ownBytes(other.bytes) }
  }

  rows(place: number): readonly Row[] {
    return this.#rows[place] ?? []
  }

  seq(place: number): number {
    return this.#seqs[place] ?? 0
  }

  /** The place of the frame with that number. Undefined if it is in another segment. */
  placeOf(seq: number): number | undefined {
    let low = 0
    let high = this.#size
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#seqs[middle] ?? Infinity) < seq) low = middle + 1
      else high = middle
    }
    return low < this.#size && this.#seqs[low] === seq && !this.isGone(low) ? low : undefined
  }

  /** Drops a frame that is not folded. */
  drop(place: number): void {
    this.#gone[place] = 1
    this.#stored -= 1
    this.#bytes -= this.#others[place]?.bytes.byteLength ?? this.#columns?.byteLength(place) ?? 0
  }

  /** The place of the oldest frame that is not folded. */
  get first(): number {
    return this.#first
  }

  /** How many places are used. */
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

  /** Whether a frame is a request. */
  asks(place: number): boolean {
    return this.#columns?.asks(place) === true
  }

  /** Whether a frame is a request by which the two sides learn who the other is. */
  isHandshake(place: number): boolean {
    return this.#columns?.isHandshake(place) === true
  }

  /** Finds the id of a request. Returns false if the frame is not one. */
  findAsked(place: number, id: MessageId): boolean {
    return this.#columns?.findAsked(place, id) === true
  }

  /** Finds the id of the request that a frame answers, as far as it is known without parsing. */
  findAnswered(place: number, id: MessageId): boolean {
    return this.#columns?.findAnswered(place, id, this.#others[place]?.bytes) === true
  }

  /** Whether a frame is a notification that nothing open needs. */
  isNotice(place: number): boolean {
    const other = this.#others[place]
    return other === undefined
      ? this.#columns?.isNotice(place) === true
      : other.kind === 'message' && isNotice(other.bytes, 0, other.bytes.length)
  }

  /** Empties it for new frames. */
  reset(): void {
    this.#columns?.reset()
    this.#others.length = 0
    this.#values.length = 0
    this.#rows.length = 0
    this.#gone.fill(0, 0, this.#size)
    this.#size = 0
    this.#stored = 0
    this.#first = 0
    this.#cost = 0
    this.#bytes = 0
    this.#hasHeads = false
  }
}
