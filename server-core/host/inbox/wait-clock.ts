/** Measures how long something was open: the time in which at least one was, however many overlapped. */
export class WaitClock {
  #open = 0
  #since = 0
  #elapsedMs = 0

  /** Starts the clock. Returns the function that stops it, unless something else is still open. */
  start(): () => void {
    if (this.#open === 0) this.#since = performance.now()
    this.#open += 1
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#open -= 1
      if (this.#open === 0) this.#elapsedMs += performance.now() - this.#since
    }
  }

  /** Milliseconds so far. */
  get elapsedMs(): number {
    return this.#elapsedMs + (this.#open === 0 ? 0 : performance.now() - this.#since)
  }
}

/** Measures how long the calls of a server wait for answers to its questions. */
export class CallWaits {
  readonly #clocks = new Set<WaitClock>()

  /**
   * Starts the clocks of all calls that are running: the question may be about any of them, and about no later one.
   *
   * @returns the function to call when the question is closed
   */
  asked(): () => void {
    const stops = Array.from(this.#clocks, (clock) => clock.start())
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Starts to measure for a call; `close` ends it. */
  measure(): CallWait {
    const clock = new WaitClock()
    this.#clocks.add(clock)
    return {
      elapsedMs: () => clock.elapsedMs,
      close: () => {
        this.#clocks.delete(clock)
      },
    }
  }
}

/** How long one call has waited for answers. */
export type CallWait = {
  /** Milliseconds in which at least one question was open that was asked during the call. */
  readonly elapsedMs: () => number
  readonly close: () => void
}
