import type { RunEvent } from '../../conformance/run/run-options.ts'
import { visibleLine } from '../../protocol/visible-text.ts'

/** Milliseconds between two drawings, so that a fast run is not slowed by its terminal. */
const PAUSE_MS = 80

/** A line on a terminal that follows a run. Writes nothing where the stream is not a terminal. */
export class ProgressLine {
  readonly #stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>
  readonly #now: () => number
  #total = 0
  #done = 0
  #failed = 0
  #warned = 0
  #drawnAt = -Infinity
  #isDrawn = false

  constructor(
    stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>,
    now: () => number = () => performance.now(),
  ) {
    this.#stream = stream
    this.#now = now
  }

  /** Draws what a run is about before it has begun. */
  begin(text: string): void {
    this.#draw(text)
  }

  /** Follows one event. */
  follow(event: RunEvent): void {
    if (event.type === 'discovered') this.#total = event.total
    if (event.type === 'finished') {
      this.#done += 1
      const { verdict } = event.result
      if (verdict === 'failed' || verdict === 'broken' || verdict === 'flaky') this.#failed += 1
      if (verdict === 'warned') this.#warned += 1
    }
    if (event.type === 'ended' || this.#now() - this.#drawnAt < PAUSE_MS) return
    this.#drawnAt = this.#now()
    const counts = `${this.#done}/${this.#total} checks, ${this.#failed} failed, ${this.#warned} warnings`
    this.#draw(event.type === 'started' ? `${counts}  ${event.cell.revision} ${event.id}` : counts)
  }

  /** Removes the line. */
  end(): void {
    if (!this.#isDrawn) return
    this.#stream.write('\r\u001B[K')
    this.#isDrawn = false
  }

  #draw(text: string): void {
    if (!this.#stream.isTTY) return
    this.#isDrawn = true
    this.#stream.write(`\r\u001B[K${visibleLine(text, Math.max(20, this.#stream.columns - 1))}`)
  }
}
