/** Runs jobs with a limit on how many run at once. */
export class WorkPool {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running += 1
    try {
      return await job()
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }
}
