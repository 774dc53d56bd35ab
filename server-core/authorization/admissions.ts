import { digestOf } from './digest.ts'

/** Tokens that are remembered at most; the oldest go first. */
const MOST = 1_024

type Decided<T> = { readonly until: number; readonly value: T }
/** `forgetAt` is on a clock that nobody sets: a decision does not last longer when the clock of the day is set back. */
type Kept<T> = Decided<T> & { readonly forgetAt: number }

/**
 * What was decided about tokens, for a short time: a token is checked once, not once per request, and requests that
 * bring it together wait for one check. Tokens themselves are not kept, only their digests.
 */
export class Admissions<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #pending = new Map<string, Promise<T>>()

  /**
   * What is known of the token, or what `decide` finds out: the value, and until when it may be kept (milliseconds
   * since 1970). Rejects with what `decide` rejects with.
   */
  get(token: string, decide: () => Promise<Decided<T>>): T | Promise<T> {
    const key = digestOf(token)
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      if (Date.now() < kept.until && performance.now() < kept.forgetAt) return kept.value
      this.#kept.delete(key)
    }
    const pending = this.#pending.get(key) ?? this.#decide(key, decide)
    return pending
  }

  async #decide(key: string, decide: () => Promise<Decided<T>>): Promise<T> {
    const value = decide().then((decided) => {
      if (Date.now() < decided.until) this.#keep(key, decided)
      return decided.value
    })
    this.#pending.set(key, value)
    try {
      return await value
    } finally {
      this.#pending.delete(key)
    }
  }

  #keep(key: string, decided: Decided<T>): void {
    this.#kept.set(key, { ...decided, forgetAt: performance.now() + decided.until - Date.now() })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest)
  }
}
