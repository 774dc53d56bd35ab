import { SerialQueue } from '../../protocol/serial-queue.ts'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { AnswerParts } from '../../mocks/answer-call.ts'
import { LiveError } from '../../live/live-error.ts'
import { LiveWorkspace, type LiveWorkspaceOptions } from '../../live/live-workspace.ts'
import type { LiveFault } from '../../live/live-state.ts'
import { SwitchedRegistry } from '../../live/switched-registry.ts'
import type { ScriptHost } from '../../scripts/script-host.ts'
import type { Masking } from '../../capture/redaction.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import { WORKSPACE_TSCONFIG, writeNew } from '../../workspace/new-workspace.ts'
import type { WorkspaceDocument } from '../../workspace/server-entries.ts'
import type { SettingsDocument } from '../../profile/settings.ts'
import { StorageError } from '../../workspace/storage-error.ts'
import type { TrustStore } from '../../profile/trust-store.ts'
import { writeWorkspaceTypes } from '../../workspace/workspace-types.ts'
import type {
  AddedSource,
  EntryAmendment,
  RegistryActivity,
  RegistryState,
  SchemaDiff,
  ScriptLog,
  ScriptRevision,
} from '../contract/registry.ts'
import type { ConnectedClients } from '../embedded/connected-clients.ts'
import { HostError, type HostErrorCode } from '../host-error.ts'
import { copyDefaultWorkspace } from './default-workspace.ts'
import { registryActivity, registryState } from './registry-state.ts'
import { previewTrust } from './trust-preview.ts'
import { makeFolder } from '../../workspace/make-folder.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type RegistryServiceOptions = {
  /** The folder in the profile. */
  readonly defaultFolder: string
  /** What is copied there at the first start. */
  readonly defaultWorkspace?: string
  /** Declarations that are written into workspaces. */
  readonly types?: string
  /** The folder that the user named for this run. */
  readonly named?: string
  readonly settings: DocumentFile<SettingsDocument>
  readonly trust: TrustStore
  readonly documentOf: (folder: string) => DocumentFile<WorkspaceDocument>
  readonly scriptHostOf: (folder: string) => ScriptHost
  readonly configure?: (folder: string) => NonNullable<LiveWorkspaceOptions['configure']>
  readonly answers?: (folder: string) => AnswerParts
  /** Masks known secrets in the log of scripts. */
  readonly masking: Masking
  /** Another folder is open. */
  readonly onFolder?: (folder: string) => Promise<void>
  readonly changed: () => void
  /** Clients called these entries, or did something else. */
  readonly active: (keys: readonly string[]) => void
  readonly logged: (log: ScriptLog) => void
}

/** Milliseconds in which changes of state are published once. */
const NOTIFY_MS = 100
const CODES: Readonly<Record<LiveError['code'], HostErrorCode>> = {
  'unknown-revision': 'NOT_KEPT',
  'unknown-entry': 'NOT_FOUND',
  'no-folder': 'NO_FOLDER',
  untrusted: 'NOT_TRUSTED',
  source: 'INVALID_ENTRY',
  write: 'REFUSED',
}

/** The workspace that the embedded server serves: which folder, whether it may run, and what is changed of it. */
export class RegistryService {
  /** What the server reads; it stays the same whichever folder is open. */
  readonly registry = new SwitchedRegistry()
  readonly #options: RegistryServiceOptions
  #folder: string
  #live: LiveWorkspace | undefined
  /** Which opening of a folder is shown. */
  #generation = 0
  #clients: ConnectedClients | undefined
  #wouldRun: RegistryState['wouldRun'] = []
  #isTrusted = false
  /** Nothing is open before `start`. */
  #isOpening = true
  #faults: readonly LiveFault[] = []
  readonly #turns = new SerialQueue()
  #timer: NodeJS.Timeout | undefined
  #activityTimer: NodeJS.Timeout | undefined
  readonly #called = new Set<string>()
  #closed = false

  constructor(options: RegistryServiceOptions) {
    this.#options = options
    this.#folder = options.named ?? options.defaultFolder
  }

  /** The workspace while it is open: it is there, and trusted. */
  get live(): LiveWorkspace | undefined {
    return this.#live
  }

  get folder(): string {
    return this.#folder
  }

  /** Whether what is in the folder may take effect. */
  get mayRun(): boolean {
    return this.#isTrusted
  }

  /** How models may use what is served just now, as its configuration says. */
  get instructions(): string | undefined {
    return this.#live?.config.instructions
  }

  /** Opens the folder that the user named, or that was open last, or the one in the profile. */
  async start(): Promise<void> {
    const { defaultFolder, defaultWorkspace, named, settings } = this.#options
    try {
      await makeFolder(defaultFolder, 0o700)
      await copyDefaultWorkspace(defaultWorkspace, defaultFolder)
      const last = (await settings.read()).registryFolder
      const folder = named ?? (last !== undefined && (await isFolder(last)) ? last : defaultFolder)
      await this.#turns.run(() => this.#open(folder))
    } finally {
      this.#isOpening = false
      this.publish()
    }
  }

  /** Whether a folder may run: the one in the profile is ours, the others are asked for. */
  async isTrusted(folder: string): Promise<boolean> {
    return folder === this.#options.defaultFolder || (await this.#options.trust.isTrusted(folder))
  }

  /** Who is connected is asked there from now on. */
  serveTo(clients: ConnectedClients): void {
    this.#clients = clients
    this.publish()
  }

  /** What clients did, and how often these entries were called. */
  activity(keys: readonly string[]): RegistryActivity {
    return registryActivity(this.#live, this.#clients?.list() ?? [], keys)
  }

  state(): RegistryState {
    const folder = this.#folder
    const clients = this.#clients
    return registryState(this.#live, {
      workspace: {
        folder,
        name: this.#live?.config.name ?? path.basename(folder),
        isDefault: folder === this.#options.defaultFolder,
        generation: this.#generation,
      },
      trust: this.#isTrusted ? 'trusted' : 'asked',
      wouldRun: this.#wouldRun,
      opening: this.#isOpening,
      serving: this.registry.isOn,
      faults: this.#faults,
      clients: clients?.list() ?? [],
      subscribersOf: (uri) => clients?.subscribersOf(uri) ?? 0,
    })
  }

  /** @throws HostError, StorageError */
  async amend(key: string, amendment: EntryAmendment | null): Promise<RegistryState> {
    await hostErrors(() => this.#opened().amend(key, amendment ?? undefined))
    return this.state()
  }

  /**
   * Serves clients, or none, now and at later starts of this workspace: it is kept in its `patchbay.json`.
   *
   * @throws StorageError; then nothing is changed
   */
  async setServing(serving: boolean): Promise<RegistryState> {
    // A folder that is being opened has its own switch.
    await this.#turns.run(async () => {
      await this.#live?.setEnabled(serving)
      this.registry.switch(serving)
    })
    this.publish()
    return this.state()
  }

  /** Lets the open folder run, now and at later starts. @throws HostError if it is not the one that was shown */
  async trust(folder: string): Promise<RegistryState> {
    if (folder !== this.#folder) {
      throw new HostError('NOT_FOUND', `${folder} is not open any more; ${this.#folder} is.`)
    }
    await this.#options.trust.trust(folder)
    await this.#turns.run(() => this.#open(folder))
    return this.state()
  }

  log(file?: string): ScriptLog {
    return { generation: this.#generation, lines: [...(this.#live?.log(file) ?? [])] }
  }

  revisions(file: string): ScriptRevision[] {
    return (this.#live?.revisions(file) ?? []).map(({ error, ...revision }) => ({
      ...revision,
      ...(error !== undefined && {
        error: { ...error, ...(error.at !== undefined && { at: { ...error.at } }) },
      }),
    }))
  }

  /** @throws HostError */
  async backTo(file: string, revision: number): Promise<{ written: string[] }> {
    const written = await hostErrors(() => this.#opened().backTo(file, revision))
    return { written: [...written] }
  }

  /** @throws HostError */
  switchOn(file: string): RegistryState {
    this.#opened().switchOn(file)
    return this.state()
  }

  /** @throws HostError */
  async schemaDiff(key: string, from: number, to: number | undefined): Promise<SchemaDiff> {
    const { before, after, changes } = await hostErrors(() =>
      Promise.resolve().then(() => this.#opened().differences(key, from, to)),
    )
    return {
      ...(before !== undefined && { before: JSON.stringify(before, undefined, 2) }),
      ...(after !== undefined && { after: JSON.stringify(after, undefined, 2) }),
      changes: changes.map((change) => ({ ...change })),
      breaking: changes.some(({ breaking }) => breaking),
    }
  }

  /** @throws HostError that says why the source cannot be served; then nothing is changed */
  async addSource(source: AddedSource): Promise<RegistryState> {
    await hostErrors(() => this.#opened().addSource(source))
    return this.state()
  }

  /** @throws HostError */
  async removeSource(source: AddedSource): Promise<RegistryState> {
    await hostErrors(() => this.#opened().removeSource(source))
    return this.state()
  }

  /** Serves another folder from now on. @throws HostError if there is none */
  async openWorkspace(folder: string): Promise<RegistryState> {
    if (!path.isAbsolute(folder) || !(await isFolder(folder))) {
      throw new HostError('NO_FOLDER', `${folder} is not a folder; give the whole path of one that is there.`)
    }
    const place = path.resolve(folder)
    const { settings, defaultFolder } = this.#options
    await this.#turns.run(() => this.#open(place))
    await settings.update(({ registryFolder: _, ...rest }) =>
      place === defaultFolder ? rest : { ...rest, registryFolder: place },
    )
    return this.state()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#activityTimer)
    await this.#turns.run(async () => {
      this.registry.put(undefined)
      await this.#live?.close()
      this.#live = undefined
    })
  }

  /** Publishes to pages, after other changes of the same moment. */
  publish(): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#options.changed()
    }, NOTIFY_MS)
  }

  /** Publishes that clients did something, and which entries they called; once for everything of the same moment. */
  publishActivity(keys: readonly string[] = []): void {
    if (this.#closed) return
    for (const key of keys) this.#called.add(key)
    this.#activityTimer ??= setTimeout(() => {
      this.#activityTimer = undefined
      const called = [...this.#called]
      this.#called.clear()
      this.#options.active(called)
    }, NOTIFY_MS)
  }

  /** @throws HostError while nothing may run */
  #opened(): LiveWorkspace {
    if (this.#live !== undefined) return this.#live
    throw new HostError('NOT_TRUSTED', `Nothing of ${this.#folder} runs: say first that you trust it.`)
  }

  /** Opens a folder in place of the one before, or shows what it would run. */
  async #open(folder: string): Promise<void> {
    const isTrusted = await this.isTrusted(folder)
    const wouldRun = isTrusted ? [] : await previewTrust(folder)
    const before = this.#live
    this.#live = undefined
    this.#generation += 1
    this.#folder = folder
    this.#faults = []
    this.#isTrusted = isTrusted
    this.#wouldRun = wouldRun
    this.#isOpening = true
    this.publish()
    try {
      if (this.#isTrusted) await this.#load(folder)
      this.registry.switch(this.live?.isEnabled ?? true)
      this.registry.put(this.live?.registry)
      await before?.close()
      await this.#options.onFolder?.(folder)
    } finally {
      this.#isOpening = false
      this.publish()
    }
  }

  async #load(folder: string): Promise<void> {
    const { documentOf, scriptHostOf, configure, answers, masking, types, logged } = this.#options
    await this.#writeTypes(folder, types)
    let host: ScriptHost | undefined
    try {
      host = scriptHostOf(folder)
      const live = await LiveWorkspace.open({
        folder,
        host,
        document: documentOf(folder),
        masking,
        ...(configure !== undefined && { configure: configure(folder) }),
        ...(answers !== undefined && { answers: answers(folder) }),
      })
      // Its first lines were written while it was opened: who asked for the log before asks again.
      const generation = (this.#generation += 1)
      live.onChange((change) => {
        // It goes on for a moment after another folder was opened.
        if (live !== this.#live) return
        if (change.type === 'log') {
          logged({ generation, lines: [...change.lines] })
          return
        }
        if (change.type === 'calls') {
          this.publishActivity(change.keys)
          return
        }
        this.registry.switch(live.isEnabled)
        this.publish()
      })
      this.#live = live
    } catch (error) {
      await host?.close()
      const message = messageOf(error)
      this.#faults = [...this.#faults, { code: 'workspace', message }]
    }
  }

  /** Scripts run without types; the reason is reported to whoever edits them. */
  async #writeTypes(folder: string, types: string | undefined): Promise<void> {
    if (types === undefined) return
    try {
      await writeWorkspaceTypes(folder, types)
      await writeNew(path.join(folder, 'tsconfig.json'), WORKSPACE_TSCONFIG)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      this.#faults = [...this.#faults, { code: 'types', message: error.message }]
    }
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

async function hostErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LiveError)) throw error
    throw new HostError(CODES[error.code], error.message, { cause: error })
  }
}
