/** The listeners to one kind of event. A listener that is added twice is called twice. */
export class Emitter<Event = void> {
  readonly #listeners = new Set<(event: Event) => void>()

  /** Returns an unsubscribe function. */
  readonly listen = (listener: (event: Event) => void): (() => void) => {
    const own = (event: Event) => {
      listener(event)
    }
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Calls the present listeners; one that is added meanwhile receives the next event. */
  emit(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  /** How many listeners there are. */
  get size(): number {
    return this.#listeners.size
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear()
  }
}
