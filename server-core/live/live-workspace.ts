import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { ComposedRegistry, type Amendment, type Source } from '../composition/compose.ts'
import type { Configured } from '../composition/configurer.ts'
import { Prefix } from '../composition/prefix.ts'
import type { AnswerParts } from '../handmade/answer-call.ts'
import { HandmadeRegistry } from '../handmade/handmade-registry.ts'
import type { LastResults } from '../handmade/override-view.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { ConfigData } from '../scripts/config-data.ts'
import { isConfigFile } from '../scripts/config-files.ts'
import type { ScriptEvent, ScriptHost } from '../scripts/script-host.ts'
import { Redaction, type Masking } from '../traffic/redaction.ts'
import type { DocumentFile } from '../workspace/document-file.ts'
import { systemCode } from '../workspace/storage-error.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'
import { addedSources, joinedSources, withoutSource, withSource, type AddedSource } from './added-sources.ts'
import { AnsweredViews } from './answered-views.ts'
import { CallCounts } from './call-counts.ts'
import { CallLog, type Answering } from './call-log.ts'
import { ChangeTeller } from './change-teller.ts'
import { ConfiguredSources } from './configured-sources.ts'
import { definitionDifferences, type DefinitionDifference } from './differences/definition-differences.ts'
import { writeEvent } from './event-lines.ts'
import { FolderWatch } from './folder-watch.ts'
import { liveEntries } from './live-entries.ts'
import { LiveError } from './live-error.ts'
import type {
  LiveChange,
  LiveEntry,
  LiveFault,
  ScriptLogLine,
  ScriptRevision,
  ScriptState,
} from './live-state.ts'
import { relativePath } from './script-files.ts'
import { ScriptLog } from './script-log.ts'
import { ScriptShelf, type ShelfChange } from './script-shelf.ts'
import { NO_DATA, readWorkspaceData } from './workspace-data.ts'
import { writeBack } from './write-back.ts'

export type LiveWorkspaceOptions = {
  /** Absolute; it has to be there, and be trusted. */
  readonly folder: string
  /** Runs the scripts; it is closed with the workspace. */
  readonly host: ScriptHost
  /** `patchbay.json` of the folder. */
  readonly document: DocumentFile<WorkspaceDocument>
  /** Makes the sources that the configuration names; without it there are none. */
  readonly configure?: (config: ConfigData) => Promise<Configured>
  /** Runs hand-made answers that are scripts. */
  readonly answers?: AnswerParts
  /** Takes known secrets out of the log; without it none is known, and only names tell. */
  readonly masking?: Masking
}

const DOCUMENT = 'patchbay.json'
const HANDMADE = 'hand-made'

/**
 * A workspace folder as one registry that follows its files: scripts, what its configuration names, hand-made entries,
 * overrides and amendments. Whatever cannot be loaded leaves the rest, and what was loaded before it, as it is.
 */
export class LiveWorkspace {
  readonly folder: string
  readonly #options: LiveWorkspaceOptions
  readonly #composed = new ComposedRegistry()
  readonly #shelf: ScriptShelf
  readonly #watch: FolderWatch
  readonly #teller = new ChangeTeller()
  readonly #log: ScriptLog
  readonly #counts = new CallCounts()
  readonly #calls: CallLog
  readonly #views: AnsweredViews
  readonly #configured: ConfiguredSources
  readonly #handmade: HandmadeRegistry
  readonly #troubled = new Set<() => void>()
  readonly #stops: readonly (() => void)[]
  #data = NO_DATA
  #document: WorkspaceDocument = { servers: [] }
  #config: ConfigData = {}
  #faults: Readonly<Partial<Record<'watch' | 'document' | 'handmade' | 'config', readonly LiveFault[]>>> = {}
  #closed = false

  private constructor(options: LiveWorkspaceOptions) {
    const { folder, host, configure, answers = {}, masking = new Redaction() } = options
    this.folder = folder
    this.#options = options
    this.#log = new ScriptLog((line) => {
      this.#teller.tell(line)
    }, masking)
    this.#calls = new CallLog(this.#counts, this.#log, masking, () => {
      this.#teller.tell()
    })
    this.#views = new AnsweredViews(this.#calls, answers)
    this.#handmade = new HandmadeRegistry(answers)
    this.#configured = new ConfiguredSources({
      configure,
      composed: this.#composed,
      own: (source) => {
        const prefix = source.prefix === undefined ? undefined : new Prefix(source.prefix, source.separator)
        return { ...source, view: this.#views.of(source.view, prefix), amend: this.#amend }
      },
      onFaults: (faults) => {
        this.#fault('config', faults)
      },
    })
    this.#watch = new FolderWatch({
      folder,
      onPaths: (paths) => {
        this.#pathsChanged(paths)
      },
      onFault: (fault) => {
        this.#fault('watch', fault === undefined ? [] : [fault])
      },
    })
    this.#shelf = new ScriptShelf({
      folder,
      host,
      log: this.#log,
      onChange: (change) => {
        this.#place(change)
      },
      onFolders: (folders) => this.#watch.also(folders),
    })
    this.#stops = [
      host.onEvent((event) => {
        this.#heard(event)
      }),
      host.onStateChange(() => {
        this.#teller.tell()
      }),
      this.#composed.onEntries(() => {
        this.#teller.tell()
      }),
    ]
  }

  /** Opens a folder and loads what is in it. Rejects with a `LiveError` (`no-folder`) if there is none. */
  static async open(options: LiveWorkspaceOptions): Promise<LiveWorkspace> {
    await requireFolder(options.folder)
    // Nothing is told of what is behind a link, and what was bundled says where it really is.
    const workspace = new LiveWorkspace({ ...options, folder: await realpath(options.folder) })
    await workspace.#readDocument()
    await workspace.#watch.start()
    await workspace.settled()
    return workspace
  }

  /** All that is served of it; the same object while the folder is open. */
  get registry(): RegistryView {
    return this.#composed
  }

  /** What `patchbay.config.ts` says, as it was loaded last. */
  get config(): ConfigData {
    return this.#config
  }

  /** `patchbay.json` as it was read last; another object when it says something else. */
  get document(): WorkspaceDocument {
    return this.#document
  }

  /** What tools really gave last, for who wants to answer in their place. */
  get lastResults(): LastResults {
    return this.#views.last
  }

  /** Every entry, those too that are switched off or cannot be served. */
  entries(): readonly LiveEntry[] {
    return liveEntries({
      composed: this.#composed.entries(),
      scripts: this.#shelf.states(),
      amendments: this.#data.amendments,
      isOverridden: (key) => this.#views.overrides.active(key) !== undefined,
      counts: this.#counts,
    })
  }

  /** The scripts by file, `patchbay.config.ts` among them. */
  scripts(): readonly ScriptState[] {
    const running = new Set(this.#options.host.state().workers.map(({ file }) => file))
    return this.#shelf.states().map((state) => (running.has(state.file) ? { ...state, worker: {} } : state))
  }

  /** Faults that belong to no script and no entry. */
  faults(): readonly LiveFault[] {
    return Object.values(this.#faults).flat()
  }

  /** The newest lines, oldest first; of one script, or of all. */
  log(file?: string): readonly ScriptLogLine[] {
    return this.#log.lines(file)
  }

  /** What is kept of a script, newest first; nothing of one that is not there. */
  revisions(file: string): readonly ScriptRevision[] {
    const kept = this.#shelf.kept(file)
    const own = path.join(this.folder, file)
    return (kept?.revisions.list() ?? []).map(({ revision, at, error, sources, changedWhatClientsSee }) => ({
      revision,
      at,
      state: error === undefined ? ('loaded' as const) : ('broken' as const),
      ...(error !== undefined && { error }),
      answers: revision === kept?.answering,
      text: sources.get(own) ?? '',
      changedWhatClientsSee,
    }))
  }

  /**
   * How an entry of a script differs between two of its revisions; without `to`, from the one that answers. Throws a
   * `LiveError` for an entry or revision that is not kept.
   */
  differences(
    key: string,
    from: number,
    to?: number,
  ): {
    readonly before?: object
    readonly after?: object
    readonly changes: readonly DefinitionDifference[]
  } {
    const file = this.#fileOf(key, from)
    const kept = this.#shelf.kept(file)
    const before = this.#kept(file, from).definitions.get(key)
    const after = this.#kept(file, to ?? kept?.answering ?? from).definitions.get(key)
    return {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      changes: definitionDifferences(before, after),
    }
  }

  toolHost(): { readonly pid?: number; readonly spareReady: boolean } {
    const { pid, spareReady } = this.#options.host.state()
    return { ...(pid !== undefined && { pid }), spareReady }
  }

  /** Gives the function that ends it. */
  onChange(listener: (change: LiveChange) => void): () => void {
    return this.#teller.onChange(listener)
  }

  /** Waits until what is on the disk now is served, or known to be broken. */
  async settled(): Promise<void> {
    await this.#shelf.settled()
    await this.#configured.settled()
  }

  /**
   * Changes what clients see of an entry, in `patchbay.json` and at once; undefined puts it back as its source has it.
   * Rejects with a `LiveError` (`unknown-entry`) or a `StorageError`.
   */
  async amend(key: string, amendment: Amendment | undefined): Promise<void> {
    const isThere = this.entries().some((entry) => entry.key === key)
    if (!isThere && amendment !== undefined) {
      throw new LiveError(
        'unknown-entry',
        `There is no entry ${key} in ${this.folder}; it may have gone since it was shown.`,
      )
    }
    await this.update((document) => {
      const { amendments: before, ...rest } = document
      const { [key]: _, ...others } = (before ?? {}) as Readonly<Record<string, unknown>>
      const amendments = amendment === undefined ? others : { ...others, [key]: amendment }
      return Object.keys(amendments).length === 0 ? rest : { ...rest, amendments }
    })
  }

  /** Changes `patchbay.json`, and serves what it says then. Rejects with a `StorageError`. */
  async update(change: (document: WorkspaceDocument) => WorkspaceDocument): Promise<void> {
    this.#take(await this.#options.document.update(change))
  }

  /** What is composed into the server without code. */
  get added(): readonly AddedSource[] {
    return addedSources(this.#data.composition)
  }

  /**
   * Composes one more source into the server, in `patchbay.json` and at once. Rejects with a `LiveError` (`source`) that
   * says why it cannot be served, and then leaves everything as it was; or with a `StorageError`.
   */
  async addSource(source: AddedSource): Promise<void> {
    const before = new Set(this.faults().map(({ message }) => message))
    await this.update((document) => withSource(document, source))
    await this.settled()
    const fault = this.faults().find(({ message }) => !before.has(message))
    if (fault === undefined) return
    await this.removeSource(source)
    throw new LiveError('source', fault.message)
  }

  /** Takes a source out again that was added; nothing happens if it is not there. Rejects with a `StorageError`. */
  async removeSource(source: AddedSource): Promise<void> {
    await this.update((document) => withoutSource(document, source))
    await this.settled()
  }

  /** Lets a script run again that was switched off after crashes. */
  switchOn(file: string): void {
    this.#options.host.switchOn(file)
    this.#stopped(file, undefined)
  }

  /**
   * Writes the sources of a revision back to the disk, which makes a new revision; gives the files that were written.
   * What is outside of the folder stays as it is. Rejects with a `LiveError`.
   */
  async backTo(file: string, revision: number): Promise<readonly string[]> {
    const { sources } = this.#kept(file, revision)
    const written: string[] = []
    for (const [source, text] of sources) {
      const relative = relativePath(this.folder, source)
      const isOurs = !relative.startsWith('../') && !relative.split('/').includes('node_modules')
      if (text === undefined || !isOurs || path.isAbsolute(relative)) continue
      if (await writeBack(source, text)) written.push(relative)
    }
    await this.settled()
    return written
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#configured.end()
    for (const stop of this.#stops) stop()
    this.#shelf.close()
    await this.#watch.close()
    this.#teller.close()
    await this.#configured.close()
    this.#composed.close()
    await this.#options.host.close()
  }

  #kept(file: string, revision: number) {
    const kept = this.#shelf.kept(file)?.revisions.get(revision)
    if (kept !== undefined) return kept
    const message = `Revision ${revision} of ${file} is not kept; only the last ones of scripts that are there are.`
    throw new LiveError('unknown-revision', message)
  }

  /** The script that makes an entry, or made it in that revision. */
  #fileOf(key: string, revision: number): string {
    const states = this.#shelf.states()
    const makes = states.find(({ entries }) => entries.includes(key))
    const made = states.find(({ file }) =>
      this.#shelf.kept(file)?.revisions.get(revision)?.definitions.has(key),
    )
    const file = (makes ?? made)?.file
    if (file === undefined) throw new LiveError('unknown-entry', `No script makes ${key}.`)
    return file
  }

  #pathsChanged(paths: readonly string[]): void {
    const document = path.join(this.folder, DOCUMENT)
    if (paths.includes(document)) void this.#readDocument()
    this.#shelf.changed(paths)
  }

  /** Takes what scripts answer with now, all at once. */
  #place({ placed, removed }: ShelfChange): void {
    if (this.#closed) return
    this.#composed.batch(() => {
      for (const file of removed) this.#composed.remove(file)
      for (const { file, loaded } of placed) {
        if (loaded.config === undefined)
          this.#composed.replace(this.#scriptSource(file, loaded.view, loaded.revision))
      }
    })
    const config = placed.find(({ loaded }) => loaded.config !== undefined)?.loaded.config
    const isConfigGone = removed.some(isConfigFile)
    if (config !== undefined || isConfigGone) {
      this.#config = config ?? {}
      this.#configure()
    }
    this.#teller.tell()
  }

  #scriptSource(file: string, view: RegistryView, hostRevision: number): Source {
    const answering = (): Answering => ({
      file,
      revision: this.#shelf.revisionOf(hostRevision)?.revision ?? 0,
    })
    return {
      id: file,
      origin: { kind: 'script', label: file, file },
      view: this.#views.of(view, undefined, answering),
      amend: this.#amend,
      trouble: {
        failure: () =>
          this.#shelf.states().find((state) => state.file === file && state.state === 'stopped')?.error,
        onChange: (listener) => {
          this.#troubled.add(listener)
          return () => void this.#troubled.delete(listener)
        },
      },
    }
  }

  readonly #amend = (key: string): Amendment | undefined => this.#data.amendments[key]

  #configure(): void {
    this.#configured.set(joinedSources(this.#config, this.#data.composition))
  }

  async #readDocument(): Promise<void> {
    try {
      // Somebody may be in the middle of writing it: what cannot be read now is left where it is.
      this.#take(await this.#options.document.peek())
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#fault('document', [{ code: DOCUMENT, message }])
    }
  }

  #take(document: WorkspaceDocument): void {
    const { data, faults } = readWorkspaceData(document, this.#data)
    const before = this.#data
    this.#data = data
    if (!same(this.#document, document)) {
      this.#document = document
      this.#teller.tell()
    }
    this.#composed.batch(() => {
      if (!same(before.handmade, data.handmade)) this.#placeHandmade()
      if (!same(before.overrides, data.overrides)) this.#views.overrides.set(data.overrides)
      if (!same(before.amendments, data.amendments)) this.#composed.amendmentsChanged()
    })
    this.#fault('document', faults)
    if (!same(before.composition, data.composition)) this.#configure()
  }

  #placeHandmade(): void {
    const problems = this.#handmade.set(this.#data.handmade)
    if (this.#data.handmade.length === 0) this.#composed.remove(HANDMADE)
    else if (!this.#composed.has(HANDMADE)) {
      this.#composed.add({
        id: HANDMADE,
        origin: { kind: 'handmade', label: HANDMADE, file: DOCUMENT },
        view: this.#views.of(this.#handmade.view, undefined),
        amend: this.#amend,
      })
    }
    const faults = problems.map(({ key, message }) => ({ code: HANDMADE, message: `${key}: ${message}` }))
    this.#fault('handmade', faults)
  }

  #heard(event: ScriptEvent): void {
    const revision =
      event.type === 'stray-output' ? 0 : (this.#shelf.revisionOf(event.revision)?.revision ?? 0)
    if (event.type === 'stopped') this.#stopped(event.file, event.reason)
    writeEvent(this.#log, event, revision)
  }

  #stopped(file: string, reason: string | undefined): void {
    this.#shelf.stopped(file, reason)
    this.#composed.batch(() => {
      for (const listener of [...this.#troubled]) listener()
    })
    this.#teller.tell()
  }

  #fault(part: 'watch' | 'document' | 'handmade' | 'config', faults: readonly LiveFault[]): void {
    this.#faults = { ...this.#faults, [part]: faults }
    this.#teller.tell()
  }
}

async function requireFolder(folder: string): Promise<void> {
  try {
    if ((await stat(folder)).isDirectory()) return
  } catch (error) {
    const code = systemCode(error) ?? String(error)
    throw new LiveError(
      'no-folder',
      `${folder} cannot be opened (${code}); "patchbay init" makes a workspace.`,
      {
        cause: error,
      },
    )
  }
  throw new LiveError('no-folder', `${folder} is a file; a workspace is a folder.`)
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
