/**
 * Lets a flood of equal events through at most once per interval: the first call of a quiet time waits `intervalMs`,
 * and what comes meanwhile is that same call.
 */
export class Throttle<Key> {
  readonly #intervalMs: number
  readonly #deliver: (key: Key) => void
  readonly #timers = new Map<Key, NodeJS.Timeout>()

  constructor(intervalMs: number, deliver: (key: Key) => void) {
    this.#intervalMs = intervalMs
    this.#deliver = deliver
  }

  push(key: Key): void {
    if (this.#timers.has(key)) return
    const timer = setTimeout(() => {
      this.#timers.delete(key)
      this.#deliver(key)
    }, this.#intervalMs)
    this.#timers.set(key, timer)
  }

  /** Forgets what waits. */
  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
