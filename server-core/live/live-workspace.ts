import path from 'node:path'
import { ComposedRegistry, type Amendment } from '../sources/compose.ts'
import type { Configured } from '../sources/configurer.ts'
import { Prefix } from '../sources/prefix.ts'
import type { AnswerParts } from '../mocks/answer-call.ts'
import type { LastResults } from '../mocks/override-view.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { ConfigData } from '../scripts/config-data.ts'
import { isConfigFile } from '../scripts/config-files.ts'
import type { ScriptEvent, ScriptHost } from '../scripts/script-host.ts'
import { Redaction, type Masking } from '../capture/redaction.ts'
import type { DocumentFile } from '../workspace/document-file.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'
import { addedSources, joinedSources, withoutSource, withSource, type AddedSource } from './added-sources.ts'
import { AnsweredViews } from './answered-views.ts'
import { CallCounts, type CallCount } from './call-counts.ts'
import { CallLog } from './call-log.ts'
import { ChangeNotifier } from './change-notifier.ts'
import { ConfiguredSources } from './configured-sources.ts'
import { writeEvent } from './event-lines.ts'
import { FolderWatch } from './folder-watch.ts'
import { MockSource } from './mock-source.ts'
import { DOCUMENT, LiveDocument, sameData } from './live-document.ts'
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
import { RevisionHistory, type EntryDifferences } from './revision-history.ts'
import { ScriptLog } from './script-log.ts'
import { ScriptSet, type ScriptSetChange } from './script-set.ts'
import { ScriptSources } from './script-sources.ts'
import { isServed, withServed } from './serve-switch.ts'
import type { WorkspaceData } from './workspace-data.ts'
import { workspaceFolder } from './workspace-folder.ts'

export type LiveWorkspaceOptions = {
  /** Absolute; it has to be there, and be trusted. */
  readonly folder: string
  /** Runs the scripts; it is closed with the workspace. */
  readonly host: ScriptHost
  /** `patchbay.json` of the folder. */
  readonly document: DocumentFile<WorkspaceDocument>
  /** Makes the sources that the configuration names; without it there are none. */
  readonly configure?: (config: ConfigData) => Promise<Configured>
  /** Runs mock answers that are scripts. */
  readonly answers?: AnswerParts
  /** Masks known secrets in the log; without it only the names of settings show that a value is secret. */
  readonly masking?: Masking
}

/**
 * A workspace folder as one registry that follows its files: scripts, what its configuration names, mock entries,
 * overrides and amendments. Whatever cannot be loaded leaves the rest, and what was loaded before it, as it is.
 */
export class LiveWorkspace {
  readonly folder: string
  readonly #options: LiveWorkspaceOptions
  readonly #composed = new ComposedRegistry()
  readonly #scriptSet: ScriptSet
  readonly #scripts: ScriptSources
  readonly #history: RevisionHistory
  readonly #watch: FolderWatch
  readonly #notifier = new ChangeNotifier()
  readonly #log: ScriptLog
  readonly #counts = new CallCounts()
  readonly #views: AnsweredViews
  readonly #configured: ConfiguredSources
  readonly #mocks: MockSource
  readonly #document: LiveDocument
  readonly #stops: readonly (() => void)[]
  #config: ConfigData = {}
  #faults: Readonly<Partial<Record<'watch' | 'document' | 'mocks' | 'config', readonly LiveFault[]>>> = {}
  #closed = false

  private constructor(options: LiveWorkspaceOptions) {
    const { folder, host, configure, answers = {}, masking = new Redaction() } = options
    this.folder = folder
    this.#options = options
    const notify = (): void => {
      this.#notifier.notify()
    }
    this.#log = new ScriptLog((line) => {
      this.#notifier.notify(line)
    }, masking)
    const calls = new CallLog(this.#counts, this.#log, masking, (key) => this.#notifier.called(key))
    this.#views = new AnsweredViews(calls, answers)
    const amend = (key: string): Amendment | undefined => this.#document.data.amendments[key]
    const parts = { composed: this.#composed, views: this.#views, amend }
    this.#document = new LiveDocument({
      file: options.document,
      onData: (data, before) => {
        this.#dataChanged(data, before)
      },
      onFaults: (faults) => {
        this.#fault('document', faults)
      },
      onChange: notify,
    })
    this.#mocks = new MockSource({ ...parts, answers })
    this.#configured = new ConfiguredSources({
      configure,
      composed: this.#composed,
      own: (source) => {
        const prefix = source.prefix === undefined ? undefined : new Prefix(source.prefix, source.separator)
        return { ...source, view: this.#views.of(source.view, prefix), amend }
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
    this.#scriptSet = new ScriptSet({
      folder,
      host,
      log: this.#log,
      onChange: (change) => {
        this.#place(change)
      },
      onFolders: (folders) => this.#watch.also(folders),
    })
    this.#scripts = new ScriptSources({ ...parts, scriptSet: this.#scriptSet })
    this.#history = new RevisionHistory(folder, this.#scriptSet)
    this.#stops = [
      host.onEvent((event) => {
        this.#onEvent(event)
      }),
      host.onStateChange(notify),
      this.#composed.onEntries(notify),
    ]
  }

  /** Opens a folder and loads what is in it. Rejects with a `LiveError` (`no-folder`) if there is none. */
  static async open(options: LiveWorkspaceOptions): Promise<LiveWorkspace> {
    // Changes behind a link are not reported, and bundled files are listed with their real place.
    const folder = await workspaceFolder(options.folder)
    const workspace = new LiveWorkspace({ ...options, folder })
    await workspace.#document.read()
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
    return this.#document.document
  }

  /** Whether clients may be served: `serve.enabled` in `patchbay.json` is not false. */
  get isEnabled(): boolean {
    return isServed(this.document)
  }

  /** Writes `serve.enabled` into `patchbay.json`. Rejects with a `StorageError`. */
  async setEnabled(isOn: boolean): Promise<void> {
    if (isOn !== this.isEnabled) await this.update((document) => withServed(document, isOn))
  }

  /** What tools really gave last, for who wants to answer in their place. */
  get lastResults(): LastResults {
    return this.#views.last
  }

  /** Every entry, those too that are switched off or cannot be served. */
  entries(): readonly LiveEntry[] {
    return liveEntries({
      composed: this.#composed.entries(),
      scripts: this.#scriptSet.states(),
      amendments: this.#document.data.amendments,
      isOverridden: (key) => this.#views.overrides.active(key) !== undefined,
      counts: this.#counts,
    })
  }

  /** How often an entry was called. */
  callsOf(key: string): Readonly<CallCount> {
    return this.#counts.of(key)
  }

  /** The scripts by file, `patchbay.config.ts` among them. */
  scripts(): readonly ScriptState[] {
    const running = new Set(this.#options.host.state().workers.map(({ file }) => file))
    return this.#scriptSet
      .states()
      .map((state) => (running.has(state.file) ? { ...state, worker: {} } : state))
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
    return this.#history.list(file)
  }

  /**
   * How an entry of a script differs between two of its revisions; without `to`, from the one that answers. Throws a
   * `LiveError` for an entry or revision that is not kept.
   */
  differences(key: string, from: number, to?: number): EntryDifferences {
    return this.#history.differences(key, from, to)
  }

  toolHost(): { readonly pid?: number; readonly spareReady: boolean } {
    const { pid, spareReady } = this.#options.host.state()
    return { ...(pid !== undefined && { pid }), spareReady }
  }

  /** Returns an unsubscribe function. */
  onChange(listener: (change: LiveChange) => void): () => void {
    return this.#notifier.onChange(listener)
  }

  /** Waits until what is on the disk now is served, or known to be broken. */
  async settled(): Promise<void> {
    await this.#scriptSet.settled()
    await this.#configured.settled()
  }

  /**
   * Changes what clients see of an entry, in `patchbay.json` and at once; undefined puts it back as its source has it.
   * Rejects with a `LiveError` (`unknown-entry`) or a `StorageError`.
   */
  async amend(key: string, amendment: Amendment | undefined): Promise<void> {
    const isThere = this.entries().some((entry) => entry.key === key)
    if (!isThere && amendment !== undefined) {
      const message = `There is no entry ${key} in ${this.folder}; it may have gone since it was shown.`
      throw new LiveError('unknown-entry', message)
    }
    await this.#document.amend(key, amendment)
  }

  /** Changes `patchbay.json`, and serves what it says then. Rejects with a `StorageError`. */
  async update(change: (document: WorkspaceDocument) => WorkspaceDocument): Promise<void> {
    await this.#document.update(change)
  }

  /** What is composed into the server without code. */
  get added(): readonly AddedSource[] {
    return addedSources(this.#document.data.composition)
  }

  /**
   * Composes one more source into the server, in `patchbay.json` and at once. Rejects with a `LiveError` (`source`) that
   * has the reason, and then leaves everything as it was; or with a `StorageError`.
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

  /** Removes an added source; nothing happens if it does not exist. Rejects with a `StorageError`. */
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
   * Writes the sources of a revision back to the disk, which makes a new revision; returns the files that were written.
   * What is outside of the folder stays as it is. Rejects with a `LiveError`.
   */
  async backTo(file: string, revision: number): Promise<readonly string[]> {
    const written = await this.#history.backTo(file, revision)
    await this.settled()
    return written
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#configured.end()
    for (const stop of this.#stops) stop()
    this.#scriptSet.close()
    await this.#watch.close()
    this.#notifier.close()
    await this.#configured.close()
    this.#composed.close()
    await this.#options.host.close()
  }

  #pathsChanged(paths: readonly string[]): void {
    const document = path.join(this.folder, DOCUMENT)
    if (paths.includes(document)) void this.#document.read()
    this.#scriptSet.changed(paths)
  }

  /** Applies the present state of all scripts at once. */
  #place(change: ScriptSetChange): void {
    if (this.#closed) return
    this.#scripts.place(change)
    const config = change.placed.find(({ loaded }) => loaded.config !== undefined)?.loaded.config
    if (config !== undefined || change.removed.some(isConfigFile)) {
      this.#config = config ?? {}
      this.#configure()
    }
    this.#notifier.notify()
  }

  #configure(): void {
    this.#configured.set(joinedSources(this.#config, this.#document.data.composition))
  }

  #dataChanged(data: WorkspaceData, before: WorkspaceData): void {
    this.#composed.batch(() => {
      if (!sameData(before.mocks, data.mocks)) this.#fault('mocks', this.#mocks.set(data.mocks))
      if (!sameData(before.overrides, data.overrides)) this.#views.overrides.set(data.overrides)
      if (!sameData(before.amendments, data.amendments)) this.#composed.amendmentsChanged()
    })
    if (!sameData(before.composition, data.composition)) this.#configure()
  }

  #onEvent(event: ScriptEvent): void {
    const known = event.type === 'stray-output' ? undefined : this.#scriptSet.revisionOf(event.revision)
    if (event.type === 'stopped') this.#stopped(event.file, event.reason)
    writeEvent(this.#log, event, known?.revision ?? 0)
  }

  #stopped(file: string, reason: string | undefined): void {
    this.#scripts.stopped(file, reason)
    this.#notifier.notify()
  }

  #fault(part: 'watch' | 'document' | 'mocks' | 'config', faults: readonly LiveFault[]): void {
    this.#faults = { ...this.#faults, [part]: faults }
    this.#notifier.notify()
  }
}
