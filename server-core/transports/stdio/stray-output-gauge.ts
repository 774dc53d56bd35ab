const WINDOW_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_LINES = 10_000
const QUOTED_BYTES = 2_048

/**
 * Watches what a server prints on stdout besides messages. A few stray lines do no harm; a flood of them without
 * a message in between means that this is not an MCP server, and reading on would only burn time.
 */
export class StrayOutputGauge {
  #first: string | undefined
  #since = 0
  #bytes = 0
  #lines = 0

  /** The first stray line, at most 2 KiB of it. */
  get first(): string | undefined {
    return this.#first
  }

  /** A message came: what was printed before it is forgiven. */
  message(): void {
    this.#bytes = 0
    this.#lines = 0
  }

  /** Counts a stray line. True once it is a flood: 4 MiB or 10,000 lines in 10 s without a message. */
  stray(line: Uint8Array, now: number = performance.now()): boolean {
    this.#first ??= new TextDecoder().decode(line.subarray(0, QUOTED_BYTES))
    if (this.#lines === 0 || now - this.#since > WINDOW_MS) {
      this.#since = now
      this.#bytes = 0
      this.#lines = 0
    }
    this.#bytes += line.length
    this.#lines += 1
    return this.#bytes > MAX_BYTES || this.#lines > MAX_LINES
  }
}
