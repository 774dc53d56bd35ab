import { startOf, type Frame, type HttpFacts, type MessageLines, type WireDirection } from '../ports/tap.ts'
import type { Connection } from './connection.ts'
import { HeadTemplate } from './head-template.ts'
import { IdColumn, LONGEST_ID_BYTES } from './id-column.ts'
import type { MessageId } from './message-id.ts'
import { findAnsweredId, isNotice } from './message-part.ts'
import type { Recorded } from './recorded.ts'

/** Bytes of the buffer: so many for each place, but enough for a few long messages. */
const PLACE_BYTES = 256
const LEAST_BYTES = 64 * 1024
/** Longer messages are not copied. */
const LONGEST_COPY = 16 * 1024
const RECEIVED = 1
const HAS_HTTP = 2
const KINDS = [
  'message',
  'http',
  'stderr',
  'invalid',
  'fault',
  'lifecycle',
] as const satisfies Frame['kind'][]
const HEAD = KINDS.indexOf('http')
const NO_STATUS = 0
/** Heads have few forms: those of a client's first request, of its others, of its stream, of a client of another kind. */
const FORMS = 6
/** So much of what they take is kept for messages to come. */
const KEPT_FORMS_BYTES = 64 * 1024

/**
 * Frames as bytes in one buffer and numbers in columns, which the garbage collector need not visit. Places are
 * written in rising order, and some may stay empty.
 */
export class FrameColumns {
  readonly #bytes: Buffer
  readonly #at: Float64Array
  /** Its texts follow the messages in the same buffer. */
  readonly #ids: IdColumn
  readonly #exchange: Float64Array
  readonly #status: Uint16Array
  readonly #flags: Uint8Array
  readonly #kinds: Uint8Array
  /** Of the few frames that have them: a reason or note, and a life event. */
  readonly #reasons = new Map<number, string>()
  readonly #events = new Map<number, 'opened' | 'closed'>()
  /** Where a message begins, where it ends and its head's values begin, and where those end. */
  readonly #start: Uint32Array
  readonly #middle: Uint32Array
  readonly #end: Uint32Array
  readonly #connections: (Connection | undefined)[] = []
  readonly #templates: (HeadTemplate | undefined)[] = []
  #requestTemplates: HeadTemplate[] = []
  #answerTemplates: HeadTemplate[] = []
  #used = 0
  /** Bytes that templates take which were made for messages that are here. */
  #formBytes = 0

  constructor(places: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, places * PLACE_BYTES))
    this.#at = new Float64Array(places)
    this.#ids = new IdColumn(places, this.#bytes)
    this.#exchange = new Float64Array(places)
    this.#status = new Uint16Array(places)
    this.#flags = new Uint8Array(places)
    this.#kinds = new Uint8Array(places)
    this.#start = new Uint32Array(places)
    this.#middle = new Uint32Array(places)
    this.#end = new Uint32Array(places)
  }

  /** Whether there may be no room for the next message. */
  get isFull(): boolean {
    return this.#used > this.#ids.floor - LONGEST_COPY - LONGEST_ID_BYTES
  }

  /** Bytes that are taken, in the buffer and by what heads have in common. */
  get used(): number {
    return this.#used + this.#bytes.length - this.#ids.floor + this.#formBytes
  }

  /** Copies a frame to a place. Returns false if it cannot; then only a message's id was noted. */
  write(place: number, connection: Connection, at: number, frame: Frame): boolean {
    if (frame.kind === 'message') this.#ids.note(place, frame.parsed)
    const { bytes } = frame
    const http = 'http' in frame ? frame.http : undefined
    const start = this.#used
    const middle = start + bytes.byteLength
    if (bytes.byteLength > LONGEST_COPY || middle > this.#ids.floor) return false
    const end = http === undefined ? middle : this.#writeHead(place, http, middle)
    if (end < 0) return false
    this.#bytes.set(bytes, start)
    this.#writeFrame(place, connection, at, frame.direction, http === undefined ? 0 : HAS_HTTP, start)
    if (frame.kind !== 'message') this.#writeKind(place, frame)
    this.#middle[place] = middle
    this.#end[place] = end
    this.#used = end
    return true
  }

  /** Copies lines, from one on, to as many places; returns how many there were room for and could be copied. */
  writeLines(place: number, connection: Connection, at: number, lines: MessageLines, from: number): number {
    const { bytes, ends, values, direction } = lines
    const first = startOf(lines, from)
    const shift = this.#used - first
    const most = Math.min(ends.length - from, this.#at.length - place)
    let count = 0
    let start = first
    for (; count < most; count += 1) {
      const end = ends[from + count] ?? start
      if (end - start > LONGEST_COPY || end + shift > this.#ids.floor - LONGEST_ID_BYTES) break
      this.#ids.note(place + count, values?.[from + count])
      this.#writeFrame(place + count, connection, at, direction, 0, start + shift)
      this.#middle[place + count] = end + shift
      this.#end[place + count] = end + shift
      start = end + 1
    }
    if (count === 0) return 0
    const last = start - 1
    this.#bytes.set(bytes.subarray(first, last), this.#used)
    this.#used += last - first
    return count
  }

  #writeFrame(
    place: number,
    connection: Connection,
    at: number,
    direction: WireDirection,
    flags: number,
    start: number,
  ): void {
    this.#flags[place] = direction === 'received' ? flags | RECEIVED : flags
    this.#at[place] = at
    this.#start[place] = start
    this.#connections[place] = connection
  }

  #writeKind(place: number, frame: Frame): void {
    this.#kinds[place] = KINDS.indexOf(frame.kind)
    const reason =
      frame.kind === 'invalid' ? frame.reason : frame.kind === 'lifecycle' ? frame.note : undefined
    if (reason !== undefined) this.#reasons.set(place, reason)
    this.#formBytes += reason?.length ?? 0
    if (frame.kind === 'lifecycle') this.#events.set(place, frame.event)
  }

  /** The frame at a place; its bytes are a view. Throws a `RangeError` if the place is empty. */
  read(place: number): Recorded {
    const connection = this.#connections[place]
    if (connection === undefined) throw new RangeError(`there is no frame at ${place}`)
    const status = this.#status[place] ?? NO_STATUS
    const template = this.exchange(place) === undefined ? undefined : this.#templates[place]
    const head = template?.read(this.#bytes, this.#middle[place] ?? 0, this.#end[place] ?? 0)
    return {
      connection,
      at: this.#at[place] ?? 0,
      kind: KINDS[this.#kinds[place] ?? 0] ?? 'message',
      direction: this.isReceived(place) ? 'received' : 'sent',
      bytes: this.#bytes.subarray(this.#start[place], this.#middle[place]),
      http: head && {
        ...head,
        exchange: this.#exchange[place] ?? 0,
        ...(status === NO_STATUS ? {} : { status }),
      },
      reason: this.#reasons.get(place),
      event: this.#events.get(place),
    }
  }

  /** How many bytes the frame has, without those of its head. */
  byteLength(place: number): number {
    return (this.#middle[place] ?? 0) - (this.#start[place] ?? 0)
  }

  connection(place: number): Connection | undefined {
    return this.#connections[place]
  }

  isReceived(place: number): boolean {
    return ((this.#flags[place] ?? 0) & RECEIVED) !== 0
  }

  /** An HTTP head without a message. */
  isHead(place: number): boolean {
    return this.#kinds[place] === HEAD
  }

  /** Whether a message asks for an answer. One that was too long to be copied may, too. */
  asks(place: number): boolean {
    return this.#ids.asks(place)
  }

  /** Finds the id by which a message asks for an answer; reports whether it does. */
  findAsked(place: number, id: MessageId): boolean {
    return this.#ids.findAsked(place, id)
  }

  /**
   * Finds the id of the request that a message answers, as far as it is known without parsing; reports whether it is.
   * `long`: a message that was too long to be copied.
   */
  findAnswered(place: number, id: MessageId, long: Uint8Array | undefined): boolean {
    if (!this.#ids.isUnread(place)) return this.#ids.findAnswered(place, id)
    return long === undefined
      ? findAnsweredId(this.#bytes, this.#start[place] ?? 0, this.#middle[place] ?? 0, id)
      : findAnsweredId(long, 0, long.length, id)
  }

  isHandshake(place: number): boolean {
    return this.#ids.isHandshake(place)
  }

  isNotice(place: number): boolean {
    return (
      this.#kinds[place] === 0 && isNotice(this.#bytes, this.#start[place] ?? 0, this.#middle[place] ?? 0)
    )
  }

  /** The number of its HTTP request. */
  exchange(place: number): number | undefined {
    return (this.#flags[place] ?? 0) & HAS_HTTP ? this.#exchange[place] : undefined
  }

  /** Empties it for new frames. */
  reset(): void {
    this.#connections.length = 0
    this.#templates.length = 0
    if (this.#formBytes > KEPT_FORMS_BYTES) {
      this.#requestTemplates.length = 0
      this.#answerTemplates.length = 0
    }
    this.#ids.reset()
    this.#kinds.fill(0)
    this.#reasons.clear()
    this.#events.clear()
    this.#used = 0
    this.#formBytes = 0
  }

  /** Returns where the head's values end, or -1. */
  #writeHead(place: number, http: HttpFacts, start: number): number {
    const known = http.status === undefined ? this.#requestTemplates : this.#answerTemplates
    let end = -1
    let template: HeadTemplate | undefined
    for (let index = known.length - 1; index >= 0 && end < 0; index -= 1) {
      template = known[index]
      end = template?.write(http, this.#bytes, start, this.#ids.floor) ?? -1
    }
    if (end < 0) {
      template = HeadTemplate.of(http)
      if (template === undefined) return -1
      end = start
      this.#formBytes += template.size
      if (known.push(template) > FORMS) known.shift()
    }
    this.#templates[place] = template
    this.#exchange[place] = http.exchange
    this.#status[place] = http.status ?? NO_STATUS
    return end
  }
}
