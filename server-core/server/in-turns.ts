/** So many are served in one turn of the event loop: what they are sent goes out while the others are served. */
const TOGETHER = 64

/** Serves the next one; false if there is none. */
type Job = () => boolean

/**
 * Does the same for many, some in each turn of the event loop, so that the first need not wait for the last. One
 * `each` is over before the next begins; few are served at once.
 */
export class InTurns {
  #jobs: Job[] = []

  each<T>(all: readonly T[], serve: (one: T) => void): void {
    const rest = all[Symbol.iterator]()
    this.#jobs.push(() => {
      const next = rest.next()
      if (next.done === true) return false
      serve(next.value)
      return true
    })
    if (this.#jobs.length === 1) this.#work(TOGETHER)
  }

  /** Serves at once all that still wait. */
  finish(): void {
    this.#serve(Infinity)
  }

  /** Lets those go that still wait. */
  stop(): void {
    this.#jobs = []
  }

  #work(count: number): void {
    if (this.#serve(count)) setImmediate(() => this.#work(TOGETHER))
  }

  /** Whether somebody still waits. */
  #serve(count: number): boolean {
    let left = count
    for (let job = this.#jobs[0]; job !== undefined; job = this.#jobs[0]) {
      if (left === 0) return true
      left -= 1
      if (!job() && this.#jobs[0] === job) this.#jobs.shift()
    }
    return false
  }
}
