import { Emitter } from '../protocol/emitter.ts'
import type { LiveChange, ScriptLogLine } from './live-state.ts'

/** Milliseconds in which changes are notified together. */
const NOTIFY_MS = 30

type Pending = {
  readonly lines: ScriptLogLine[]
  readonly called: Set<string>
  readonly timer: NodeJS.Timeout
  isState: boolean
}

/** Notifies listeners of a change, after others of the same moment. */
export class ChangeNotifier {
  readonly #changes = new Emitter<LiveChange>()
  #pending: Pending | undefined
  #closed = false

  /** Returns an unsubscribe function. */
  onChange(listener: (change: LiveChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  /** Something changed; with a line of the log if that is it. */
  notify(line?: ScriptLogLine): void {
    if (this.#closed) return
    const pending = this.#wait()
    if (line === undefined) pending.isState = true
    else pending.lines.push(line)
  }

  /** A call of an entry began or ended. */
  called(key: string): void {
    if (!this.#closed) this.#wait().called.add(key)
  }

  /** Stops notifying. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#pending?.timer)
    this.#changes.clear()
  }

  #wait(): Pending {
    return (this.#pending ??= {
      lines: [],
      called: new Set(),
      isState: false,
      timer: setTimeout(() => this.#flush(), NOTIFY_MS),
    })
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending === undefined) return
    const { lines, called, isState } = pending
    if (isState) this.#changes.emit({ type: 'state' })
    if (called.size > 0) this.#changes.emit({ type: 'calls', keys: [...called] })
    if (lines.length > 0) this.#changes.emit({ type: 'log', lines })
  }
}
