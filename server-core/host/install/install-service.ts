import path from 'node:path'
import { defaultProfile } from '../../profile/profile-files.ts'
import { clientFile, type ClientFile, type Surroundings } from '../../install/client-file.ts'
import { CLIENTS, clientOf } from '../../install/clients.ts'
import { InstallError } from '../../install/install-error.ts'
import {
  entryToStart,
  fileState,
  installEntry,
  undoInstall,
  uninstallEntry,
} from '../../install/installer.ts'
import { entryName, type Installed, type Launcher } from '../../install/our-entry.ts'
import { tryEntry } from '../../install/try-entry.ts'
import type {
  ClientChange,
  ClientId,
  ClientRestored,
  ClientState,
  Importable,
  Trial,
} from '../contract/install.ts'
import type { ServerDraft, ServerState } from '../contract/servers.ts'
import { HostError } from '../host-error.ts'
import { Redaction } from '../../capture/redaction.ts'
import { failureOf } from '../../diagnosis/failure.ts'
import type { ServerStore } from '../../profile/server-store.ts'
import { readImportable } from './importable.ts'

export type InstallServiceOptions = {
  readonly store: ServerStore
  /** The folder whose file has the stored servers. */
  readonly workspace: string
  /** The folder that is served just now. */
  readonly served: () => { readonly folder: string; readonly isUsual: boolean }
  /** Whether the scripts of a folder may run. */
  readonly mayRun: (folder: string) => Promise<boolean>
  readonly profile: string
  readonly launcher: Launcher
  readonly identity: { readonly name: string; readonly version: string }
  /** This machine. */
  readonly surroundings: Surroundings
  /** Stores a server, unapproved. */
  readonly addServer: (draft: ServerDraft) => Promise<ServerState>
}

/** Milliseconds that a start or an answer may take in a trial. */
const TRIAL_MS = 30_000

/** Our entries in the configuration files of other clients, and the servers of those files. */
export class InstallService {
  readonly #options: InstallServiceOptions

  constructor(options: InstallServiceOptions) {
    this.#options = options
  }

  /** How every client stands. */
  clients(): Promise<ClientState[]> {
    return Promise.all(
      CLIENTS.map(async (client) => {
        const where = await this.#file(client.id)
        const { file } = where
        const state = await fileState(where, this.#options.launcher)
        const { id, title } = client
        if (state.state === 'ready') return { id, title, file, state: 'ready', entries: [...state.entries] }
        if (state.state === 'absent') return { id, title, file, state: 'absent', entries: [] }
        return { id, title, file, state: 'broken', problem: state.problem, entries: [] }
      }),
    )
  }

  /** Writes an entry for the open workspace or a stored server. @throws HostError */
  async install(input: {
    readonly client: ClientId
    readonly server?: string | undefined
    readonly name?: string | undefined
    readonly replace?: boolean | undefined
  }): Promise<ClientChange> {
    const { served, name } = await this.#whatToInstall(input.server)
    const { profile, launcher } = this.#options
    const installed = { served, ...(profile !== defaultProfile() && { profile }) }
    return refusing(async () =>
      installEntry(await this.#file(input.client), {
        name: input.name ?? name,
        launcher,
        installed,
        replace: input.replace === true,
      }),
    )
  }

  /** Removes one of our entries. @throws HostError */
  uninstall(client: ClientId, name: string): Promise<ClientChange> {
    return refusing(async () => uninstallEntry(await this.#file(client), name))
  }

  /** Puts a file back as it was before the last change. @throws HostError if somebody changed it since */
  undo(client: ClientId): Promise<ClientRestored> {
    return refusing(async () => undoInstall(await this.#file(client)))
  }

  /** Starts exactly what one of our entries says, and connects to it. @throws HostError if there is no such entry */
  async test(client: ClientId, name: string, signal: AbortSignal | undefined): Promise<Trial> {
    const { launcher, identity, workspace } = this.#options
    const entry = await refusing(async () => entryToStart(await this.#file(client), name, launcher))
    const startedAt = performance.now()
    try {
      const { tools, ...trial } = await tryEntry(entry, {
        identity,
        timeoutMs: TRIAL_MS,
        folder: workspace,
        ...(signal !== undefined && { signal }),
      })
      return { ok: true, ...trial, tools: [...tools] }
    } catch (error) {
      const ms = performance.now() - startedAt
      return { ok: false, ms, tools: [], failure: wordsOf(error) }
    }
  }

  /** The servers of all clients that are here and have some. */
  async importable(): Promise<Importable[]> {
    const stored = await this.#options.store.list()
    const all = await Promise.all(CLIENTS.map(async ({ id }) => readImportable(await this.#file(id), stored)))
    return all.filter(({ servers, problems }) => servers.length + problems.length > 0)
  }

  /** Stores servers of a client, unapproved, and gives their names; those that are stored are passed over. */
  async import(client: ClientId, names: readonly string[]): Promise<{ added: string[] }> {
    const { servers } = await readImportable(await this.#file(client), await this.#options.store.list())
    const added: string[] = []
    for (const { name, draft, isThere } of servers) {
      if (isThere || !names.includes(name)) continue
      added.push((await this.#options.addServer(draft)).name)
    }
    return { added }
  }

  #file(client: ClientId): Promise<ClientFile> {
    return clientFile(clientOf(client), this.#options.surroundings)
  }

  async #whatToInstall(server: string | undefined): Promise<{ served: Installed['served']; name: string }> {
    const { workspace, store: store, served, mayRun } = this.#options
    if (server === undefined) {
      const { folder, isUsual } = served()
      if (!(await mayRun(folder)))
        throw new HostError(
          'NOT_TRUSTED',
          `${folder} is not trusted, so no client could run it. Trust it first.`,
        )
      const name = isUsual ? 'patchbay' : entryName(path.basename(folder))
      return { served: { type: 'workspace', folder }, name }
    }
    const { entry, approval } = await store.look(server)
    if (approval !== 'approved')
      throw new HostError(
        'NOT_APPROVED',
        `"${entry.name}" is not approved, so no client could start it. Approve it first.`,
      )
    return {
      served: { type: 'server', server: entry.name, workspace },
      name: entryName(entry.name),
    }
  }
}

/** Refusals reach the window with their words. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InstallError) throw new HostError('NOT_INSTALLED', error.message, { cause: error })
    throw error
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { title, explanation, stderr } = failureOf(error, 'connecting', {
    masking: new Redaction(),
    place: 'stored',
  })
  return [`${title}. ${explanation}`, ...(stderr === undefined ? [] : [stderr.trim()])].join('\n')
}
