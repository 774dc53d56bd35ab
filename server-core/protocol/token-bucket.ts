/** Milliseconds that sums of intervals may be wrong by. */
const ROUNDING_MS = 1e-6

/**
 * Lets through so many per second on average, and as many at once after a quiet second. Time is given in milliseconds
 * of any clock that does not go back.
 */
export class TokenBucket {
  readonly #intervalMs: number
  /** When all that was taken is made up for. */
  #madeUpAt: number

  constructor(perSecond: number, now: number) {
    this.#intervalMs = 1_000 / perSecond
    this.#madeUpAt = now
  }

  /** Takes one and gives 0, or takes none and gives the milliseconds until there is one again. */
  take(now: number): number {
    const madeUpAt = Math.max(this.#madeUpAt, now) + this.#intervalMs
    const waitMs = madeUpAt - now - 1_000
    if (waitMs > ROUNDING_MS) return Math.ceil(waitMs - ROUNDING_MS)
    this.#madeUpAt = madeUpAt
    return 0
  }

  /** Nothing was taken for so long that a new one would be the same. */
  isFull(now: number): boolean {
    return this.#madeUpAt <= now
  }
}
