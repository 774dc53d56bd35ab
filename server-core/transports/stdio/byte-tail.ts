/** Keeps the last bytes of a stream, for error reports. */
export class ByteTail {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(chunk: Uint8Array): void {
    this.#parts.push(chunk.length > this.#maxBytes ? chunk.subarray(-this.#maxBytes) : chunk)
    this.#length += Math.min(chunk.length, this.#maxBytes)
    // Joined only now and then: a stream of tiny chunks costs no copy per chunk.
    if (this.#length > this.#maxBytes * 2 || this.#parts.length > 1_024) this.#join()
  }

  /** The last bytes as text. A code point that was cut at the front is left out. */
  toString(): string {
    const bytes = this.#join()
    let start = 0
    while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
    return new TextDecoder().decode(bytes.subarray(start))
  }

  #join(): Buffer {
    const joined = Buffer.concat(this.#parts).subarray(-this.#maxBytes)
    this.#parts = [joined]
    this.#length = joined.length
    return joined
  }
}
