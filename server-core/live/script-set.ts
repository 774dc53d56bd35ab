import path from 'node:path'
import { isConfigFile } from '../scripts/config-files.ts'
import { ScriptError } from '../scripts/script-error.ts'
import type { LoadedScript, ScriptHost } from '../scripts/script-host.ts'
import { FileContents, fileStamp, type FileContent } from './file-content.ts'
import { ScriptSlot, type Attempt } from './script-slot.ts'
import type { KeptRevisions } from './kept-revisions.ts'
import type { ScriptState } from './live-state.ts'
import { Debounce } from './debounce.ts'
import type { ScriptLog } from './script-log.ts'
import { isScriptPath, listScripts, relativePath } from './script-files.ts'
import { messageOf } from '../protocol/error-message.ts'

/** What became of the scripts in one look at the folder. */
export type ScriptSetChange = {
  /** Scripts that another revision answers for now. */
  readonly placed: readonly { readonly file: string; readonly loaded: LoadedScript }[]
  readonly removed: readonly string[]
}

export type ScriptSetOptions = {
  /** Absolute. */
  readonly folder: string
  readonly host: ScriptHost
  readonly log: ScriptLog
  /** Applies all changes at once; removed scripts are released afterwards. */
  readonly onChange: (change: ScriptSetChange) => void
  /** Scripts import from these folders, absolute. */
  readonly onFolders: (folders: ReadonlySet<string>) => Promise<void>
}

/** Milliseconds that a file may be gone and come back, as files do while a branch is switched. */
const MISSING_MS = 100
/** Tries that are given up in a row because a file changed meanwhile. */
const UNSURE = 3
/** Scripts that are loaded at the same time: many are bundled in one pass. */
const AT_ONCE = 100
/** Revisions that are known by the number of the host after they were let go. */
const PAST = 1_000

type Tried = Attempt & {
  readonly held: ScriptSlot
  /** Those of its files that were read after they were bundled. */
  readonly readLate: readonly string[]
}

/**
 * The scripts of a folder, each in its last revision that could be loaded. What was said to have changed is looked at
 * when it is quiet, by content: what is the same costs nothing, and all that changed together takes effect together.
 */
export class ScriptSet {
  readonly #options: ScriptSetOptions
  readonly #held = new Map<string, ScriptSlot>()
  readonly #revisions = new Map<number, { readonly file: string; readonly revision: number }>()
  readonly #past: number[] = []
  #dirty = new Set<string>()
  #forced = new Set<string>()
  #config: string | undefined
  readonly #quiet = new Debounce(() => void this.#look())
  #looking = false
  #idle: PromiseWithResolvers<undefined> | undefined
  #closed = false

  constructor(options: ScriptSetOptions) {
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
    return [...this.#held.values()].map((held) => held.stateIn(this.#options.folder))
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
    this.#held.get(file)?.stopped(reason)
  }

  /** Nothing is looked at any more. */
  close(): void {
    this.#closed = true
    this.#quiet.close()
    this.#idle?.resolve(undefined)
  }

  #schedule(atLeastMs = 0): void {
    if (!this.#looking && !this.#closed) this.#quiet.disturb(this.#dirty.size, atLeastMs)
  }

  async #look(): Promise<void> {
    const dirty = this.#dirty
    const forced = this.#forced
    this.#dirty = new Set()
    this.#forced = new Set()
    this.#looking = true
    let waits = false
    let failed = false
    try {
      waits = await this.#lookAt(dirty, forced)
    } catch (error) {
      // The folder cannot be read just now; the next change brings us back to all of it.
      failed = true
      const message = messageOf(error)
      this.#options.log.write({ file: '', revision: 0, kind: 'error', text: message })
    }
    this.#looking = false
    if (this.#closed) return
    const isMore = this.#dirty.size > 0 || this.#forced.size > 0
    if (failed) {
      for (const each of dirty) this.#dirty.add(each)
      for (const each of forced) this.#forced.add(each)
    }
    if (isMore) this.#schedule()
    else if (waits) this.#schedule(MISSING_MS)
    else {
      this.#idle?.resolve(undefined)
      this.#idle = undefined
    }
  }

  /** Returns whether something may have to be looked at again, though nothing changes. */
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

  #add(file: string): ScriptSlot {
    const held = new ScriptSlot(file, this.#options.log)
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

  /** Removes scripts whose files have been missing for long enough. */
  #missing(present: ReadonlySet<string>): {
    readonly removed: readonly ScriptSlot[]
    readonly waits: boolean
  } {
    const removed: ScriptSlot[] = []
    let waits = false
    const now = performance.now()
    for (const held of this.#held.values()) {
      if (present.has(held.file)) held.missingSince = undefined
      else if (now - (held.missingSince ??= now) < MISSING_MS) waits = true
      else removed.push(held)
    }
    for (const held of removed) {
      this.#held.delete(held.file)
      held.removed()
    }
    return { removed, waits }
  }

  /** Whether one of its files is not what the newest try was made of. */
  async #isOther(held: ScriptSlot, dirty: ReadonlySet<string>, contents: FileContents): Promise<boolean> {
    const { folder } = this.#options
    const isAll = dirty.has(folder)
    for (const [file, { hash }] of held.contents) {
      if (!isAll && !dirty.has(file) && !dirty.has(path.dirname(file))) continue
      if ((await contents.of(file)).hash !== hash) return true
    }
    // What an import leads to may have come by a path that nobody could name.
    if (!held.isUnbuilt || dirty.size === 0) return false
    return isAll || [...dirty].some((file) => !isScriptPath(relativePath(folder, file)))
  }

  /** Returns nothing if a file changed meanwhile: then it is tried again. Without `dirty` any of its files may be another. */
  async #try(
    held: ScriptSlot,
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

  /** What was bundled in a moment in which the configuration was away misses its guards: that is not a revision. */
  #withConfig(result: LoadedScript | ScriptError): LoadedScript | ScriptError {
    if (result instanceof ScriptError || this.#config === undefined) return result
    const config = path.join(this.#options.folder, this.#config)
    if (result.inputs.includes(config)) return result
    const message = `${this.#config} could not be read, and nothing is loaded without it. Remove it, or make it readable.`
    return new ScriptError('config', message, { inputs: [...result.inputs, config] })
  }

  /** Lets the host end what was loaded and is not taken. */
  #drop(held: ScriptSlot, loaded: LoadedScript | ScriptError): void {
    const isNew = !(loaded instanceof ScriptError) && loaded !== held.loaded
    if (isNew) this.#options.host.release(loaded.revision)
  }

  #again(held: ScriptSlot): void {
    held.unsure += 1
    this.#forced.add(held.file)
  }

  async #load(file: string): Promise<LoadedScript | ScriptError> {
    try {
      return await this.#options.host.load(file)
    } catch (error) {
      if (error instanceof ScriptError) return error
      const message = messageOf(error)
      return new ScriptError('unavailable', message, { cause: error })
    }
  }

  #take(tried: Tried): ScriptSetChange['placed'] {
    const { held, result } = tried
    const { file } = held
    const loaded = held.take(tried)
    if (!(result instanceof ScriptError) && held.loaded === result) {
      this.#revisions.set(result.revision, { file, revision: held.revision })
    }
    return loaded === undefined ? [] : [{ file, loaded }]
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

  #folders(): ReadonlySet<string> {
    const { folder } = this.#options
    return new Set([...this.#held.values()].flatMap((held) => [...held.importedFrom(folder)]))
  }
}

/** Does the work of all, a few at a time, and gives the result of each in its place. */
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
