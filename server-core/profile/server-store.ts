import path from 'node:path'
import { approvalHash, approvalKey, approvalsDocument, type Approvable } from './approvals.ts'
import type { DocumentFile, OnSetAside } from '../workspace/document-file.ts'
import type { ApprovalsDocument } from './approvals.ts'
import type { SecretStore } from './secret-store.ts'
import {
  newEntryId,
  workspaceDocument,
  type ServerEntry,
  type WorkspaceDocument,
} from '../workspace/server-entries.ts'
import { isUnreadableSecret, StorageError } from '../workspace/storage-error.ts'
import type { ServerDraft } from './server-target.ts'
import { ProfileError } from './profile-error.ts'
import { choicesOf, type Choices } from './choices.ts'
import { entryOf, draftOf, type Secrets } from './entry-draft.ts'
import { withoutAddressSecrets } from './secret-fields.ts'
import { uniquelyNamed } from './unique-name.ts'
import { secretsUsed, withVersions, type SecretReference } from './secret-keys.ts'

export type ServerStoreOptions = {
  /** `patchbay.json` of the open workspace. */
  readonly file: string
  /** Where approvals are kept, in the profile. */
  readonly approvalsFile: string
  readonly secretStore: SecretStore
  /** Relative folders of entries count from here, and entries without a folder start here. */
  readonly folder: string
  readonly onSetAside: OnSetAside
}

export type ApprovalState = 'approved' | 'needed' | 'changed'

/** An entry with everything in it, and how its approval stands. */
export type StoredServer = {
  readonly entry: ServerEntry
  /** What would be run or sent, secrets included. Stays in the host. */
  readonly target: Approvable
  readonly hash: string
  readonly approval: ApprovalState
  /** When an earlier or the present version was approved. */
  readonly approvedAt?: number
  /** Its secrets cannot be opened: `target` and `hash` are without them, and whether it changed is not known. */
  readonly locked?: StorageError
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
 * Every question reads the files again, so a change made by another program is seen and voids its approval.
 */
export class ServerStore {
  readonly #options: ServerStoreOptions
  readonly #entries: DocumentFile<WorkspaceDocument>
  readonly #approvals: DocumentFile<ApprovalsDocument>
  readonly #removed = new Map<string, Removed>()

  constructor(options: ServerStoreOptions) {
    this.#options = options
    this.#entries = workspaceDocument(options.file, options.onSetAside)
    this.#approvals = approvalsDocument(options.approvalsFile, options.onSetAside)
  }

  /**
   * Takes away what a process that was killed in the middle of a change left in the secret store; what cannot be
   * taken away now stays noted. Nothing else may be changing the profile meanwhile.
   */
  async settle(): Promise<void> {
    const { unsettled = [] } = await this.#approvals.read()
    const { servers } = await this.#entries.read()
    const own = unsettled.filter(
      (key) => key.startsWith('server/') && key.includes(`@${this.#options.file}/`),
    )
    if (own.length === 0) return
    const used = new Set(servers.flatMap((entry) => this.#keysOf(entry)))
    try {
      for (const key of own) if (!used.has(key)) await this.#options.secretStore.delete(key)
    } catch (error) {
      if (error instanceof StorageError) return
      throw error
    }
    await this.#recordSettled(own)
  }

  /** All entries in the order of the file, those whose secrets cannot be opened too. */
  async list(): Promise<StoredServer[]> {
    const [{ servers }, { approvals }] = await Promise.all([this.#entries.read(), this.#approvals.read()])
    return Promise.all(servers.map((entry) => this.#stored(entry, approvals)))
  }

  /** @throws ProfileError `NOT_FOUND`; StorageError if its secrets cannot be opened */
  async get(id: string): Promise<StoredServer> {
    const stored = await this.look(id)
    if (stored.locked !== undefined) throw stored.locked
    return stored
  }

  /** Like `get`, and gives an entry whose secrets cannot be opened without them. @throws ProfileError `NOT_FOUND` */
  async look(id: string): Promise<StoredServer> {
    const [{ servers }, { approvals }] = await Promise.all([this.#entries.read(), this.#approvals.read()])
    return this.#stored(found(servers, id), approvals)
  }

  /**
   * The entry of that name or id that `patchbay … --server NAME` means.
   *
   * @throws ProfileError `NOT_FOUND`; `AMBIGUOUS` if several have the name, which only other programs bring about
   */
  async named(name: string): Promise<StoredServer> {
    const all = await this.list()
    const one = all.find(({ entry }) => entry.id === name)
    if (one !== undefined) return one
    const [first, ...others] = all.filter(({ entry }) => entry.name === name)
    if (first !== undefined && others.length === 0) return first
    if (first !== undefined) {
      const ids = [first, ...others]
        .map(({ entry, target }) => `${entry.id} (${summaryOf(target)})`)
        .join(', ')
      throw new ProfileError(
        'AMBIGUOUS',
        `${others.length + 1} servers in ${this.#options.file} have the name "${name}". Name one by its id: ${ids}.`,
      )
    }
    const names = all.map(({ entry }) => `"${entry.name}"`).join(', ')
    const known =
      names === ''
        ? 'It has none yet: add one in the window, or with patchbay servers add.'
        : `It has ${names}.`
    throw new ProfileError(
      'NOT_FOUND',
      `There is no server "${name}" in ${this.#options.file}. ${known} --profile DIR chooses another profile.`,
    )
  }

  /** Stores a new entry, which is not approved. Gives its id. */
  async add(draft: ServerDraft, origin: ServerEntry['origin']): Promise<string> {
    const id = newEntryId()
    const { entry, secrets } = entryOf(draft, { id, origin }, {})
    const added = withVersions(entry, secrets, { used: [], secrets: {} })
    await this.#changeSecrets(undefined, { entry: added, secrets }, () =>
      this.#entries.update((current) => ({
        ...current,
        servers: [...current.servers, uniquelyNamed(added, current.servers)],
      })),
    )
    return id
  }

  /** Replaces an entry. What is approved changes with it: a change of what is run or sent voids the approval. */
  async update(id: string, draft: ServerDraft): Promise<void> {
    const before = found((await this.#entries.read()).servers, id)
    const kept = await this.#readableSecrets(before)
    const { entry, secrets } = entryOf(draft, { id, origin: before.origin }, kept)
    const after = withVersions(entry, secrets, { used: secretsUsed(before), secrets: kept })
    await this.#changeSecrets(before, { entry: after, secrets }, () =>
      this.#entries.update((current) => {
        found(current.servers, id)
        return {
          ...current,
          servers: current.servers.map((each) =>
            each.id === id ? uniquelyNamed(after, current.servers) : each,
          ),
        }
      }),
    )
  }

  /**
   * Changes what is chosen about speaking with a server. What is reached and what is sent stays the same and the user
   * is the one who chooses, so an approval that stands goes over to it.
   *
   * @throws ProfileError `NOT_FOUND`; StorageError if its secrets cannot be opened
   */
  async choose(id: string, change: (entry: ServerEntry) => ServerEntry): Promise<void> {
    const before = await this.get(id)
    const after = change(before.entry)
    await this.#entries.update((current) => {
      const present = found(current.servers, id)
      if (JSON.stringify(present) !== JSON.stringify(before.entry)) {
        const message = `"${before.entry.name}" was changed by another program meanwhile. Try it again.`
        throw new ProfileError('APPROVAL_OUTDATED', message)
      }
      return { ...current, servers: current.servers.map((each) => (each.id === id ? after : each)) }
    })
    if (before.approval !== 'approved') return
    const { secrets } = await this.#openSecrets(after)
    const hash = approvalHash(this.#target(after, secrets))
    await this.#saveApproval(id, { hash, at: before.approvedAt ?? Date.now() })
  }

  /** What was chosen about the server that Patchbay itself hosts. */
  async embeddedChoices(): Promise<Choices> {
    return choicesOf((await this.#entries.read()).thisApp ?? {})
  }

  /** Keeps what is chosen about the server that Patchbay itself hosts. */
  async chooseEmbedded(choices: Choices): Promise<void> {
    await this.#entries.update(({ thisApp, ...rest }) => {
      const { protocol: _protocol, declaration: _declaration, ...others } = thisApp ?? {}
      return { ...rest, thisApp: { ...others, ...choices } }
    })
  }

  /** What an editor starts from; no secret is in it. */
  async draft(id: string): Promise<ServerDraft & { hasBearerToken: boolean }> {
    return draftOf(found((await this.#entries.read()).servers, id))
  }

  /** Removes an entry, its secrets and its approval; `restore` restores them while this process runs. */
  async remove(id: string): Promise<void> {
    const { servers } = await this.#entries.read()
    const entry = found(servers, id)
    const secrets = await this.#readableSecrets(entry)
    const approval = (await this.#approvals.read()).approvals[this.#approvalKey(id)]
    const index = servers.indexOf(entry)
    await this.#changeSecrets(entry, undefined, async () => {
      await this.#entries.update((current) => ({
        ...current,
        servers: current.servers.filter((each) => each.id !== id),
      }))
      this.#removed.set(id, { entry, index, secrets, ...(approval === undefined ? {} : { approval }) })
      await this.#forgetApproval(id)
    })
  }

  /** Restores what `remove` removed. @throws ProfileError `NOT_FOUND` */
  async restore(id: string): Promise<void> {
    const removed = this.#removed.get(id)
    if (removed === undefined)
      throw new ProfileError('NOT_FOUND', 'This server can no longer be restored. Add it again.')
    await this.#changeSecrets(undefined, removed, async () => {
      // An approval without its entry allows nothing, an entry without its approval asks again.
      if (removed.approval !== undefined) await this.#saveApproval(id, removed.approval)
      await this.#entries.update((current) => ({
        ...current,
        servers: current.servers.toSpliced(
          Math.min(removed.index, current.servers.length),
          0,
          uniquelyNamed(removed.entry, current.servers),
        ),
      }))
    })
    this.#removed.delete(id)
  }

  /**
   * Approves an entry as it was shown.
   *
   * @param hash the hash that was shown with it
   * @throws ProfileError `APPROVAL_OUTDATED` if the entry is another by now
   */
  async approve(id: string, hash: string): Promise<void> {
    const stored = await this.get(id)
    if (stored.hash !== hash) {
      const message = `"${stored.entry.name}" was changed after it was shown. Look at it again and approve what it is now.`
      throw new ProfileError('APPROVAL_OUTDATED', message)
    }
    await this.#saveApproval(id, { hash, at: Date.now() })
  }

  async #stored(entry: ServerEntry, approvals: ApprovalsDocument['approvals']): Promise<StoredServer> {
    const { secrets, locked } = await this.#openSecrets(entry)
    const target = this.#target(entry, secrets)
    const hash = approvalHash(target)
    const key = this.#approvalKey(entry.id)
    const approved = Object.hasOwn(approvals, key) ? approvals[key] : undefined
    const isApproved = locked !== undefined || approved?.hash === hash
    return {
      entry,
      target,
      hash,
      approval: approved === undefined ? 'needed' : isApproved ? 'approved' : 'changed',
      ...(approved === undefined ? {} : { approvedAt: approved.at }),
      ...(locked === undefined ? {} : { locked }),
    }
  }

  #target(entry: ServerEntry, secrets: Secrets): Approvable {
    const values = (kind: 'env' | 'header', pairs: readonly { name: string; value?: unknown }[]) =>
      pairs.map(({ name, value }) => ({
        name,
        value: typeof value === 'string' ? value : (secrets[`${kind}/${name}`] ?? ''),
      }))
    const choices = choicesOf(entry)
    if (entry.transport === 'stdio') {
      const { command, args } = entry
      const cwd = path.resolve(this.#options.folder, entry.cwd ?? '.')
      return { ...choices, transport: 'stdio', command, args, cwd, env: values('env', entry.env) }
    }
    const bearerToken = secrets['bearer']
    return {
      ...choices,
      transport: entry.transport,
      url: entry.secretUrl === true ? (secrets['url'] ?? entry.url) : entry.url,
      headers: values('header', entry.headers),
      ...(bearerToken === undefined ? {} : { bearerToken }),
    }
  }

  /** The secrets of an entry, and the error if some of them cannot be opened. */
  async #openSecrets(entry: ServerEntry): Promise<{ secrets: Secrets; locked: StorageError | undefined }> {
    const secrets: Record<string, string> = {}
    let locked: StorageError | undefined
    for (const used of secretsUsed(entry)) {
      try {
        const value = await this.#options.secretStore.get(this.#secretKey(entry.id, used))
        if (value !== undefined) secrets[used.name] = value
      } catch (error) {
        if (!isUnreadableSecret(error)) throw error
        locked ??= error
      }
    }
    return { secrets, locked }
  }

  /** What a change starts from: a secret that cannot be decrypted can be entered again. */
  async #readableSecrets(entry: ServerEntry): Promise<Secrets> {
    const { secrets, locked } = await this.#openSecrets(entry)
    if (locked?.code === 'key-chain-locked') throw locked
    return secrets
  }

  /**
   * Changes an entry together with its secrets. The new values are stored first, beside the old ones; saving the
   * entry is the step that counts, and the old ones go last. Whenever it is killed, the entry finds the secrets it
   * names, and `settle` takes the others away.
   */
  async #changeSecrets(
    before: ServerEntry | undefined,
    after: { readonly entry: ServerEntry; readonly secrets: Secrets } | undefined,
    save: () => Promise<unknown>,
  ): Promise<void> {
    const old = new Set(before === undefined ? [] : this.#keysOf(before))
    const added =
      after === undefined
        ? []
        : secretsUsed(after.entry).filter((used) => !old.has(this.#secretKey(after.entry.id, used)))
    const kept = new Set(after === undefined ? [] : this.#keysOf(after.entry))
    const gone = [...old].filter((key) => !kept.has(key))
    const changing = [...gone, ...[...kept].filter((key) => !old.has(key))]
    await this.#recordUnsettled(changing)
    for (const used of added) {
      const value = after?.secrets[used.name]
      if (after !== undefined && value !== undefined)
        await this.#options.secretStore.set(this.#secretKey(after.entry.id, used), value)
    }
    await save()
    for (const key of gone) await this.#options.secretStore.delete(key)
    await this.#recordSettled(changing)
  }

  async #recordUnsettled(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#approvals.update((current) => ({
      ...current,
      unsettled: [...new Set([...(current.unsettled ?? []), ...keys])],
    }))
  }

  async #recordSettled(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#approvals.update(({ unsettled = [], ...rest }) => {
      const left = unsettled.filter((key) => !keys.includes(key))
      return left.length === 0 ? rest : { ...rest, unsettled: left }
    })
  }

  #keysOf(entry: ServerEntry): string[] {
    return secretsUsed(entry).map((used) => this.#secretKey(entry.id, used))
  }

  /** The file is part of the key: an entry of another workspace with the same id reads none of our secrets. */
  #secretKey(id: string, { name, version }: SecretReference): string {
    return `server/${this.#approvalKey(id)}/${name}${version === undefined ? '' : `#${version}`}`
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

/** The command line or the URL of a target, in one line, without secrets in addresses. */
export function summaryOf(target: Approvable): string {
  const whole = target.transport === 'stdio' ? [target.command, ...target.args].join(' ') : target.url
  return withoutAddressSecrets(whole)
}

function found(servers: readonly ServerEntry[], id: string): ServerEntry {
  const entry = servers.find((each) => each.id === id)
  if (entry !== undefined) return entry
  throw new ProfileError(
    'NOT_FOUND',
    'There is no such server any more. It was removed, perhaps in another window.',
  )
}
