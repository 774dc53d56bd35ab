/** Counts the crashes of each script, and says which are switched off. */
export class CrashCounter {
  readonly #most: number
  readonly #withinMs: number
  readonly #crashes = new Map<string, number[]>()
  readonly #off = new Map<string, string>()

  /** `most` crashes within `withinMs` milliseconds switch a script off. */
  constructor(most: number, withinMs: number) {
    this.#most = most
    this.#withinMs = withinMs
  }

  /** Notes a crash at a time in milliseconds; gives why the script is switched off by it, if it is. */
  crashed(file: string, reason: string, now: number): string | undefined {
    if (this.#off.has(file)) return undefined
    const recent = (this.#crashes.get(file) ?? []).filter((at) => now - at < this.#withinMs)
    recent.push(now)
    this.#crashes.set(file, recent)
    if (recent.length < this.#most) return undefined
    const why = `it ended ${recent.length} times within ${this.#withinMs / 60_000} minutes when it should not have; the last time it ${reason}`
    this.#off.set(file, why)
    return why
  }

  /** Why a script is switched off; undefined if it is not. */
  whyOff(file: string): string | undefined {
    return this.#off.get(file)
  }

  /** Forgets its crashes. True if it was switched off. */
  forgive(file: string): boolean {
    this.#crashes.delete(file)
    return this.#off.delete(file)
  }
}
