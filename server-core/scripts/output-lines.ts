import { StringDecoder } from 'node:string_decoder'

type Stream = 'stdout' | 'stderr'

/** Characters of one line; what is longer is cut. */
const LINE_LENGTH = 8_192

/** Makes lines of what a process prints, not more than a budget. */
export class OutputLines {
  readonly #bytesPerSecond: number
  readonly #onLine: (line: { readonly stream: Stream; readonly text: string }) => void
  readonly #parts = { stdout: emptyPart(), stderr: emptyPart() }
  #left: number
  #filledAt = performance.now()
  #dropped = 0
  #report: NodeJS.Timeout | undefined

  constructor(
    bytesPerSecond: number,
    onLine: (line: { readonly stream: Stream; readonly text: string }) => void,
  ) {
    this.#bytesPerSecond = bytesPerSecond
    this.#left = bytesPerSecond
    this.#onLine = onLine
  }

  /** Receives bytes as they come; reports the complete lines. */
  take(stream: Stream, bytes: Uint8Array): void {
    this.#refill()
    const taken = bytes.subarray(0, Math.max(0, this.#left))
    this.#drop(bytes.length - taken.length)
    this.#split(stream, Buffer.from(taken))
  }

  /** Receives a text: of one beyond the budget no bytes are made, since a flood of them would fill the memory. */
  takeText(stream: Stream, text: string): void {
    this.#refill()
    const left = Math.max(0, this.#left)
    const taken = Buffer.from(text.slice(0, left)).subarray(0, left)
    this.#drop(Math.max(0, Buffer.byteLength(text) - taken.length))
    this.#split(stream, taken)
  }

  #split(stream: Stream, taken: Buffer): void {
    if (taken.length === 0) return
    this.#left -= taken.length
    const part = this.#parts[stream]
    const lines = (part.text + part.decoder.write(taken)).split('\n')
    part.text = (lines.pop() ?? '').slice(0, LINE_LENGTH + 1)
    for (const line of lines) this.#line(stream, line)
  }

  /** Returns what has no end yet, and how much was dropped. */
  flush(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const { text } = this.#parts[stream]
      this.#parts[stream].text = ''
      if (text !== '') this.#line(stream, text)
    }
    this.#reportDropped()
  }

  #line(stream: Stream, line: string): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    this.#onLine({ stream, text: text.length > LINE_LENGTH ? `${text.slice(0, LINE_LENGTH)}…` : text })
  }

  #refill(): void {
    const now = performance.now()
    const earned = Math.floor(((now - this.#filledAt) / 1_000) * this.#bytesPerSecond)
    if (earned === 0) return
    this.#filledAt = now
    this.#left = Math.min(this.#bytesPerSecond, this.#left + earned)
  }

  #drop(bytes: number): void {
    if (bytes === 0) return
    this.#dropped += bytes
    this.#report ??= setTimeout(() => {
      this.#reportDropped()
    }, 1_000).unref()
  }

  #reportDropped(): void {
    clearTimeout(this.#report)
    this.#report = undefined
    if (this.#dropped === 0) return
    const text = `(${this.#dropped} more bytes were printed and are not shown: ${this.#bytesPerSecond} a second are)`
    this.#dropped = 0
    this.#onLine({ stream: 'stderr', text })
  }
}

function emptyPart(): { text: string; readonly decoder: StringDecoder } {
  return { text: '', decoder: new StringDecoder('utf8') }
}
