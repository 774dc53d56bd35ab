const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The time limit of one request: so long without a sign of life, and a ceiling that no sign of life moves. While it
 * is paused (the server waits for us) no time passes. A sign of life costs no timer.
 */
export class Deadline {
  readonly #idleMs: number
  readonly #ceilingMs: number
  readonly #onPassed: (which: 'idle' | 'ceiling') => void
  #startedAt = performance.now()
  #touchedAt = this.#startedAt
  #pausedAt: number | undefined
  #timer: NodeJS.Timeout | undefined

  /** Both limits in milliseconds; `Infinity` is none. */
  constructor(idleMs: number, ceilingMs: number, onPassed: (which: 'idle' | 'ceiling') => void) {
    this.#idleMs = idleMs
    this.#ceilingMs = ceilingMs
    this.#onPassed = onPassed
    this.#arm()
  }

  /** A sign of life came. */
  touch(): void {
    this.#touchedAt = performance.now()
  }

  pause(): void {
    this.#pausedAt ??= performance.now()
    clearTimeout(this.#timer)
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    const paused = performance.now() - this.#pausedAt
    this.#startedAt += paused
    this.#touchedAt += paused
    this.#pausedAt = undefined
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #arm(): void {
    const now = performance.now()
    const idleLeft = this.#touchedAt + this.#idleMs - now
    const ceilingLeft = this.#startedAt + this.#ceilingMs - now
    const left = Math.min(idleLeft, ceilingLeft)
    if (left === Infinity) return
    this.#timer = setTimeout(() => this.#check(), Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(left))))
  }

  #check(): void {
    const now = performance.now()
    if (now - this.#startedAt >= this.#ceilingMs) this.#onPassed('ceiling')
    else if (now - this.#touchedAt >= this.#idleMs) this.#onPassed('idle')
    else this.#arm()
  }
}
