import { countText } from '../../protocol/count-text.ts'
import { TransportError } from '../../ports/contract.ts'

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
const LINE_FEED = Buffer.of(LF)

/** One block of an event stream: everything between two empty lines. Comments alone make no event. */
export type SseEvent = {
  /** The event's name; `message` unless the stream says otherwise. */
  readonly name: string
  /** The bytes of all `data` lines, joined by a line feed; missing if there was no such line. */
  readonly data?: Buffer
  /** The id this block sets; the empty string resets it. */
  readonly id?: string
  /** Milliseconds to wait before reconnecting. */
  readonly retry?: number
}

/**
 * An incremental parser of `text/event-stream` (HTML Living Standard, server-sent events) that works on bytes:
 * CR, LF and CRLF end a line wherever the chunks are cut, a leading byte order mark is dropped, and data is given
 * as bytes, so that invalid UTF-8 is still there to be reported.
 */
export class SseParser {
  readonly #maxBytes: number
  readonly #onEvent: (event: SseEvent) => void
  #line: Buffer[] = []
  #lineLength = 0
  #skipLineFeed = false
  #atStart = true
  #data: Buffer[] = []
  #dataLength = 0
  #name = ''
  #id: string | undefined
  #retry: number | undefined
  #hasField = false

  /** `maxBytes` bounds the data of one event and each of its lines. */
  constructor(maxBytes: number, onEvent: (event: SseEvent) => void) {
    this.#maxBytes = maxBytes
    this.#onEvent = onEvent
  }

  /**
   * Takes the next bytes and gives out every event that is complete.
   * Throws a `TransportError` with code `limit` when an event is longer than allowed; the stream cannot be read on
   * after that.
   */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    if (this.#skipLineFeed && bytes.length > 0) {
      this.#skipLineFeed = false
      if (bytes[0] === LF) start = 1
    }
    let nextLineFeed = bytes.indexOf(LF, start)
    let nextReturn = bytes.indexOf(CR, start)
    while (nextLineFeed !== -1 || nextReturn !== -1) {
      const endsWithReturn = nextReturn !== -1 && (nextLineFeed === -1 || nextReturn < nextLineFeed)
      const end = endsWithReturn ? nextReturn : nextLineFeed
      this.#keep(bytes.subarray(start, end))
      this.#endLine()
      start = end + 1
      if (endsWithReturn) {
        if (start === bytes.length) this.#skipLineFeed = true
        else if (bytes[start] === LF) start += 1
        nextReturn = bytes.indexOf(CR, start)
      }
      if (nextLineFeed !== -1 && nextLineFeed < start) nextLineFeed = bytes.indexOf(LF, start)
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  /**
   * The stream ended. Gives the event that was under way, if any: the standard discards it, so it is evidence of a
   * stream that was cut, not an event.
   */
  end(): SseEvent | undefined {
    if (this.#lineLength > 0) this.#endLine()
    return this.#hasField ? this.#take() : undefined
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#lineLength += part.length
    // "data: " may precede data that just fits.
    if (this.#lineLength + this.#dataLength > this.#maxBytes + 6) this.#refuse()
    this.#line.push(part)
  }

  #endLine(): void {
    const [first] = this.#line
    let line =
      this.#line.length === 1 && first !== undefined ? first : Buffer.concat(this.#line, this.#lineLength)
    this.#line = []
    this.#lineLength = 0
    if (this.#atStart) {
      this.#atStart = false
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3)
    }
    if (line.length > 0) this.#field(line)
    else if (this.#hasField) this.#onEvent(this.#take())
  }

  #field(line: Buffer): void {
    const colon = line.indexOf(COLON)
    if (colon === 0) return
    const name = line.toString('latin1', 0, colon === -1 ? line.length : colon)
    let value = colon === -1 ? line.subarray(line.length) : line.subarray(colon + 1)
    if (value[0] === SPACE) value = value.subarray(1)
    if (name === 'data') this.#addData(value)
    else if (name === 'event') this.#name = value.toString('utf8')
    else if (name === 'id' && !value.includes(0)) this.#id = value.toString('utf8')
    else if (name === 'retry' && /^\d{1,15}$/.test(value.toString('latin1'))) {
      this.#retry = Number(value.toString('latin1'))
    } else return
    this.#hasField = true
  }

  #addData(value: Buffer): void {
    if (this.#data.length > 0) {
      this.#data.push(LINE_FEED)
      this.#dataLength += 1
    }
    this.#data.push(value)
    this.#dataLength += value.length
    if (this.#dataLength > this.#maxBytes) this.#refuse()
  }

  #take(): SseEvent {
    const [first] = this.#data
    const data = this.#data.length === 1 ? first : Buffer.concat(this.#data, this.#dataLength)
    const event: SseEvent = {
      name: this.#name === '' ? 'message' : this.#name,
      ...(this.#data.length === 0 || data === undefined ? {} : { data }),
      ...(this.#id === undefined ? {} : { id: this.#id }),
      ...(this.#retry === undefined ? {} : { retry: this.#retry }),
    }
    this.#data = []
    this.#dataLength = 0
    this.#name = ''
    this.#id = undefined
    this.#retry = undefined
    this.#hasField = false
    return event
  }

  #refuse(): never {
    throw new TransportError(
      'limit',
      `an event of the stream is longer than ${countText(this.#maxBytes)} bytes (limit messageBytes)`,
    )
  }
}

/** What an event is made of when it is written. `data` must be there for clients to see the event at all. */
export type SseFields = {
  readonly data?: Uint8Array | string
  readonly name?: string
  readonly id?: string
  readonly retry?: number
}

/**
 * The bytes of one event, its closing empty line included. Data is written as one `data` line unless it holds line
 * breaks, which become several (a CR reads back as LF: the format cannot carry one).
 * Throws a `RangeError` if `name` or `id` hold a line break or NUL, or `retry` is not a whole number of milliseconds.
 */
export function encodeSseEvent(fields: SseFields): Buffer {
  let head = ''
  if (fields.name !== undefined) head += `event: ${oneLine('name', fields.name)}\n`
  if (fields.id !== undefined) head += `id: ${oneLine('id', fields.id)}\n`
  if (fields.retry !== undefined) {
    if (!Number.isSafeInteger(fields.retry) || fields.retry < 0) {
      throw new RangeError(`retry must be a whole number of milliseconds, got ${fields.retry}`)
    }
    head += `retry: ${fields.retry}\n`
  }
  if (fields.data === undefined) return Buffer.from(`${head}\n`)
  const data = typeof fields.data === 'string' ? Buffer.from(fields.data) : fields.data
  if (!data.includes(LF) && !data.includes(CR)) {
    head += 'data: '
    const start = Buffer.byteLength(head)
    const event = Buffer.allocUnsafe(start + data.length + 2)
    event.write(head)
    event.set(data, start)
    return event.fill(LF, start + data.length)
  }
  const parts: Uint8Array[] = [Buffer.from(head)]
  for (const line of linesOf(data)) parts.push(Buffer.from('data: '), line, LINE_FEED)
  parts.push(LINE_FEED)
  return Buffer.concat(parts)
}

/** A comment: it makes no event and keeps proxies from closing a quiet stream. */
export function encodeSseComment(text = ''): Buffer {
  return Buffer.from(`: ${oneLine('comment', text)}\n\n`)
}

function* linesOf(data: Uint8Array): Generator<Uint8Array> {
  let start = 0
  for (let index = 0; index < data.length; index += 1) {
    if (data[index] !== LF && data[index] !== CR) continue
    yield data.subarray(start, index)
    if (data[index] === CR && data[index + 1] === LF) index += 1
    start = index + 1
  }
  yield data.subarray(start)
}

function oneLine(field: string, text: string): string {
  if (/[\r\n\0]/.test(text)) throw new RangeError(`${field} must be one line without NUL`)
  return text
}
