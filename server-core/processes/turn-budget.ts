/** Milliseconds that the data of one connection may take before everything else in the process gets its turn. */
const TURN_MS = 4

/** What delivers data and can stop doing so for a moment. */
export type PausableSource = {
  pause(): unknown
  resume(): unknown
}

/**
 * Limits how long the data of one connection occupies the event loop. libuv reads a busy pipe or socket up to 32 times
 * before it returns to its loop; with 64 KiB and hundreds of messages each time, timers and other connections would
 * wait for a tenth of a second.
 */
export class TurnBudget {
  readonly #source: PausableSource
  #startedAt: number | undefined
  #isPaused = false

  constructor(source: PausableSource) {
    this.#source = source
  }

  /** Processes a piece of data. The source is paused until the next turn once this turn's time is used up. */
  spend(process: () => void): void {
    if (this.#startedAt === undefined) {
      // Not `performance`: the first use of it loads a module of Node, which a short command does not need.
      this.#startedAt = Date.now()
      setImmediate(this.#endTurn)
    }
    process()
    if (this.#isPaused || Date.now() - this.#startedAt < TURN_MS) return
    this.#isPaused = true
    this.#source.pause()
  }

  readonly #endTurn = (): void => {
    this.#startedAt = undefined
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#source.resume()
  }
}
