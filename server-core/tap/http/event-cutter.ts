import { SseParser, type SseEvent } from '../../transports/http/sse-codec.ts'

const LF = 0x0a
const CR = 0x0d

/** One block of an event stream, with the bytes that it came in. */
export type EventBlock = { readonly bytes: Buffer; readonly event: SseEvent | undefined }

/** Cuts an event stream into blocks and loses no byte. */
export class EventCutter {
  readonly #maxBytes: number
  readonly #onBlock: (block: EventBlock) => void
  #pending: Buffer = Buffer.alloc(0)
  /** Up to here no block ends. */
  #seen = 0

  /** `maxBytes` bounds a block; longer ones come in parts, without an event. */
  constructor(maxBytes: number, onBlock: (block: EventBlock) => void) {
    this.#maxBytes = maxBytes
    this.#onBlock = onBlock
  }

  push(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    for (let end = this.#blockEnd(); end !== undefined; end = this.#blockEnd()) {
      const bytes = this.#pending.subarray(0, end)
      this.#pending = this.#pending.subarray(end)
      this.#seen = 0
      this.#onBlock({ bytes, event: this.#eventOf(bytes) })
    }
    if (this.#pending.length > this.#maxBytes) this.end()
  }

  /** Passes on what is left. */
  end(): void {
    const bytes = this.#pending
    this.#pending = Buffer.alloc(0)
    this.#seen = 0
    if (bytes.length > 0) this.#onBlock({ bytes, event: undefined })
  }

  /** Behind the empty line that ends the first block. A CR at the end may be followed by its LF. */
  #blockEnd(): number | undefined {
    const bytes = this.#pending
    for (let at = this.#seen; at < bytes.length; at += 1) {
      if (bytes[at] !== LF && bytes[at] !== CR) continue
      const next = behindLineEnd(bytes, at)
      if (next === undefined || next >= bytes.length) {
        this.#seen = at
        return undefined
      }
      if (bytes[next] !== LF && bytes[next] !== CR) {
        at = next - 1
        continue
      }
      const end = behindLineEnd(bytes, next)
      this.#seen = at
      // Whether an LF belongs to this CR is known with the next byte; a stream that waits here has sent its event.
      return end ?? bytes.length
    }
    this.#seen = bytes.length
    return undefined
  }

  #eventOf(bytes: Buffer): SseEvent | undefined {
    const found: SseEvent[] = []
    try {
      new SseParser(this.#maxBytes, (event) => found.push(event)).push(bytes)
    } catch {
      // It is too long to be looked at, and passes.
    }
    return found[0]
  }
}

/** The place behind a line ending; undefined if a CR is the last byte. */
function behindLineEnd(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === LF) return at + 1
  if (at + 1 === bytes.length) return undefined
  return bytes[at + 1] === LF ? at + 2 : at + 1
}

/** An event with other data; its other fields stay. */
export function withData({ name, id, retry }: SseEvent, data: Buffer): Buffer {
  const lines = [
    ...(name === 'message' ? [] : [`event: ${name}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
  ]
  const head = lines.map((line) => `${line}\n`).join('')
  const parts: Buffer[] = []
  for (let start = 0; start <= data.length;) {
    const found = data.indexOf(LF, start)
    const end = found === -1 ? data.length : found
    parts.push(Buffer.from('data: '), data.subarray(start, end), Buffer.of(LF))
    start = end + 1
  }
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.of(LF)])
}
