import type { RequestId } from '../protocol/messages.ts'
import type { Frame, WireDirection } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import { FrameColumns } from './frame-columns.ts'
import { costOf, recordedOf, type Recorded } from './recorded.ts'

const PLACES = 4_096
/** Frames are numbered from 1. */
const UNANSWERED = 0

/**
 * Some thousands of frames in a row: those that can be are kept as bytes, the others as they came. Frames are numbered
 * through all segments.
 */
export class Segment {
  #columns: FrameColumns | undefined
  readonly #others: (Recorded | undefined)[] = []
  /** Requests and their answers that go unseen. */
  readonly #gone = new Uint8Array(PLACES)
  /** Of requests the number of the answer. */
  readonly #answers = new Float64Array(PLACES)
  /** The number of the first frame. */
  #base = 1
  #size = 0
  #first = 0
  #cost = 0

  /** How many frames are left in it. */
  get size(): number {
    return this.#size - this.#first
  }

  get isFull(): boolean {
    return this.#size === PLACES
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

  /** Adds a frame as it is. */
  add(recorded: Recorded): void {
    this.#others[this.#size] = recorded
    this.#cost += costOf(recorded.bytes, recorded.http)
    this.#size += 1
  }

  /** Adds a frame whose bytes nobody looks for by identity, a request if it `asks`. */
  addCopy(connection: Connection, at: number, frame: Frame, asks: RequestId | undefined): void {
    const isCopied =
      frame.kind === 'message' &&
      (this.#columns ??= new FrameColumns(PLACES)).write(this.#size, connection, at, frame, asks)
    if (!isCopied) {
      this.add({ ...recordedOf(connection, at, frame, undefined), asks })
      return
    }
    this.#cost += costOf(frame.bytes, frame.http)
    this.#size += 1
  }

  holds(number: number): boolean {
    return number >= this.#base && number < this.end
  }

  /** Notes which frame answers a request; false if it answers no such request. */
  answer(request: number, id: RequestId, direction: WireDirection, answer: number): boolean {
    const place = request - this.#base
    const other = this.#others[place]
    const columns = this.#columns
    const asks = other === undefined ? columns?.asks(place) : other.asks
    if (asks !== id) return false
    const isReceived =
      other === undefined ? columns?.isReceived(place) === true : other.direction === 'received'
    if (isReceived === (direction === 'received')) return false
    this.#answers[place] = answer
    return true
  }

  /** Lets a frame go unseen. */
  drop(number: number): void {
    this.#gone[number - this.#base] = 1
  }

  /** Takes out the oldest. */
  take(): Recorded | undefined {
    while (this.#first < this.#size && this.#gone[this.#first] === 1) this.#first += 1
    if (this.#first === this.#size) return undefined
    const place = this.#first
    this.#first += 1
    const recorded = this.#others[place] ?? this.#columns?.read(place)
    this.#others[place] = undefined
    if (recorded !== undefined) this.#cost -= costOf(recorded.bytes, recorded.http)
    return recorded
  }

  /** The number of the frame that was taken out last. */
  get taken(): number {
    return this.#base + this.#first - 1
  }

  /**
   * Lets go of requests with their answers, and of what else their HTTP exchanges had. Gives how many frames went;
   * answers that stand elsewhere are given to `beyond`.
   */
  dropAnswered(beyond: (answer: number) => void): number {
    const size = this.#size
    let dropped = 0
    for (let place = this.#first; place < size; place += 1) {
      const answer = this.#answers[place] ?? UNANSWERED
      if (answer === UNANSWERED || this.#gone[place] === 1) continue
      this.#gone[place] = 1
      if (this.holds(answer)) this.drop(answer)
      else beyond(answer)
      dropped += 2
    }
    return dropped + this.#dropHeads()
  }

  /** Lets go of HTTP heads without a message that belong to requests that are gone. */
  #dropHeads(): number {
    const heads: number[] = []
    const gone = new Map<Connection, Set<number>>()
    for (let place = this.#first; place < this.#size; place += 1) {
      if (this.#others[place]?.kind === 'http') heads.push(place)
    }
    if (heads.length === 0) return 0
    for (let place = this.#first; place < this.#size; place += 1) {
      if (this.#gone[place] !== 1) continue
      const other = this.#others[place]
      const connection = other === undefined ? this.#columns?.connection(place) : other.connection
      const exchange = other === undefined ? this.#columns?.exchange(place) : other.http?.exchange
      if (connection === undefined || exchange === undefined) continue
      const exchanges = gone.get(connection)
      if (exchanges === undefined) gone.set(connection, new Set([exchange]))
      else exchanges.add(exchange)
    }
    let dropped = 0
    for (const place of heads) {
      const head = this.#others[place]
      if (head?.http === undefined || gone.get(head.connection)?.has(head.http.exchange) !== true) continue
      this.#gone[place] = 1
      dropped += 1
    }
    return dropped
  }

  /** Makes it as new. */
  reset(): void {
    this.#columns?.reset()
    this.#others.length = 0
    this.#gone.fill(0, 0, this.#size)
    this.#answers.fill(UNANSWERED, 0, this.#size)
    this.#size = 0
    this.#first = 0
    this.#cost = 0
  }
}
