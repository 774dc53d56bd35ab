/** Milliseconds that sums of intervals may be wrong by. */
const ROUNDING_MS = 1e-6

/**
 * Lets through so many per second on average, and as many at once after a quiet second, one at least. Time is given in
 * milliseconds of any clock that does not go back.
 */
export class TokenBucket {
  readonly #intervalMs: number
  /** How much may be taken at once, as time. */
  readonly #burstMs: number
  /** When all that was taken is made up for. */
  #madeUpAt: number

  constructor(perSecond: number, now: number) {
    this.#intervalMs = 1_000 / perSecond
    this.#burstMs = Math.max(1_000, this.#intervalMs)
    this.#madeUpAt = now
  }

  /**
   * Takes `count` and gives 0, or takes none and gives the milliseconds until there are so many again: `Infinity` for
   * more than there ever are at once.
   */
  take(now: number, count = 1): number {
    const neededMs = count * this.#intervalMs
    if (neededMs > this.#burstMs + ROUNDING_MS) return Infinity
    const madeUpAt = Math.max(this.#madeUpAt, now) + neededMs
    const waitMs = madeUpAt - now - this.#burstMs
    if (waitMs > ROUNDING_MS) return Math.ceil(waitMs - ROUNDING_MS)
    this.#madeUpAt = madeUpAt
    return 0
  }

  /** Nothing was taken for so long that a new one would be the same. */
  isFull(now: number): boolean {
    return this.#madeUpAt <= now
  }
}
