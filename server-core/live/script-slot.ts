import path from 'node:path'
import { entryKey } from '../sources/compose.ts'
import type { JsonObject } from '../protocol/json.ts'
import { ScriptError } from '../scripts/script-error.ts'
import type { LoadedScript } from '../scripts/script-host.ts'
import { configurationChange } from './configuration-change.ts'
import { definitionsOf, sameDefinitions } from './definitions.ts'
import type { FileContent } from './file-content.ts'
import { importedFolders } from './imported-folders.ts'
import { KeptRevisions } from './kept-revisions.ts'
import type { LiveFault, ScriptState } from './live-state.ts'
import type { ScriptLog } from './script-log.ts'
import { kindOfScript, relativePath } from './script-files.ts'

/** All that a script was made of, as it was read, by absolute path. */
export type Contents = ReadonlyMap<string, FileContent>

/** The result of a script when it was loaded as it is now. */
export type Attempt = {
  readonly contents: Contents
  readonly result: LoadedScript | ScriptError
  /** Milliseconds. */
  readonly tookMs: number
}

/** What is different for clients, in words. */
const SEEN = {
  entries: 'list_changed sent',
  sources: 'sources composed again',
  server: 'visible to new clients',
  nothing: 'no visible change',
} as const

/** A script of the folder: its newest revision, and the last one that could be loaded. */
export class ScriptSlot {
  /** Relative to the workspace. */
  readonly file: string
  readonly kept = new KeptRevisions()
  readonly #log: ScriptLog
  #revision = 0
  #answering: number | undefined
  #loaded: LoadedScript | undefined
  #definitions: ReadonlyMap<string, JsonObject> = new Map()
  #state: ScriptState['state'] = 'loading'
  #error: LiveFault | undefined
  #at = Date.now()
  #contents: Contents = new Map()
  /** Since when its file is missing, by the monotonic clock. */
  missingSince: number | undefined
  /** How many tries in a row were given up because a file changed meanwhile. */
  unsure = 0

  constructor(file: string, log: ScriptLog) {
    this.file = file
    this.#log = log
  }

  get revision(): number {
    return this.#revision
  }

  /** The revision whose definitions are served; undefined before any could be loaded. */
  get answering(): number | undefined {
    return this.#answering
  }

  get loaded(): LoadedScript | undefined {
    return this.#loaded
  }

  get contents(): Contents {
    return this.#contents
  }

  /** Whether the newest revision could not be bundled. */
  get isUnbuilt(): boolean {
    return this.#error?.code === 'build'
  }

  /** How it stands; `folder` is the absolute one of the workspace. */
  stateIn(folder: string): ScriptState {
    const own = path.join(folder, this.file)
    const kind = kindOfScript(this.file)
    const isUnknown = this.#answering === undefined && kind !== undefined
    return {
      file: this.file,
      revision: this.#revision,
      state: this.#state,
      at: this.#at,
      // A script that never loaded is listed as what its folder says it is.
      entries: isUnknown ? [entryKey(kind, baseName(this.file))] : [...this.#definitions.keys()],
      imports: [...this.#contents.keys()]
        .filter((each) => each !== own)
        .map((each) => relativePath(folder, each)),
      ...(this.#answering !== undefined && { answering: this.#answering }),
      ...(this.#error !== undefined && { error: this.#error }),
    }
  }

  /** It was switched off after crashes, or runs again. */
  stopped(reason: string | undefined): void {
    if (reason !== undefined) {
      this.#state = 'stopped'
      this.#error = { code: 'stopped', message: reason }
    } else if (this.#state === 'stopped') {
      this.#state = 'loaded'
      this.#error = undefined
    }
  }

  /** Makes a revision of what was tried, if it is another one; returns what takes the place of what answered before. */
  take({ contents, result, tookMs }: Attempt): LoadedScript | undefined {
    const isSame = this.#revision > 0 && sameContents(this.#contents, contents)
    if (result instanceof ScriptError) {
      this.#takeError(faultOf(result), contents, isSame)
      return undefined
    }
    if (isSame && this.#loaded === result && this.#error === undefined) return undefined
    this.#begin(contents)
    const definitions = definitionsOf(result.view)
    const change = sameDefinitions(this.#definitions, definitions)
      ? configurationChange(this.#loaded?.config, result.config)
      : 'entries'
    this.#state = 'loaded'
    this.#error = undefined
    this.#definitions = definitions
    this.#answering = this.#revision
    this.#keep({ definitions, changedWhatClientsSee: change !== 'nothing' })
    this.#writeLog('info', `loaded in ${Math.round(tookMs)} ms; ${SEEN[change]}`)
    if (this.#loaded === result) return undefined
    this.#loaded = result
    return result
  }

  /** Its files were removed. */
  removed(): void {
    this.#writeLog('info', 'removed with its entries')
  }

  /** Where changes may come from that the folders of scripts do not show; absolute, in the workspace `folder` or not. */
  importedFrom(folder: string): ReadonlySet<string> {
    const own = path.join(folder, this.file)
    const folders = new Set<string>()
    for (const [each, { text }] of this.#contents) {
      if (each !== own) folders.add(path.dirname(each))
      if (this.isUnbuilt) for (const imported of importedFolders(each, text ?? '')) folders.add(imported)
    }
    return folders
  }

  #takeError(error: LiveFault, contents: Contents, isSame: boolean): void {
    // It went while it was looked at: if it stays away, it is taken away.
    if (error.code === 'missing' && [...contents.values()][0]?.hash === 'missing') return
    if (isSame && JSON.stringify(this.#error) === JSON.stringify(error)) return
    this.#begin(contents)
    this.#state = 'broken'
    this.#error = error
    this.#keep({ error, definitions: new Map(), changedWhatClientsSee: false })
    this.#writeLog('error', error.message, error.at)
    if (this.#answering === undefined) return
    this.#writeLog('info', `kept: revision ${this.#answering} answers until a later one loads`)
  }

  #begin(contents: Contents): void {
    this.#revision += 1
    this.#at = Date.now()
    this.#contents = contents
  }

  #keep(more: {
    readonly error?: LiveFault
    readonly definitions: ReadonlyMap<string, JsonObject>
    readonly changedWhatClientsSee: boolean
  }): void {
    const sources = new Map([...this.#contents].map(([file, { text }]) => [file, text]))
    this.kept.add({ revision: this.#revision, at: this.#at, sources, ...more }, this.#answering)
  }

  #writeLog(kind: 'info' | 'error', text: string, place?: LiveFault['at']): void {
    const { file, revision } = this
    this.#log.write({ file, revision, kind, text, isLoading: true, ...(place !== undefined && { place }) })
  }
}

function sameContents(one: Contents, other: Contents): boolean {
  return one.size === other.size && [...one].every(([file, { hash }]) => other.get(file)?.hash === hash)
}

function faultOf({ code, message, at }: ScriptError): LiveFault {
  return { code, message, ...(at !== undefined && { at: { ...at, text: at.text ?? '' } }) }
}

function baseName(file: string): string {
  return path.posix.basename(file).replace(/\.\w+$/, '')
}
