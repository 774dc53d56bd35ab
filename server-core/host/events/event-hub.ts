import type { Batch } from '../contract/events.ts'
import type { HostChange, PresentState } from './host-change.ts'
import { Watch } from './watch.ts'

/** Where the parts of the host say what changed, and pages learn of it. */
export class EventHub {
  readonly #watches = new Map<string, Watch>()
  #present: PresentState | undefined

  /** Sets the source of the present state. Call it once, before the first watch. */
  connect(present: PresentState): void {
    this.#present = present
  }

  publish(change: HostChange): void {
    for (const watch of this.#watches.values()) watch.publish(change)
  }

  /** Batches for one page until the signal aborts. A new watch of the same name takes the place of an old one. */
  async *watch(stream: string, signal: AbortSignal | undefined): AsyncGenerator<Batch, void, void> {
    const watch = new Watch(() => this.#state())
    this.#watches.get(stream)?.end()
    this.#watches.set(stream, watch)
    try {
      yield* watch.batches(signal)
    } finally {
      if (this.#watches.get(stream) === watch) this.#watches.delete(stream)
    }
  }

  acknowledge(stream: string, seq: number): boolean {
    return this.#watches.get(stream)?.acknowledge(seq) ?? false
  }

  /** How many pages are watching. */
  get watches(): number {
    return this.#watches.size
  }

  /** Ends all watches. */
  close(): void {
    for (const watch of this.#watches.values()) watch.end()
  }

  #state(): PresentState {
    if (this.#present === undefined) throw new Error('the event hub has no state to read yet')
    return this.#present
  }
}
