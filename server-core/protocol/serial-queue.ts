/** Runs one piece of work after another, in the order in which they were added. One that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  /** Runs the work when everything before it has ended. Returns or throws what the work does. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.then(ignore, ignore)
    return done
  }

  /** Resolves when everything that was added until now has ended. */
  idle(): Promise<void> {
    return this.#last
  }
}

function ignore(): void {}
