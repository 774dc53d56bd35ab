/** What waits to be taken by a stream to a page: given one by one, taken all together. */
export class PageQueue<Item> {
  #items: Item[] = []
  #wake = Promise.withResolvers<void>()
  #isOver = false

  push(item: Item): void {
    if (this.#isOver) return
    this.#items.push(item)
    this.#wake.resolve()
  }

  /** What waits is still taken; nothing comes after it. */
  end(): void {
    this.#isOver = true
    this.#wake.resolve()
  }

  /** What waits, whenever something does, until `end` or the signal. */
  async *taken(signal: AbortSignal | undefined): AsyncGenerator<readonly Item[], void, void> {
    const end = (): void => this.end()
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) this.end()
    try {
      for (;;) {
        if (this.#items.length > 0 && signal?.aborted !== true) {
          const items = this.#items
          this.#items = []
          yield items
        } else if (this.#isOver) return
        else {
          await this.#wake.promise
          this.#wake = Promise.withResolvers()
        }
      }
    } finally {
      signal?.removeEventListener('abort', end)
    }
  }
}
