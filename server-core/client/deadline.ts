const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Runs the deadlines of one connection on one timer: most requests are answered in time, and those cost none. */
export class DeadlineClock {
  readonly #running = new Set<Deadline>()
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires. */
  #firesAt = Infinity

  add(deadline: Deadline): void {
    if (this.#running.size === 0) this.#timer?.ref()
    this.#running.add(deadline)
    if (deadline.dueAt < this.#firesAt) this.#arm(deadline.dueAt)
  }

  remove(deadline: Deadline): void {
    // A timer that nobody waits for fires for nothing, or serves the next request; it keeps no process alive.
    if (this.#running.delete(deadline) && this.#running.size === 0) this.#timer?.unref()
  }

  #arm(at: number): void {
    clearTimeout(this.#timer)
    this.#firesAt = at
    const left = Math.max(0, Math.ceil(at - performance.now()))
    this.#timer = setTimeout(() => this.#tick(), Math.min(LONGEST_TIMER_MS, left))
  }

  #tick(): void {
    this.#timer = undefined
    this.#firesAt = Infinity
    const now = performance.now()
    for (const deadline of [...this.#running]) if (deadline.dueAt <= now) deadline.check(now)
    let next = Infinity
    for (const { dueAt } of this.#running) next = Math.min(next, dueAt)
    if (next < this.#firesAt) this.#arm(next)
  }
}

/**
 * The time limit of one request: so long without a sign of life, and a ceiling that no sign of life moves. While it
 * is paused (the server waits for us) no time passes. A sign of life costs no timer.
 */
export class Deadline {
  readonly #clock: DeadlineClock
  readonly #idleMs: number
  readonly #maximumMs: number
  readonly #onPassed: (which: 'idle' | 'ceiling') => void
  #startedAt = performance.now()
  #touchedAt = this.#startedAt
  #pausedAt: number | undefined
  #dueAt: number

  /** Both limits in milliseconds; `Infinity` is not a limit. */
  constructor(
    clock: DeadlineClock,
    limits: { readonly idleMs: number; readonly maximumMs: number },
    onPassed: (which: 'idle' | 'ceiling') => void,
  ) {
    this.#clock = clock
    this.#idleMs = limits.idleMs
    this.#maximumMs = limits.maximumMs
    this.#onPassed = onPassed
    this.#dueAt = this.#due()
    clock.add(this)
  }

  /** When it has to be looked at, in the time of `performance.now()`. */
  get dueAt(): number {
    return this.#dueAt
  }

  /** A sign of life came. */
  touch(): void {
    this.#touchedAt = performance.now()
  }

  pause(): void {
    this.#pausedAt ??= performance.now()
    this.#clock.remove(this)
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    const paused = performance.now() - this.#pausedAt
    this.#startedAt += paused
    this.#touchedAt += paused
    this.#pausedAt = undefined
    this.#dueAt = this.#due()
    this.#clock.add(this)
  }

  stop(): void {
    this.#clock.remove(this)
  }

  /** For the clock, once it is due: reports that it passed, or when it is due again. */
  check(now: number): void {
    this.#dueAt = this.#due()
    if (this.#dueAt > now) return
    this.#clock.remove(this)
    this.#onPassed(now - this.#startedAt >= this.#maximumMs ? 'ceiling' : 'idle')
  }

  #due(): number {
    return Math.min(this.#touchedAt + this.#idleMs, this.#startedAt + this.#maximumMs)
  }
}
