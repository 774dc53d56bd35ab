/** Measures a handler's own time against a limit; while it waits for the client the clock stands. */
export class HandlerClock {
  #left: number
  #since = 0
  #waits = 0
  #timer: NodeJS.Timeout | undefined
  readonly #expired: () => void

  /** Starts at once. `expired` is called when `limitMs` milliseconds of own time have passed. */
  constructor(limitMs: number, expired: () => void) {
    this.#left = limitMs
    this.#expired = expired
    this.#start()
  }

  pause(): void {
    this.#waits += 1
    if (this.#waits > 1) return
    clearTimeout(this.#timer)
    this.#left -= performance.now() - this.#since
  }

  resume(): void {
    this.#waits -= 1
    if (this.#waits === 0) this.#start()
  }

  stop(): void {
    this.#waits = Infinity
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#expired, Math.max(0, this.#left))
  }
}
