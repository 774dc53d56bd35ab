import type { RequestId } from '../protocol/messages.ts'
import type { Frame } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import { FrameColumns } from './frame-columns.ts'
import { answeredId, askedId, costOf, recordedOf, type Recorded } from './recorded.ts'

const PLACES = 4_096

/** Some thousands of frames in a row: those that can be are kept as bytes, the others as they came. */
export class Segment {
  #columns: FrameColumns | undefined
  readonly #others: (Recorded | undefined)[] = []
  /** Requests and their answers that go unseen. */
  readonly #gone = new Uint8Array(PLACES)
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

  /** Adds a frame as it is. */
  add(recorded: Recorded): void {
    this.#others[this.#size] = recorded
    this.#cost += costOf(recorded.bytes, recorded.http)
    this.#size += 1
  }

  /** Adds a frame whose bytes nobody looks for by identity. */
  addCopy(connection: Connection, at: number, frame: Frame): void {
    const isCopied =
      frame.kind === 'message' &&
      (this.#columns ??= new FrameColumns(PLACES)).write(this.#size, connection, at, frame)
    if (!isCopied) {
      const asks = frame.kind === 'message' ? askedId(frame.parsed) : undefined
      this.add({ ...recordedOf(connection, at, frame, undefined), asks })
      return
    }
    this.#cost += costOf(frame.bytes, frame.http)
    this.#size += 1
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

  /**
   * Lets go of requests with their answers, and of what else their HTTP exchanges had. Where many clients use the same
   * ids, an answer belongs to the request of its own exchange. Gives how many frames went.
   */
  dropAnswered(): number {
    const open = new Map<Connection, Map<RequestId, number>>()
    let dropped = 0
    for (let place = this.#first; place < this.#size; place += 1) {
      const { connection, exchange, asks, answers } = this.#part(place)
      if (connection === undefined) continue
      let requests = open.get(connection)
      if (requests === undefined) {
        requests = new Map()
        open.set(connection, requests)
      }
      const group = connection.source.isOneClient === true ? undefined : exchange
      if (asks !== undefined) {
        requests.set(group ?? asks, place)
        continue
      }
      if (answers === undefined) continue
      const request = requests.get(group ?? answers)
      if (request === undefined || this.#part(request).asks !== answers) continue
      if (this.#isReceived(request) === this.#isReceived(place)) continue
      requests.delete(group ?? answers)
      this.#gone[request] = 1
      this.#gone[place] = 1
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
      const { connection, exchange } = this.#gone[place] === 1 ? this.#part(place) : NO_PART
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
    this.#size = 0
    this.#first = 0
    this.#cost = 0
  }

  /** What says whether a frame asks or answers; without a connection it does neither. */
  #part(place: number): Part {
    const other = this.#others[place]
    const columns = this.#columns
    if (other === undefined) {
      if (columns === undefined) return NO_PART
      const asks = columns.asks(place)
      return {
        connection: columns.connection(place),
        exchange: columns.exchange(place),
        asks,
        answers: asks === undefined ? columns.answers(place) : undefined,
      }
    }
    if (other.kind !== 'message') return NO_PART
    const { connection, http, asks, bytes } = other
    return {
      connection,
      exchange: http?.exchange,
      asks,
      answers: asks === undefined ? answeredId(bytes, 0, bytes.byteLength) : undefined,
    }
  }

  #isReceived(place: number): boolean {
    const other = this.#others[place]
    return other === undefined ? this.#columns?.isReceived(place) === true : other.direction === 'received'
  }
}

type Part = {
  readonly connection: Connection | undefined
  readonly exchange?: number | undefined
  readonly asks?: RequestId | undefined
  readonly answers?: number | undefined
}
const NO_PART: Part = { connection: undefined }
