import path from 'node:path'
import { entryKey } from '../composition/compose.ts'
import type { JsonObject } from '../protocol/json.ts'
import { isConfigFile } from '../scripts/config-files.ts'
import { ScriptError } from '../scripts/script-error.ts'
import type { LoadedScript, ScriptHost } from '../scripts/script-host.ts'
import { definitionsOf, sameDefinitions } from './definitions.ts'
import { FileContents, fileStamp, type FileContent } from './file-content.ts'
import { importedFolders } from './imported-folders.ts'
import { KeptRevisions } from './kept-revisions.ts'
import type { LiveFault, ScriptState } from './live-state.ts'
import type { ScriptLog } from './script-log.ts'
import { isScriptPath, kindOfScript, listScripts, relativePath } from './script-files.ts'

/** What became of the scripts in one look at the folder. */
export type ShelfChange = {
  /** Scripts that another revision answers for now. */
  readonly placed: readonly { readonly file: string; readonly loaded: LoadedScript }[]
  readonly removed: readonly string[]
}

export type ScriptShelfOptions = {
  /** Absolute. */
  readonly folder: string
  readonly host: ScriptHost
  readonly log: ScriptLog
  /** Takes what changed, all at once; what is no longer in it is let go of afterwards. */
  readonly onChange: (change: ShelfChange) => void
  /** Scripts import from these folders, absolute. */
  readonly onFolders: (folders: ReadonlySet<string>) => Promise<void>
}

/** Milliseconds of quiet after which a change is looked at; an editor writes in more than one step. */
const QUIET_MS = 15
/** Milliseconds after which it is looked at, however much goes on. */
const LONGEST_MS = 120
/** So many paths at once are no editor: a branch is switched, and that takes its time. */
const MANY = 8
const QUIET_OF_MANY_MS = 60
const LONGEST_OF_MANY_MS = 1_500
/** Milliseconds that a file may be gone and come back, as files do while a branch is switched. */
const MISSING_MS = 100
/** Tries that are given up in a row because a file changed meanwhile. */
const UNSURE = 3
/** Scripts that are loaded at the same time: many are bundled in one pass. */
const AT_ONCE = 100
/** Revisions that are known by the number of the host after they were let go. */
const PAST = 1_000

type Held = {
  readonly file: string
  readonly kept: KeptRevisions
  revision: number
  answering: number | undefined
  loaded: LoadedScript | undefined
  definitions: ReadonlyMap<string, JsonObject>
  state: ScriptState['state']
  error: LiveFault | undefined
  at: number
  /** All that the newest try was made of, as it was. */
  contents: ReadonlyMap<string, FileContent>
  missingSince: number | undefined
  /** How many tries in a row were given up because a file changed meanwhile. */
  unsure: number
}

type Tried = {
  readonly held: Held
  readonly contents: ReadonlyMap<string, FileContent>
  /** Those of its files that were read after they were bundled. */
  readonly readLate: readonly string[]
  readonly result: LoadedScript | ScriptError
  readonly tookMs: number
}

/**
 * The scripts of a folder, each in its last revision that could be loaded. What was said to have changed is looked at
 * when it is quiet, by content: what is the same costs nothing, and all that changed together takes effect together.
 */
export class ScriptShelf {
  readonly #options: ScriptShelfOptions
  readonly #held = new Map<string, Held>()
  readonly #revisions = new Map<number, { readonly file: string; readonly revision: number }>()
  readonly #past: number[] = []
  #dirty = new Set<string>()
  #forced = new Set<string>()
  #config: string | undefined
  #timer: NodeJS.Timeout | undefined
  #firstDirtyAt: number | undefined
  #looking = false
  #idle: PromiseWithResolvers<undefined> | undefined
  #closed = false

  constructor(options: ScriptShelfOptions) {
    this.#options = options
  }

  /** These paths, absolute, may have changed; a folder stands for the files in it, that of the workspace for all. */
  changed(paths: Iterable<string>): void {
    for (const file of paths) this.#dirty.add(file)
    this.#schedule()
  }

  /** Looks at everything, and resolves when there is nothing more to look at. */
  async settled(): Promise<void> {
    this.changed([this.#options.folder])
    await (this.#idle ??= Promise.withResolvers<undefined>()).promise
  }

  states(): readonly ScriptState[] {
    return [...this.#held.values()].map((held) => this.#stateOf(held))
  }

  /** What is kept of a script; undefined if there is no such script. */
  kept(
    file: string,
  ): { readonly revisions: KeptRevisions; readonly answering: number | undefined } | undefined {
    const held = this.#held.get(file)
    return held === undefined ? undefined : { revisions: held.kept, answering: held.answering }
  }

  /** The script and the number of its revision, by the number that the host gave. */
  revisionOf(hostRevision: number): { readonly file: string; readonly revision: number } | undefined {
    return this.#revisions.get(hostRevision)
  }

  /** A script was switched off after crashes, or runs again. */
  stopped(file: string, reason: string | undefined): void {
    const held = this.#held.get(file)
    if (held === undefined) return
    if (reason !== undefined) {
      held.state = 'stopped'
      held.error = { code: 'stopped', message: reason }
    } else if (held.state === 'stopped') {
      held.state = 'loaded'
      held.error = undefined
    }
  }

  /** Nothing is looked at any more. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#idle?.resolve(undefined)
  }

  #stateOf(held: Held): ScriptState {
    const { file, revision, answering, state, error, at, definitions, contents } = held
    const { folder } = this.#options
    const own = path.join(folder, file)
    const keys = [...definitions.keys()]
    const kind = kindOfScript(file)
    // A script that never loaded is listed as what its folder says it is.
    const entries = answering === undefined && kind !== undefined ? [entryKey(kind, baseName(file))] : keys
    return {
      file,
      revision,
      state,
      at,
      entries,
      imports: [...contents.keys()].filter((each) => each !== own).map((each) => relativePath(folder, each)),
      ...(answering !== undefined && { answering }),
      ...(error !== undefined && { error }),
    }
  }

  #schedule(atLeast = 0): void {
    if (this.#looking || this.#closed) return
    const now = performance.now()
    const isMany = this.#dirty.size > MANY
    const delay = Math.max(atLeast, isMany ? QUIET_OF_MANY_MS : QUIET_MS)
    const longest = isMany ? LONGEST_OF_MANY_MS : LONGEST_MS
    this.#firstDirtyAt ??= now
    clearTimeout(this.#timer)
    const wait = Math.max(0, Math.min(delay, this.#firstDirtyAt + longest - now))
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#firstDirtyAt = undefined
      void this.#look()
    }, wait)
  }

  async #look(): Promise<void> {
    const dirty = this.#dirty
    const forced = this.#forced
    this.#dirty = new Set()
    this.#forced = new Set()
    this.#looking = true
    let waits = false
    try {
      waits = await this.#lookAt(dirty, forced)
    } catch (error) {
      // The folder cannot be read just now; the next change brings us back.
      const message = error instanceof Error ? error.message : String(error)
      this.#options.log.write({ file: '', revision: 0, kind: 'error', text: message })
    }
    this.#looking = false
    if (this.#closed) return
    if (this.#dirty.size > 0 || this.#forced.size > 0) this.#schedule()
    else if (waits) this.#schedule(MISSING_MS)
    else {
      this.#idle?.resolve(undefined)
      this.#idle = undefined
    }
  }

  /** Gives whether something may have to be looked at again, though nothing changes. */
  async #lookAt(dirty: ReadonlySet<string>, forced: ReadonlySet<string>): Promise<boolean> {
    const { folder, onChange, onFolders } = this.#options
    const contents = new FileContents()
    const present = await listScripts(folder)
    const config = present.find(isConfigFile)
    if (config === undefined && this.#isConfigAway()) {
      for (const each of dirty) this.#dirty.add(each)
      for (const each of forced) this.#forced.add(each)
      return true
    }
    const { removed, waits } = this.#missing(new Set(present))
    // It is part of every bundle, and of none before it is there.
    const isOtherConfig = this.#held.size > 0 && config !== this.#config
    this.#config = config
    const looked = await inTurns(present, AT_ONCE, async (file) => {
      const held = this.#held.get(file)
      if (held === undefined) return this.#add(file)
      const isWanted = isOtherConfig || forced.has(file) || (await this.#isOther(held, dirty, contents))
      return isWanted ? held : undefined
    })
    const wanted = looked.filter((held) => held !== undefined)
    const attempts = await inTurns(wanted, AT_ONCE, (held) =>
      this.#try(held, forced.has(held.file) ? undefined : dirty, contents),
    )
    const tried = attempts.filter((each) => each !== undefined)
    const before = tried.map(({ held }) => held.loaded)
    const placed = tried.flatMap((each) => this.#take(each))
    if (this.#closed) return false
    if (placed.length > 0 || removed.length > 0 || tried.length > 0) {
      onChange({ placed, removed: removed.map(({ file }) => file) })
    }
    this.#letGo([...before, ...removed.map(({ loaded }) => loaded)])
    this.#forceMissed(tried)
    if (tried.length > 0) await onFolders(this.#folders())
    return waits
  }

  #add(file: string): Held {
    const held: Held = {
      file,
      kept: new KeptRevisions(),
      revision: 0,
      answering: undefined,
      loaded: undefined,
      definitions: new Map(),
      state: 'loading',
      error: undefined,
      at: Date.now(),
      contents: new Map(),
      missingSince: undefined,
      unsure: 0,
    }
    this.#held.set(file, held)
    return held
  }

  /** The configuration may come back in a moment, and what was loaded meanwhile would miss its guards. */
  #isConfigAway(): boolean {
    const held = this.#config === undefined ? undefined : this.#held.get(this.#config)
    if (held === undefined) return false
    const now = performance.now()
    return now - (held.missingSince ??= now) < MISSING_MS
  }

  /** Takes away what has been gone for long enough. */
  #missing(present: ReadonlySet<string>): { readonly removed: readonly Held[]; readonly waits: boolean } {
    const removed: Held[] = []
    let waits = false
    const now = performance.now()
    for (const held of this.#held.values()) {
      if (present.has(held.file)) held.missingSince = undefined
      else if (now - (held.missingSince ??= now) < MISSING_MS) waits = true
      else removed.push(held)
    }
    for (const { file, revision } of removed) {
      this.#held.delete(file)
      this.#options.log.write({ file, revision, kind: 'info', text: 'removed: its entries are gone' })
    }
    return { removed, waits }
  }

  /** Whether one of its files is not what the newest try was made of. */
  async #isOther(held: Held, dirty: ReadonlySet<string>, contents: FileContents): Promise<boolean> {
    const { folder } = this.#options
    const isAll = dirty.has(folder)
    for (const [file, { hash }] of held.contents) {
      if (!isAll && !dirty.has(file) && !dirty.has(path.dirname(file))) continue
      if ((await contents.of(file)).hash !== hash) return true
    }
    // What an import leads to may have come by a path that nobody could name.
    if (held.error?.code !== 'build' || dirty.size === 0) return false
    return isAll || [...dirty].some((file) => !isScriptPath(relativePath(folder, file)))
  }

  /** Gives nothing if a file changed meanwhile: then it is tried again. Without `dirty` any of its files may be another. */
  async #try(
    held: Held,
    dirty: ReadonlySet<string> | undefined,
    contents: FileContents,
  ): Promise<Tried | undefined> {
    const own = path.join(this.#options.folder, held.file)
    const isAll = dirty?.has(this.#options.folder) ?? true
    const first = await contents.of(own)
    // It is saved again and again: what would be bundled now is old before it is loaded.
    if (this.#dirty.has(own) && held.unsure < UNSURE && (await fileStamp(own)) !== first.stamp) {
      this.#again(held)
      return undefined
    }
    const known = new Map<string, FileContent>([[own, first]])
    // Read before it is bundled: a change in between is then seen as one.
    for (const [file, content] of held.contents) {
      const isDirty = isAll || dirty?.has(file) || dirty?.has(path.dirname(file))
      if (file !== own) known.set(file, isDirty ? await contents.of(file) : content)
    }
    const startedAt = performance.now()
    const loaded = await this.#load(held.file)
    const tookMs = performance.now() - startedAt
    const result = this.#withConfig(loaded)
    if (result !== loaded) {
      this.#drop(held, loaded)
      if (held.unsure < UNSURE) {
        this.#again(held)
        return undefined
      }
    }
    const after = new FileContents()
    const read = new Map<string, FileContent>()
    const readLate: string[] = []
    for (const file of new Set([own, ...result.inputs])) {
      const before = known.get(file)
      if (before === undefined) readLate.push(file)
      // Nobody knows what of it was bundled, so it is done again, but for files that never rest.
      else if ((await fileStamp(file)) !== before.stamp && held.unsure < UNSURE) {
        this.#drop(held, loaded)
        this.#again(held)
        return undefined
      }
      read.set(file, before ?? (await after.of(file)))
    }
    held.unsure = 0
    return { held, contents: read, readLate, result, tookMs }
  }

  /** What was bundled in a moment in which the configuration was away misses its guards: that is no revision. */
  #withConfig(result: LoadedScript | ScriptError): LoadedScript | ScriptError {
    if (result instanceof ScriptError || this.#config === undefined) return result
    const config = path.join(this.#options.folder, this.#config)
    if (result.inputs.includes(config)) return result
    const message = `${this.#config} could not be read, and nothing is loaded without it. Remove it, or make it readable.`
    return new ScriptError('config', message, { inputs: [...result.inputs, config] })
  }

  /** Lets the host end what was loaded and is not taken. */
  #drop(held: Held, loaded: LoadedScript | ScriptError): void {
    const isNew = !(loaded instanceof ScriptError) && loaded !== held.loaded
    if (isNew) this.#options.host.release(loaded.revision)
  }

  #again(held: Held): void {
    held.unsure += 1
    this.#forced.add(held.file)
  }

  async #load(file: string): Promise<LoadedScript | ScriptError> {
    try {
      return await this.#options.host.load(file)
    } catch (error) {
      if (error instanceof ScriptError) return error
      const message = error instanceof Error ? error.message : String(error)
      return new ScriptError('unavailable', message, { cause: error })
    }
  }

  /** Makes a revision of what was tried, and gives what takes another one's place. */
  #take({ held, contents, result, tookMs }: Tried): ShelfChange['placed'] {
    const isSame = held.revision > 0 && sameContents(held.contents, contents)
    if (result instanceof ScriptError) {
      const error = faultOf(result)
      // It went while it was looked at: if it stays away, it is taken away.
      if (error.code === 'missing' && [...contents.values()][0]?.hash === 'missing') return []
      if (isSame && JSON.stringify(held.error) === JSON.stringify(error)) return []
      this.#begin(held, contents)
      Object.assign(held, { state: 'broken', error })
      this.#keep(held, { error, definitions: new Map(), changedWhatClientsSee: false })
      this.#tellBroken(held, error)
      return []
    }
    if (isSame && held.loaded === result && held.error === undefined) return []
    this.#begin(held, contents)
    const definitions = definitionsOf(result.view)
    const isSeen = !sameDefinitions(held.definitions, definitions)
    Object.assign(held, { state: 'loaded', error: undefined, definitions, answering: held.revision })
    this.#revisions.set(result.revision, { file: held.file, revision: held.revision })
    this.#keep(held, { definitions, changedWhatClientsSee: isSeen })
    const seen = isSeen ? 'clients are told' : 'clients see no difference'
    this.#options.log.write({
      file: held.file,
      revision: held.revision,
      kind: 'info',
      text: `loaded in ${Math.round(tookMs)} ms, ${seen}`,
    })
    if (held.loaded === result) return []
    held.loaded = result
    return [{ file: held.file, loaded: result }]
  }

  #begin(held: Held, contents: Held['contents']): void {
    held.revision += 1
    held.at = Date.now()
    held.contents = contents
  }

  #keep(
    { kept, revision, at, contents, answering }: Held,
    more: {
      readonly error?: LiveFault
      readonly definitions: ReadonlyMap<string, JsonObject>
      readonly changedWhatClientsSee: boolean
    },
  ): void {
    const sources = new Map([...contents].map(([file, { text }]) => [file, text]))
    kept.add({ revision, at, sources, ...more }, answering)
  }

  #tellBroken({ file, revision, answering }: Held, { message, at }: LiveFault): void {
    const { log } = this.#options
    const where = at === undefined ? '' : `${at.file}:${at.line}:${at.column} `
    const place = at === undefined ? {} : { place: at }
    log.write({ file, revision, kind: 'error', text: `${where}${message}`, ...place })
    if (answering === undefined) return
    const text = `kept: revision ${answering} answers until a later one loads`
    log.write({ file, revision, kind: 'info', text })
  }

  /** Lets the host end what no script answers with any more. */
  #letGo(before: readonly (LoadedScript | undefined)[]): void {
    const used = new Set([...this.#held.values()].map(({ loaded }) => loaded))
    for (const loaded of before) {
      if (loaded === undefined || used.has(loaded)) continue
      this.#options.host.release(loaded.revision)
      this.#past.push(loaded.revision)
    }
    // What is let go may run, and print, for a while.
    for (const revision of this.#past.splice(0, Math.max(0, this.#past.length - PAST)))
      this.#revisions.delete(revision)
  }

  /** What changed between its bundling and its reading looks like no change later. */
  #forceMissed(tried: readonly Tried[]): void {
    for (const { held, readLate } of tried) {
      if (readLate.some((file) => this.#dirty.has(file))) this.#forced.add(held.file)
    }
  }

  /** Where changes may come from that the folders of scripts do not show. */
  #folders(): ReadonlySet<string> {
    const folders = new Set<string>()
    for (const { file, contents, error } of this.#held.values()) {
      const own = path.join(this.#options.folder, file)
      for (const each of contents.keys()) if (each !== own) folders.add(path.dirname(each))
      if (error?.code !== 'build') continue
      for (const [each, { text }] of contents) {
        for (const folder of importedFolders(each, text ?? '')) folders.add(folder)
      }
    }
    return folders
  }
}

function sameContents(
  one: ReadonlyMap<string, FileContent>,
  other: ReadonlyMap<string, FileContent>,
): boolean {
  return one.size === other.size && [...one].every(([file, { hash }]) => other.get(file)?.hash === hash)
}

function faultOf({ code, message, at }: ScriptError): LiveFault {
  return { code, message, ...(at !== undefined && { at: { ...at, text: at.text ?? '' } }) }
}

function baseName(file: string): string {
  return path.posix.basename(file).replace(/\.\w+$/, '')
}

/** Does the work of all, a few at a time, and gives what came of each in its place. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const run = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run))
  return results
}
