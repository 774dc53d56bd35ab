const LF = 0x0a
const CR = 0x0d

/** A line of a file, without its ending. */
export type CutLine = {
  /** Where it begins in the file. */
  readonly offset: number
  /** The bytes, or undefined if the line is longer than allowed. */
  readonly bytes: Buffer | undefined
  readonly length: number
}

/** Cuts chunks of a file into lines that know their place. Lines that are too long are skipped, and reported. */
export class LineCutter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #pending = 0
  #isTooLong = false
  #offset: number

  /** @param offset where the first chunk begins in the file */
  constructor(maxBytes: number, offset = 0) {
    this.#maxBytes = maxBytes
    this.#offset = offset
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#pending
  }

  /** Returns the lines that this chunk completes. */
  push(chunk: Buffer): CutLine[] {
    const lines: CutLine[] = []
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end)
      lines.push(this.#pending === 0 ? this.#line(part, part.length) : this.#complete(part))
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
    return lines
  }

  #add(part: Buffer): void {
    this.#pending += part.length
    if (this.#isTooLong) return
    if (this.#pending > this.#maxBytes) {
      this.#isTooLong = true
      this.#parts = []
    } else this.#parts.push(part)
  }

  #complete(last: Buffer): CutLine {
    this.#add(last)
    const length = this.#pending
    const bytes = this.#isTooLong ? undefined : Buffer.concat(this.#parts, length)
    this.#parts = []
    this.#pending = 0
    this.#isTooLong = false
    return this.#line(bytes, length)
  }

  #line(bytes: Buffer | undefined, length: number): CutLine {
    const offset = this.#offset
    this.#offset += length + 1
    if (bytes === undefined || length > this.#maxBytes) return { offset, bytes: undefined, length }
    // A file that went through a system with other line ends is still whole.
    return { offset, bytes: bytes[length - 1] === CR ? bytes.subarray(0, -1) : bytes, length }
  }
}
