import { durationText } from '../../protocol/duration-text.ts'
import type { Frame, Tap } from '../../ports/tap.ts'

export type ConnectWatchOptions = {
  /** What is being connected to, for people. */
  readonly what: string
  /** Milliseconds for the whole of connecting. */
  readonly timeoutMs: number
  /** Milliseconds after which it says what it waits for. */
  readonly noticeMs: number
  /** Milliseconds from the first text that is not JSON to giving up, if no message came; `Infinity` never gives up. */
  readonly noJsonMs: number
  readonly writeStderr: (text: string) => void
}

/** Why connecting was given up before the server answered. */
export type GivenUp = { readonly type: 'timeout' | 'no-json'; readonly message: string }

const SHOWN = 200

/**
 * Watches a server while a command connects to it: says after a while what is being waited for, and gives up when the
 * time is over or the process writes only text. As a tap it sees what comes, also after connecting.
 */
export class ConnectWatch {
  readonly #options: ConnectWatchOptions
  readonly #over = new AbortController()
  readonly #startedAt = performance.now()
  #timers: NodeJS.Timeout[] = []
  #noJsonTimer: NodeJS.Timeout | undefined
  #isConnecting = true
  #hasSpoken = false
  #textLines = 0
  #firstText: string | undefined
  #stderrLine = ''
  /** Milliseconds that a person took, which are not counted. */
  #pausedMs = 0
  #pausedAt = 0
  #pauses = 0
  #givenUp: GivenUp | undefined

  constructor(options: ConnectWatchOptions) {
    this.#options = options
    this.#start()
  }

  /** Aborts when connecting is given up. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Why it was given up; undefined if it was not. */
  get givenUp(): GivenUp | undefined {
    return this.#givenUp
  }

  /** Lines on stdout that were not JSON, and the first of them. */
  get text(): { readonly lines: number; readonly first: string } | undefined {
    return this.#firstText === undefined ? undefined : { lines: this.#textLines, first: this.#firstText }
  }

  readonly tap: Tap = { record: (frame) => this.#see(frame) }

  /** Connecting is over: no time limit applies any more. */
  connected(): void {
    this.#isConnecting = false
    this.#stop()
  }

  /** Runs what waits for a person, such as an authorization in a browser: its time is not counted. */
  async paused<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#pauses === 0) this.#pausedAt = performance.now()
    this.#pauses += 1
    this.#stop()
    try {
      return await work()
    } finally {
      this.#pauses -= 1
      if (this.#pauses === 0) {
        this.#pausedMs += performance.now() - this.#pausedAt
        if (this.#isConnecting) this.#start()
      }
    }
  }

  #start(): void {
    const { timeoutMs, noticeMs } = this.#options
    const passed = performance.now() - this.#startedAt - this.#pausedMs
    const after = (ms: number, run: () => void): NodeJS.Timeout =>
      setTimeout(run, Math.max(0, ms - passed)).unref()
    this.#timers = [
      after(timeoutMs, () => this.#giveUp('timeout', `no answer within ${durationText(timeoutMs)}`)),
    ]
    if (noticeMs < timeoutMs && passed < noticeMs) this.#timers.push(after(noticeMs, () => this.#notice()))
  }

  #stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    clearTimeout(this.#noJsonTimer)
  }

  #see(frame: Frame): void {
    if (frame.kind === 'stderr') {
      const lines = new TextDecoder().decode(frame.bytes).trimEnd().split(/\r?\n/)
      this.#stderrLine = lines.findLast((line) => line.trim() !== '') ?? this.#stderrLine
      return
    }
    if (frame.direction !== 'received') return
    if (frame.kind === 'message') this.#spoke()
    // Over HTTP, invalid JSON is the failure itself, and reported as such.
    else if (frame.kind === 'invalid' && frame.http === undefined) this.#recordText(frame.bytes)
  }

  #spoke(): void {
    this.#hasSpoken = true
    clearTimeout(this.#noJsonTimer)
  }

  #recordText(bytes: Uint8Array): void {
    this.#textLines += 1
    if (this.#firstText !== undefined) return
    this.#firstText = shortened(new TextDecoder().decode(bytes))
    const { noJsonMs } = this.#options
    if (!this.#isConnecting || this.#hasSpoken || noJsonMs === Infinity) return
    const message = `for ${durationText(noJsonMs)} it wrote only text that is not JSON; --timeout MS sets how long to wait`
    this.#noJsonTimer = setTimeout(() => this.#giveUp('no-json', message), noJsonMs).unref()
  }

  #notice(): void {
    const { what, timeoutMs, writeStderr: writeStderr } = this.#options
    const said = [
      ...(this.#firstText === undefined ? [] : [`It wrote text that is not JSON: ${this.#firstText}`]),
      ...(this.#stderrLine === '' ? [] : [`Its last line on stderr: ${shortened(this.#stderrLine)}`]),
    ]
    const wait = `Waiting for ${what} to answer (up to ${durationText(timeoutMs)}; --timeout MS changes that).`
    writeStderr([wait, ...said].join('\n  '))
  }

  #giveUp(type: GivenUp['type'], message: string): void {
    this.#stop()
    this.#givenUp = { type, message }
    this.#over.abort(new Error(message))
  }
}

function shortened(text: string): string {
  const line = text.trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
