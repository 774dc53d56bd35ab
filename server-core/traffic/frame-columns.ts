import type { RequestId } from '../protocol/messages.ts'
import type { HttpFacts } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import { HeadTemplate } from './head-template.ts'
import type { MessageFrame, Recorded } from './recorded.ts'

const BYTES = 1024 * 1024
/** Longer messages are not copied. */
const LONGEST_COPY = 16 * 1024
const RECEIVED = 1
const HAS_HTTP = 2
const NO_STATUS = 0
/** Heads have few forms: those of a client's first request, of its others, of its stream, of a client of another kind. */
const FORMS = 6

/**
 * Messages as bytes in one buffer and numbers in columns: the garbage collector has nothing to do with them. They stand
 * at any places, which are written in rising order.
 */
export class FrameColumns {
  readonly #bytes = Buffer.allocUnsafeSlow(BYTES)
  readonly #at: Float64Array
  /** The id of a request, if it is a number; NaN for everything else. */
  readonly #asks: Float64Array
  readonly #exchange: Float64Array
  readonly #status: Uint16Array
  readonly #flags: Uint8Array
  /** Where a message begins, where it ends and its head's values begin, and where those end. */
  readonly #start: Uint32Array
  readonly #middle: Uint32Array
  readonly #end: Uint32Array
  readonly #connections: (Connection | undefined)[] = []
  readonly #templates: (HeadTemplate | undefined)[] = []
  #requestTemplates: HeadTemplate[] = []
  #answerTemplates: HeadTemplate[] = []
  #used = 0

  constructor(places: number) {
    this.#at = new Float64Array(places)
    this.#asks = new Float64Array(places)
    this.#exchange = new Float64Array(places)
    this.#status = new Uint16Array(places)
    this.#flags = new Uint8Array(places)
    this.#start = new Uint32Array(places)
    this.#middle = new Uint32Array(places)
    this.#end = new Uint32Array(places)
  }

  /** Copies a message, a request if it `asks`, to a place; tells whether it could, else nothing was done. */
  write(
    place: number,
    connection: Connection,
    at: number,
    frame: MessageFrame,
    asks: RequestId | undefined,
  ): boolean {
    const { bytes, http } = frame
    const start = this.#used
    const middle = start + bytes.byteLength
    if (bytes.byteLength > LONGEST_COPY || middle > BYTES) return false
    if (typeof asks === 'string' || http?.event !== undefined) return false
    const end = http === undefined ? middle : this.#writeHead(place, http, middle)
    if (end < 0) return false
    this.#bytes.set(bytes, start)
    this.#at[place] = at
    this.#asks[place] = asks ?? Number.NaN
    this.#flags[place] = (frame.direction === 'received' ? RECEIVED : 0) | (http === undefined ? 0 : HAS_HTTP)
    this.#start[place] = start
    this.#middle[place] = middle
    this.#end[place] = end
    this.#connections[place] = connection
    this.#used = end
    return true
  }

  /** The frame at a place, with bytes of its own. Throws a `RangeError` if there is none. */
  read(place: number): Recorded {
    const connection = this.#connections[place]
    if (connection === undefined) throw new RangeError(`there is no frame at ${place}`)
    const status = this.#status[place] ?? NO_STATUS
    const template = this.#templates[place]
    const head = template?.read(this.#bytes, this.#middle[place] ?? 0, this.#end[place] ?? 0)
    return {
      connection,
      at: this.#at[place] ?? 0,
      kind: 'message',
      direction: this.isReceived(place) ? 'received' : 'sent',
      bytes: new Uint8Array(this.#bytes.subarray(this.#start[place], this.#middle[place])),
      http: head && {
        ...head,
        exchange: this.#exchange[place] ?? 0,
        ...(status === NO_STATUS ? {} : { status }),
      },
      parsed: undefined,
      reason: undefined,
      event: undefined,
      asks: this.asks(place),
    }
  }

  connection(place: number): Connection | undefined {
    return this.#connections[place]
  }

  isReceived(place: number): boolean {
    return ((this.#flags[place] ?? 0) & RECEIVED) !== 0
  }

  /** The id of a request; undefined for everything else. */
  asks(place: number): number | undefined {
    const id = this.#asks[place] ?? Number.NaN
    return Number.isNaN(id) ? undefined : id
  }

  /** The number of its HTTP request. */
  exchange(place: number): number | undefined {
    return (this.#flags[place] ?? 0) & HAS_HTTP ? this.#exchange[place] : undefined
  }

  /** Makes it as new. */
  reset(): void {
    this.#connections.length = 0
    this.#templates.length = 0
    this.#used = 0
  }

  /** Gives where the head's values end, or -1. */
  #writeHead(place: number, http: HttpFacts, start: number): number {
    const known = http.status === undefined ? this.#requestTemplates : this.#answerTemplates
    let end = -1
    let template: HeadTemplate | undefined
    for (let index = known.length - 1; index >= 0 && end < 0; index -= 1) {
      template = known[index]
      end = template?.write(http, this.#bytes, start) ?? -1
    }
    if (end < 0) {
      template = HeadTemplate.of(http)
      if (template === undefined) return -1
      end = start
      if (known.push(template) > FORMS) known.shift()
    }
    this.#templates[place] = template
    this.#exchange[place] = http.exchange
    this.#status[place] = http.status ?? NO_STATUS
    return end
  }
}
