import { countText } from '../../protocol/count-text.ts'
const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** Bytes of the head of one message; those of a language server have some thirty. */
const HEAD_BYTES = 4_096

/** A message as it goes to a language server: its length in bytes as a header, then the JSON. */
export function framed(message: string): string {
  return `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`
}

/** Splits the output of a language server into messages, wherever the chunks are cut. */
export class MessageFrames {
  readonly #maxBytes: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Bytes that must be there before looking again is of use. */
  #wanted = 0

  /** @param maxBytes of one message */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the messages that the chunk completes. @throws Error for an invalid or oversized message */
  push(chunk: Buffer): string[] {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes < this.#wanted) return []
    let bytes = Buffer.concat(this.#waiting)
    const messages: string[] = []
    for (;;) {
      const end = bytes.indexOf(END_OF_HEAD)
      if (end < 0) {
        if (bytes.length > HEAD_BYTES) throw new Error('it wrote something that is not a message')
        this.#wanted = 0
        break
      }
      const from = end + END_OF_HEAD.length
      const to = from + this.#length(bytes.subarray(0, end))
      if (bytes.length < to) {
        this.#wanted = to
        break
      }
      messages.push(bytes.toString('utf8', from, to))
      bytes = bytes.subarray(to)
    }
    this.#waiting = bytes.length === 0 ? [] : [bytes]
    this.#waitingBytes = bytes.length
    return messages
  }

  #length(head: Buffer): number {
    const text = head.toString('latin1')
    const digits = /^content-length: *(\d{1,12})$/im.exec(text)?.[1]
    if (digits === undefined)
      throw new Error(`it wrote a message without a length: ${JSON.stringify(text.slice(0, 80))}`)
    const length = Number(digits)
    if (length > this.#maxBytes)
      throw new Error(
        `it wrote a message of ${countText(length)} bytes; at most ${countText(this.#maxBytes)} are read`,
      )
    return length
  }
}
