/** Events that are pushed by one side and read in order by another, once. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #waiting: Event[] = []
  #wake: () => void = () => undefined
  #isOver = false

  push(event: Event): void {
    this.#waiting.push(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#waiting.shift()
      if (event !== undefined) yield event
      else if (this.#isOver) return
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }
}
