import type { ScriptLogLine } from '../live/live-state.ts'
import { placedWords } from './placed-words.ts'
import type { ServeLog } from './serve-log.ts'

/** What scripts print and what becomes of them goes where the rest of the log goes. */
export class ScriptLines {
  readonly #log: Pick<ServeLog, 'error' | 'info' | 'debug'>
  /** The newest error of each file that says where in it something was thrown. */
  readonly #thrown = new Map<string, string>()

  constructor(log: Pick<ServeLog, 'error' | 'info' | 'debug'>) {
    this.#log = log
  }

  tell({ file, revision, kind, text, place, callId }: ScriptLogLine): void {
    const words =
      file === ''
        ? `scripts: ${text}`
        : placedWords({ file, revision, message: text, ...(place && { at: place }) })
    if (kind === 'error' && place !== undefined) this.#thrown.set(file, text)
    // A call fails with what its handler threw, which was told with its place.
    const isTold = callId !== undefined && text.startsWith(`${this.#thrown.get(file) ?? text} (`)
    if (kind === 'call' || kind === 'done' || isTold) this.#log.debug(words)
    else if (kind === 'error') this.#log.error(words)
    else this.#log.info(words)
  }
}
