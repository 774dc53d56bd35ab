/** Something under way that can be given up. */
interface Cancellable {
  cancel(): void
}

/** One request from its sending to its answer, over all the exchanges and waits that it takes; it can be abandoned. */
export class Flight {
  #isAbandoned = false
  #current: Cancellable | undefined

  // A method, as it changes while somebody waits.
  isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** From now on giving up the request means giving up this. */
  carriedBy(current: Cancellable): void {
    this.#current = current
    if (this.#isAbandoned) current.cancel()
  }

  abandon(): void {
    if (this.#isAbandoned) return
    this.#isAbandoned = true
    this.#current?.cancel()
  }

  /** Waits, in milliseconds; ends at once when the request is abandoned. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.carriedBy({
        cancel: () => {
          clearTimeout(timer)
          resolve()
        },
      })
    })
  }
}
