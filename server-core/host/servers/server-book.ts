import path from 'node:path'
import { approvalHash, approvalKey, approvalsDocument, type Approvable } from '../../workspace/approvals.ts'
import type { DocumentFile, SetAside } from '../../workspace/document-file.ts'
import type { ApprovalsDocument } from '../../workspace/approvals.ts'
import type { SecretStore } from '../../workspace/secret-store.ts'
import {
  newEntryId,
  workspaceDocument,
  type ServerEntry,
  type WorkspaceDocument,
} from '../../workspace/server-entries.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { HostError } from '../host-error.ts'
import { entryOf, draftOf, type Secrets } from './entry-draft.ts'

export type BookOptions = {
  /** `patchbay.json` of the open workspace. */
  readonly file: string
  /** Where approvals are kept, in the profile. */
  readonly approvalsFile: string
  readonly secretStore: SecretStore
  /** Relative folders of entries count from here, and entries without a folder start here. */
  readonly folder: string
  readonly onSetAside: (setAside: SetAside) => void
}

export type ApprovalState = 'approved' | 'needed' | 'changed'

/** An entry with everything in it, and how its approval stands. */
export type BookedServer = {
  readonly entry: ServerEntry
  /** What would be run or sent, secrets included. Stays in the host. */
  readonly target: Approvable
  readonly hash: string
  readonly approval: ApprovalState
  /** When an earlier or the present version was approved. */
  readonly approvedAt?: number
}

type Removed = {
  readonly entry: ServerEntry
  readonly index: number
  readonly secrets: Secrets
  readonly approval?: Approved
}
type Approved = { readonly hash: string; readonly at: number }

/**
 * The stored servers of a workspace: entries in its file, secrets in the secret store, approvals in the profile.
 * Every question reads the files anew, so a change made by another program is seen and voids its approval.
 */
export class ServerBook {
  readonly #options: BookOptions
  readonly #entries: DocumentFile<WorkspaceDocument>
  readonly #approvals: DocumentFile<ApprovalsDocument>
  readonly #removed = new Map<string, Removed>()

  constructor(options: BookOptions) {
    this.#options = options
    this.#entries = workspaceDocument(options.file, options.onSetAside)
    this.#approvals = approvalsDocument(options.approvalsFile, options.onSetAside)
  }

  /** All entries in the order of the file. */
  async list(): Promise<BookedServer[]> {
    const [{ servers }, { approvals }] = await Promise.all([this.#entries.read(), this.#approvals.read()])
    return Promise.all(servers.map((entry) => this.#booked(entry, approvals)))
  }

  /** @throws HostError `NOT_FOUND` */
  async get(id: string): Promise<BookedServer> {
    const [{ servers }, { approvals }] = await Promise.all([this.#entries.read(), this.#approvals.read()])
    return this.#booked(found(servers, id), approvals)
  }

  /** The entry of that name or id that `patchbay … --server NAME` means. @throws HostError `NOT_FOUND` */
  async named(name: string): Promise<BookedServer> {
    const all = await this.list()
    const one = all.find(({ entry }) => entry.id === name) ?? all.find(({ entry }) => entry.name === name)
    if (one !== undefined) return one
    const names = all.map(({ entry }) => `"${entry.name}"`).join(', ')
    const known = names === '' ? 'It has none yet: add one in the window.' : `It has ${names}.`
    throw new HostError('NOT_FOUND', `There is no server "${name}" in ${this.#options.file}. ${known}`)
  }

  /** Stores a new entry, which is not approved. Gives its id. */
  async add(draft: ServerDraft, origin: ServerEntry['origin']): Promise<string> {
    const id = newEntryId()
    const { entry, secrets } = entryOf(draft, { id, origin }, {})
    await this.#writeSecrets(id, {}, secrets)
    await this.#entries.update((current) => ({ ...current, servers: [...current.servers, entry] }))
    return id
  }

  /** Replaces an entry. What is approved changes with it: a change of what is run or sent voids the approval. */
  async update(id: string, draft: ServerDraft): Promise<void> {
    const before = found((await this.#entries.read()).servers, id)
    const kept = await this.#readSecrets(before)
    const { entry, secrets } = entryOf(draft, { id, origin: before.origin }, kept)
    await this.#writeSecrets(id, kept, secrets)
    await this.#entries.update((current) => {
      found(current.servers, id)
      return { ...current, servers: current.servers.map((each) => (each.id === id ? entry : each)) }
    })
  }

  /** What an editor starts from; values of secret headers and the bearer token are not in it. */
  async draft(id: string): Promise<ServerDraft & { hasBearerToken: boolean }> {
    const entry = found((await this.#entries.read()).servers, id)
    return draftOf(entry, await this.#readSecrets(entry))
  }

  /** Takes an entry, its secrets and its approval away; `restore` puts them back while this process runs. */
  async remove(id: string): Promise<void> {
    const { servers } = await this.#entries.read()
    const entry = found(servers, id)
    const secrets = await this.#readSecrets(entry)
    const approval = (await this.#approvals.read()).approvals[this.#approvalKey(id)]
    const index = servers.indexOf(entry)
    this.#removed.set(id, { entry, index, secrets, ...(approval === undefined ? {} : { approval }) })
    await this.#entries.update((current) => ({
      ...current,
      servers: current.servers.filter((each) => each.id !== id),
    }))
    await this.#forgetApproval(id)
    await this.#writeSecrets(id, secrets, {})
  }

  /** Puts back what `remove` took away. @throws HostError `NOT_FOUND` */
  async restore(id: string): Promise<void> {
    const removed = this.#removed.get(id)
    if (removed === undefined)
      throw new HostError('NOT_FOUND', 'This server cannot be put back any more. Add it again.')
    await this.#writeSecrets(id, {}, removed.secrets)
    await this.#entries.update((current) => ({
      ...current,
      servers: current.servers.toSpliced(Math.min(removed.index, current.servers.length), 0, removed.entry),
    }))
    if (removed.approval !== undefined) await this.#saveApproval(id, removed.approval)
    this.#removed.delete(id)
  }

  /**
   * Approves an entry as it was shown.
   *
   * @param hash the hash that was shown with it
   * @throws HostError `APPROVAL_OUTDATED` if the entry is another by now
   */
  async approve(id: string, hash: string): Promise<void> {
    const booked = await this.get(id)
    if (booked.hash !== hash) {
      const message = `"${booked.entry.name}" was changed after it was shown. Look at it again and approve what it is now.`
      throw new HostError('APPROVAL_OUTDATED', message)
    }
    await this.#saveApproval(id, { hash, at: Date.now() })
  }

  async #booked(entry: ServerEntry, approvals: ApprovalsDocument['approvals']): Promise<BookedServer> {
    const target = this.#target(entry, await this.#readSecrets(entry))
    const hash = approvalHash(target)
    const key = this.#approvalKey(entry.id)
    const approved = Object.hasOwn(approvals, key) ? approvals[key] : undefined
    const approval = approved === undefined ? 'needed' : approved.hash === hash ? 'approved' : 'changed'
    return { entry, target, hash, approval, ...(approved === undefined ? {} : { approvedAt: approved.at }) }
  }

  #target(entry: ServerEntry, secrets: Secrets): Approvable {
    const values = (kind: 'env' | 'header', pairs: readonly { name: string; value?: unknown }[]) =>
      pairs.map(({ name, value }) => ({
        name,
        value: typeof value === 'string' ? value : (secrets[`${kind}/${name}`] ?? ''),
      }))
    if (entry.transport === 'stdio') {
      const { command, args } = entry
      const cwd = path.resolve(this.#options.folder, entry.cwd ?? '.')
      return { transport: 'stdio', command, args, cwd, env: values('env', entry.env) }
    }
    const bearerToken = secrets['bearer']
    return {
      transport: 'http',
      url: entry.url,
      headers: values('header', entry.headers),
      ...(bearerToken === undefined ? {} : { bearerToken }),
    }
  }

  async #readSecrets(entry: ServerEntry): Promise<Secrets> {
    const names =
      entry.transport === 'stdio'
        ? entry.env.filter((pair) => 'secret' in pair).map((pair) => `env/${pair.name}`)
        : [
            ...entry.headers.filter((pair) => 'secret' in pair).map((pair) => `header/${pair.name}`),
            ...(entry.bearer === true ? ['bearer'] : []),
          ]
    const found: Record<string, string> = {}
    for (const name of names) {
      const value = await this.#options.secretStore.get(this.#secretKey(entry.id, name))
      if (value !== undefined) found[name] = value
    }
    return found
  }

  async #writeSecrets(id: string, before: Secrets, after: Secrets): Promise<void> {
    for (const [name, value] of Object.entries(after)) {
      if (before[name] !== value) await this.#options.secretStore.set(this.#secretKey(id, name), value)
    }
    for (const name of Object.keys(before)) {
      if (!Object.hasOwn(after, name)) await this.#options.secretStore.delete(this.#secretKey(id, name))
    }
  }

  /** The file is part of the key: an entry of another workspace with the same id reads none of our secrets. */
  #secretKey(id: string, name: string): string {
    return `server/${this.#approvalKey(id)}/${name}`
  }

  #approvalKey(id: string): string {
    return approvalKey(this.#options.file, id)
  }

  async #saveApproval(id: string, approved: Approved): Promise<void> {
    const key = this.#approvalKey(id)
    await this.#approvals.update((current) => ({
      ...current,
      approvals: { ...current.approvals, [key]: { hash: approved.hash, at: approved.at } },
    }))
  }

  async #forgetApproval(id: string): Promise<void> {
    const key = this.#approvalKey(id)
    await this.#approvals.update((current) => {
      const { [key]: _forgotten, ...rest } = current.approvals
      return { ...current, approvals: rest }
    })
  }
}

function found(servers: readonly ServerEntry[], id: string): ServerEntry {
  const entry = servers.find((each) => each.id === id)
  if (entry !== undefined) return entry
  throw new HostError(
    'NOT_FOUND',
    'There is no such server any more. It was removed, perhaps in another window.',
  )
}
