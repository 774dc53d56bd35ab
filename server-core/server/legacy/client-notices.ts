/** Notifications of a session's client that what handlers ask for has changed, for those that wait for one. */
export class ClientNotices {
  #count = 0
  /** The count at the last one of each method. */
  #last: Map<string, number> | undefined
  #waiting: Set<() => void> | undefined

  /** How many there were, of every method. */
  get count(): number {
    return this.#count
  }

  onNotification(method: string): void {
    this.#count += 1
    this.#last ??= new Map()
    this.#last.set(method, this.#count)
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const resolve of waiting ?? []) resolve()
  }

  /** Resolves once one of `method` came after the first `seen`; rejects with the signal's reason when it is aborted. */
  async after(method: string, seen: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while ((this.#last?.get(method) ?? 0) <= seen) await this.#next(signal)
  }

  async #next(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = (this.#waiting ??= new Set())
    const stop = () => {
      resolve()
    }
    waiting.add(stop)
    signal.addEventListener('abort', stop, { once: true })
    await promise
    signal.removeEventListener('abort', stop)
    waiting.delete(stop)
    signal.throwIfAborted()
  }
}
