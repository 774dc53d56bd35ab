/** How many checks run at once, as in `patchbay check`. */
const AHEAD = 8

/**
 * Runs checks before their tests ask for them. Tests run one after another, and most checks wait for the server. A test
 * alone, as with `--grep` or in a retry, runs its own check and no other.
 */
export class ChecksAhead<Result> {
  readonly #ids: readonly string[]
  readonly #run: (id: string) => Promise<Result>
  readonly #running = new Map<string, Promise<Result>>()
  #last = Number.NaN

  /** @param ids in the order of their tests; a check that is not among them runs only when it is asked for */
  constructor(ids: readonly string[], run: (id: string) => Promise<Result>) {
    this.#ids = ids
    this.#run = run
  }

  /** Returns the result of a check, which is run again for the next test that asks for it. */
  take(id: string): Promise<Result> {
    const index = this.#ids.indexOf(id)
    const isNext = index !== -1 && index === this.#last + 1
    this.#last = index === -1 ? Number.NaN : index
    if (isNext) for (const next of this.#ids.slice(index, index + AHEAD)) void this.#start(next)
    const result = this.#start(id)
    this.#running.delete(id)
    return result
  }

  #start(id: string): Promise<Result> {
    const running = this.#running.get(id)
    if (running !== undefined) return running
    const started = this.#run(id)
    // Nobody may take it; who does receives the error.
    started.catch(() => undefined)
    this.#running.set(id, started)
    return started
  }
}
