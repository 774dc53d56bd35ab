import type { Frame, Tap } from '../../ports/tap.ts'

/**
 * Passes on what a server process writes on stderr, line by line, once `connected` was called: before that, a failure
 * to connect shows it.
 */
export class ForwardedStderr {
  readonly #write: (line: string) => void
  readonly #decoder = new TextDecoder()
  #lines: string[] = []
  #rest = ''
  #isConnected = false

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  readonly tap: Tap = { record: (frame) => this.#see(frame) }

  /** Writes what arrived so far, and from now on each line as it arrives. */
  connected(): void {
    this.#isConnected = true
    this.#flush()
  }

  /** Writes the last line, which may lack its end. */
  end(): void {
    if (this.#rest !== '') this.#lines.push(this.#rest)
    this.#rest = ''
    if (this.#isConnected) this.#flush()
  }

  #see(frame: Frame): void {
    if (frame.kind !== 'stderr') return
    const lines = (this.#rest + this.#decoder.decode(frame.bytes, { stream: true })).split(/\r?\n/)
    this.#rest = lines.pop() ?? ''
    this.#lines.push(...lines)
    if (this.#isConnected) this.#flush()
  }

  #flush(): void {
    for (const line of this.#lines.splice(0)) this.#write(line)
  }
}
