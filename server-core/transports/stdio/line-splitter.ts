import { countText } from '../../protocol/count-text.ts'
import { TransportError } from '../../ports/contract.ts'

const LF = 0x0a
const CR = 0x0d

/**
 * Cuts a byte stream into lines (transports: stdio). Only 0x0A ends a line, never U+2028 or a lone CR, and a code
 * point is never split because bytes are not decoded here. A CR before the LF is framing and dropped; everything
 * else is given as it came, a byte order mark and empty lines included.
 */
export class LineSplitter {
  readonly #maxBytes: number
  readonly #onLine: (line: Buffer) => void
  #parts: Buffer[] = []
  #length = 0

  /** `maxBytes` bounds one line without its ending; `onLine` gets each line as a Buffer of its own. */
  constructor(maxBytes: number, onLine: (line: Buffer) => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#length
  }

  /**
   * Takes the next bytes and gives out every line that is complete.
   * Throws a `TransportError` with code `limit` as soon as a line is longer than allowed; the stream cannot be
   * read on after that.
   */
  push(chunk: Uint8Array): void {
    const bytes = asBuffer(chunk)
    let start = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      // Nearly every line lies in one chunk: nothing is kept for it.
      if (this.#length === 0) this.#give(bytes.subarray(start, end))
      else {
        this.#keep(bytes.subarray(start, end), 1)
        this.#emit()
      }
      start = end + 1
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start), 1)
  }

  /** The stream ended: gives out a last line that has no ending. */
  end(): void {
    if (this.#length > 0) this.#emit()
  }

  /** A CR that may turn out to be framing is allowed on top of the bound, hence `slack`. */
  #keep(part: Buffer, slack: number): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#length > this.#maxBytes + slack) this.#refuse()
    this.#parts.push(part)
  }

  #emit(): void {
    const line = Buffer.concat(this.#parts, this.#length)
    this.#parts = []
    this.#length = 0
    this.#give(line)
  }

  #give(bytes: Buffer): void {
    let line = bytes
    if (line.length > 0 && line[line.length - 1] === CR) line = line.subarray(0, -1)
    if (line.length > this.#maxBytes) this.#refuse()
    this.#onLine(line)
  }

  #refuse(): never {
    this.#parts = []
    this.#length = 0
    throw new TransportError(
      'limit',
      `a line is longer than ${countText(this.#maxBytes)} bytes (limit messageBytes); expected one JSON message per line, each ended by a line feed`,
    )
  }
}

/** The same bytes without a leading UTF-8 byte order mark. */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
