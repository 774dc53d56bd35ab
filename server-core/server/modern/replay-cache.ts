import type { Outcome } from './exchange.ts'

/** Milliseconds for which a retry that is repeated gets the same answer. */
const KEPT_MS = 60_000
/** Answers kept at most. */
const MOST = 1_024

/** The answer of a round; undefined once it is known that there is none (the round was cancelled). */
type Kept = { readonly outcome: Promise<Outcome | undefined>; readonly expires: NodeJS.Timeout | undefined }

/** Answers of retries, so that a repeated one (its answer was lost) does not run anything twice. */
export class ReplayCache {
  readonly #kept = new Map<string, Kept>()

  get(key: string): Promise<Outcome | undefined> | undefined {
    return this.#kept.get(key)?.outcome
  }

  /** Keeps the answer of a round that has begun; `keep` decides at its end whether repeats get it. */
  add(key: string, outcome: Promise<Outcome | undefined>, keep: (outcome: Outcome) => boolean): void {
    this.#kept.set(key, { outcome, expires: undefined })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST && oldest !== undefined) this.#forget(oldest)
    void outcome.then((settled) => {
      if (this.#kept.get(key)?.outcome !== outcome) return
      if (settled === undefined || !keep(settled)) {
        this.#forget(key)
        return
      }
      const expires = setTimeout(() => {
        this.#forget(key)
      }, KEPT_MS)
      expires.unref()
      this.#kept.set(key, { outcome, expires })
    })
  }

  close(): void {
    for (const key of [...this.#kept.keys()]) this.#forget(key)
  }

  #forget(key: string): void {
    clearTimeout(this.#kept.get(key)?.expires)
    this.#kept.delete(key)
  }
}
