import type { MessageId } from './message-id.ts'
import { answeringId, askedId, isHandshake } from './message-part.ts'

/** Longer ids are not stored: a message with such an id counts as neither request nor answer here. */
export const LONGEST_ID_BYTES = 255
/** A text is identified by its start and, in the last bits, its length. */
const LENGTH_BITS = 8

const ASKS = 1
const ANSWERS = 2
/** A message that nobody read so far. */
const UNREAD = 4
const IS_TEXT = 8
/** A request that says who the sides are: it outlives its frame's neighbours. */
const HANDSHAKE = 16

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const TILDE = 0x7e

/**
 * How messages relate to requests: the ids of requests, and of what they answer. Text ids are in
 * a buffer, as in JSON between quotes, from its end towards its start.
 */
export class IdColumn {
  readonly #kinds: Uint8Array
  readonly #values: Float64Array
  readonly #bytes: Buffer
  #floor: number

  constructor(places: number, bytes: Buffer) {
    this.#kinds = new Uint8Array(places)
    this.#values = new Float64Array(places)
    this.#bytes = bytes
    this.#floor = bytes.length
  }

  /** Where the part of the buffer begins that has ids. */
  get floor(): number {
    return this.#floor
  }

  /** Notes the id of a message, by its value if it was parsed. There has to be room for a longest one. */
  note(place: number, parsed: unknown): void {
    if (parsed === undefined) {
      this.#kinds[place] = UNREAD
      return
    }
    const asked = askedId(parsed)
    const id = asked ?? answeringId(parsed)
    if (id === undefined) this.#kinds[place] = 0
    else if (typeof id === 'number') {
      this.#kinds[place] = asked === undefined ? ANSWERS : asksAs(parsed)
      this.#values[place] = id
    } else {
      const length = this.#write(id)
      this.#kinds[place] = length < 0 ? 0 : (asked === undefined ? ANSWERS : asksAs(parsed)) | IS_TEXT
      if (length >= 0) this.#values[place] = (this.#floor << LENGTH_BITS) | length
    }
  }

  asks(place: number): boolean {
    return ((this.#kinds[place] ?? 0) & ASKS) !== 0
  }

  isHandshake(place: number): boolean {
    return ((this.#kinds[place] ?? 0) & HANDSHAKE) !== 0
  }

  isUnread(place: number): boolean {
    return this.#kinds[place] === UNREAD
  }

  /** Finds the id by which a message asks; reports whether it does. */
  findAsked(place: number, id: MessageId): boolean {
    return this.#find(place, ASKS, id)
  }

  /** Finds the id of what a message answers, if it was read; reports whether there is one. */
  findAnswered(place: number, id: MessageId): boolean {
    return this.#find(place, ANSWERS, id)
  }

  /** Makes it as new. */
  reset(): void {
    this.#kinds.fill(0)
    this.#floor = this.#bytes.length
  }

  #find(place: number, kind: number, id: MessageId): boolean {
    const kinds = this.#kinds[place] ?? 0
    if ((kinds & kind) === 0) return false
    const value = this.#values[place] ?? 0
    if ((kinds & IS_TEXT) === 0) id.setNumber(value)
    else {
      const start = value >>> LENGTH_BITS
      id.setText(this.#bytes, start, start + (value & LONGEST_ID_BYTES))
    }
    return true
  }

  /** Returns how many bytes it took, or -1 for text that is too long. */
  #write(text: string): number {
    if (text.length > LONGEST_ID_BYTES) return -1
    const start = this.#floor - text.length
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) return this.#writeJson(text)
      this.#bytes[start + index] = code
    }
    this.#floor = start
    return text.length
  }

  /** The same for text that is not in JSON what it is alone. */
  #writeJson(text: string): number {
    const json = Buffer.from(JSON.stringify(text)).subarray(1, -1)
    if (json.length > LONGEST_ID_BYTES) return -1
    this.#floor -= json.length
    this.#bytes.set(json, this.#floor)
    return json.length
  }
}

function asksAs(parsed: unknown): number {
  return isHandshake(parsed) ? ASKS | HANDSHAKE : ASKS
}
