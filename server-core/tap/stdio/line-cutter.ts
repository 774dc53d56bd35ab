const LF = 0x0a
const CR = 0x0d

/** A line with its ending, as it came. `isWhole` is false for a part of a line that is longer than the bound. */
export type OnLine = (line: Buffer, isWhole: boolean) => void

/**
 * Cuts a stream of bytes into lines and loses none: each has its ending, and the last one may have none. A line that is
 * longer than the bound comes in parts.
 */
export class LineCutter {
  readonly #maxBytes: number
  readonly #onLine: OnLine
  #parts: Buffer[] = []
  #length = 0
  #isTooLong = false

  constructor(maxBytes: number, onLine: OnLine) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end + 1))
      this.#emit(true)
      start = end + 1
    }
    if (start === chunk.length) return
    this.#keep(chunk.subarray(start))
    if (this.#length > this.#maxBytes) this.#emit(false)
  }

  /** The stream ended, or what follows is no longer cut: gives out what is left. */
  end(): void {
    if (this.#length > 0) this.#emit(true)
  }

  #keep(part: Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  #emit(isLast: boolean): void {
    const [only] = this.#parts
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    const isWhole = isLast && !this.#isTooLong
    this.#isTooLong = !isLast
    this.#onLine(line, isWhole)
  }
}

/** A line without its ending. */
export function withoutEnding(line: Buffer): Buffer {
  let end = line.length
  if (line[end - 1] === LF) end -= line[end - 2] === CR ? 2 : 1
  return line.subarray(0, end)
}
