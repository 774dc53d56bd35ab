import type { LiveChange, ScriptLogLine } from './live-state.ts'

/** Milliseconds in which changes are told together. */
const TELL_MS = 30

/** Tells listeners, after others of the same moment, what changed. */
export class ChangeTeller {
  readonly #listeners = new Set<(change: LiveChange) => void>()
  #pending: { lines: ScriptLogLine[]; timer: NodeJS.Timeout; isState: boolean } | undefined
  #closed = false

  /** Gives the function that ends it. */
  onChange(listener: (change: LiveChange) => void): () => void {
    const own = (change: LiveChange) => {
      listener(change)
    }
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Something changed; with a line of the log if that is it. */
  tell(line?: ScriptLogLine): void {
    if (this.#closed) return
    this.#pending ??= { lines: [], isState: false, timer: setTimeout(() => this.#flush(), TELL_MS) }
    if (line === undefined) this.#pending.isState = true
    else this.#pending.lines.push(line)
  }

  /** Nothing is told any more. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#pending?.timer)
    this.#listeners.clear()
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending === undefined) return
    const { lines, isState } = pending
    for (const listener of [...this.#listeners]) {
      if (isState) listener({ type: 'state' })
      if (lines.length > 0) listener({ type: 'log', lines })
    }
  }
}
