import type { FaultPlace, ScriptLogLine, ScriptState } from '../live/live-state.ts'
import { placedWords } from './placed-words.ts'
import type { ServeLog } from './serve-log.ts'

type Failed = Pick<ScriptLogLine, 'file' | 'revision' | 'text' | 'place'>

/** What scripts print and what becomes of them goes where the rest of the log goes. */
export class ScriptLines {
  readonly #log: Pick<ServeLog, 'error' | 'info' | 'debug'>
  /** The newest error of each file that says where in it something was thrown. */
  readonly #thrown = new Map<string, string>()
  /** The revisions that were told to be broken at the start. */
  readonly #broken = new Set<string>()

  constructor(log: Pick<ServeLog, 'error' | 'info' | 'debug'>) {
    this.#log = log
  }

  /** Tells which scripts cannot be loaded as the workspace is opened. */
  begin(scripts: readonly ScriptState[]): void {
    const failed = scripts.flatMap(({ state, file, revision, error }) => {
      if (state !== 'broken' || error === undefined) return []
      this.#broken.add(`${file} ${revision}`)
      return [{ file, revision, text: error.message, ...(error.at && { place: error.at }) }]
    })
    this.#fail(failed)
  }

  /** Tells lines that came together. */
  tell(lines: readonly ScriptLogLine[]): void {
    let failed: Failed[] = []
    for (const line of lines) {
      if (line.kind === 'error' && line.place !== undefined) {
        if (!this.#broken.delete(`${line.file} ${line.revision}`)) failed.push(line)
        continue
      }
      this.#fail(failed)
      failed = []
      this.#one(line)
    }
    this.#fail(failed)
  }

  #one({ file, revision, kind, text, callId }: ScriptLogLine): void {
    if (kind === 'error' && this.#broken.delete(`${file} ${revision}`)) return
    const words = file === '' ? `scripts: ${text}` : placedWords({ file, revision, message: text })
    // A call fails with what its handler threw, which was told with its place.
    const isTold = callId !== undefined && text.startsWith(`${this.#thrown.get(file) ?? text} (`)
    if (kind === 'call' || kind === 'done' || isTold) this.#log.debug(words)
    else if (kind === 'error') this.#log.error(words)
    else this.#log.info(words)
  }

  /** What several fail for, such as the configuration, is told once, with their names. */
  #fail(failed: readonly Failed[]): void {
    const groups = new Map<string, Failed[]>()
    for (const each of failed) {
      const reason = each.place === undefined ? each.file : `${wordsOf(each.place)} ${each.text}`
      groups.set(reason, [...(groups.get(reason) ?? []), each])
    }
    for (const group of groups.values()) {
      const first = group.find(({ file, place }) => place === undefined || place.file === file) ?? group[0]
      if (first === undefined) continue
      const { file, revision, text, place } = first
      if (place !== undefined) this.#thrown.set(file, text)
      const words = placedWords({ file, revision, message: text, ...(place && { at: place }) })
      const others = [...new Set(group.map((each) => each.file))].filter((each) => each !== file)
      this.#log.error(others.length === 0 ? words : `${words} (${others.join(', ')} cannot be used for it)`)
    }
  }
}

function wordsOf({ file, line, column }: FaultPlace): string {
  return `${file}:${line}:${column}`
}
