import type { FaultPlace, ScriptLogLine, ScriptState } from '../../../live/live-state.ts'
import { locatedMessage } from './located-message.ts'
import type { ServeLog } from '../serve-log.ts'

type Failed = Pick<ScriptLogLine, 'file' | 'revision' | 'text' | 'place'>

/** Errors of handlers whose calls have not ended, at most; others are printed twice. */
const MOST_THROWN = 100

/** What scripts print and what becomes of them goes where the rest of the log goes. */
export class ScriptOutput {
  readonly #log: Pick<ServeLog, 'error' | 'info' | 'debug'>
  /** How often each error was printed with its place, of those that end a call. */
  readonly #thrown = new Map<string, number>()
  /** Up to which line the scripts that cannot be loaded were printed. */
  #begunAt = 0

  constructor(log: Pick<ServeLog, 'error' | 'info' | 'debug'>) {
    this.#log = log
  }

  /** Returns which scripts cannot be loaded as the workspace is opened; `logged`: the lines that say so too. */
  begin(scripts: readonly ScriptState[], logged: readonly Pick<ScriptLogLine, 'id'>[]): void {
    this.#begunAt = Math.max(0, ...logged.map(({ id }) => id))
    this.#unloaded(
      scripts.flatMap(({ state, file, revision, error }) =>
        state === 'broken' && error !== undefined
          ? [{ file, revision, text: error.message, ...(error.at && { place: error.at }) }]
          : [],
      ),
    )
  }

  /** Prints lines that came together. */
  writeStderr(lines: readonly ScriptLogLine[]): void {
    let unloaded: Failed[] = []
    for (const line of lines) {
      if (line.isLoading === true && line.kind === 'error') {
        if (line.id > this.#begunAt) unloaded.push(line)
        continue
      }
      this.#unloaded(unloaded)
      unloaded = []
      this.#one(line)
    }
    this.#unloaded(unloaded)
  }

  #one({ file, revision, kind, text, place, callId }: ScriptLogLine): void {
    const words =
      file === ''
        ? `scripts: ${text}`
        : locatedMessage({ file, revision, message: text, ...(place && { at: place }) })
    if (kind === 'call' || kind === 'done') this.#log.debug(words)
    else if (kind !== 'error') this.#log.info(words)
    else if (callId !== undefined && this.#wasThrown(file, text)) this.#log.debug(words)
    else {
      if (place !== undefined) this.#recordThrown(`${file} ${text}`)
      this.#log.error(words)
    }
  }

  #recordThrown(error: string): void {
    const [oldest] = this.#thrown.keys()
    if (oldest !== undefined && this.#thrown.size >= MOST_THROWN) this.#thrown.delete(oldest)
    this.#thrown.set(error, (this.#thrown.get(error) ?? 0) + 1)
  }

  /** Whether a call ended with what its handler threw, which was printed with its place. */
  #wasThrown(file: string, text: string): boolean {
    const error = `${file} ${text.replace(/ \(after [^()]*\)$/, '')}`
    const times = this.#thrown.get(error) ?? 0
    if (times > 1) this.#thrown.set(error, times - 1)
    else this.#thrown.delete(error)
    return times > 0
  }

  /** A reason that several scripts cannot be loaded for, such as the configuration, is printed once, with their names. */
  #unloaded(failed: readonly Failed[]): void {
    const groups = new Map<string, Failed[]>()
    for (const each of failed) {
      const { file, revision, text, place } = each
      const reason = place === undefined ? `${file} ${revision}` : `${placeWords(place)} ${text}`
      groups.set(reason, [...(groups.get(reason) ?? []), each])
    }
    for (const group of groups.values()) {
      const first = group.find(({ file, place }) => place === undefined || place.file === file) ?? group[0]
      if (first === undefined) continue
      const { file, revision, text, place } = first
      const words = locatedMessage({ file, revision, message: text, ...(place && { at: place }) })
      const others = [...new Set(group.map((each) => each.file))].filter((each) => each !== file)
      this.#log.error(others.length === 0 ? words : `${words} (${others.join(', ')} cannot be loaded for it)`)
    }
  }
}

function placeWords({ file, line, column }: FaultPlace): string {
  return `${file}:${line}:${column}`
}
