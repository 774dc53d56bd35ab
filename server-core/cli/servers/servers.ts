import { approvalDetails } from '../../host/servers/approval-details.ts'
import type { Approval } from '../../host/contract/servers.ts'
import { summaryOf, type StoredServer, type ServerStore } from '../../profile/server-store.ts'
import { describeApproval } from './describe-approval.ts'
import { ExitCode, UnreachableError, UsageError } from '../output/exit-code.ts'
import { isForPerson, writeStderr, writeJson, writeText } from '../output/output.ts'
import { checkedDraft, draftOf } from '../connection/server-draft.ts'
import { ownCommand } from '../output/own-command.ts'
import { choose, personHere, type Person } from '../questions/person.ts'
import { openServerStore, type OpenedServerStore } from '../connection/open-server-store.ts'
import type { ServersCommand } from './servers-flags.ts'
import { table } from '../output/table.ts'

type Action<Name extends ServersCommand['action']> = Extract<ServersCommand, { readonly action: Name }>

/**
 * `patchbay servers`: lists and changes the stored servers. An open window sees each change. Rejects with a `HostError`
 * for an unknown name, and with a `StorageError` if a file cannot be used.
 */
export async function servers(command: ServersCommand, signal: AbortSignal): Promise<ExitCode> {
  const store = await openServerStore(command)
  switch (command.action) {
    case 'list':
      return list(command, store)
    case 'show':
      return show(command, store)
    case 'add':
      return add(command, store)
    case 'approve':
      return approve(command, store, signal)
    case 'remove':
      return remove(command, store)
    case 'rename':
      return rename(command, store)
  }
}

async function list(
  { json }: Action<'list'>,
  { storedServers: storedServers, file }: OpenedServerStore,
): Promise<ExitCode> {
  const all = await storedServers.list()
  if (!isForPerson(json)) await writeJson(all.map(stateOf))
  else if (all.length === 0) await writeText(`There is no stored server in ${file}.`)
  else {
    const rows = all.map((stored) => {
      const { name, approval, transport, summary } = stateOf(stored)
      return [name, APPROVALS[approval], transport, summary]
    })
    await writeText(table([['Name', 'Approval', 'Transport', 'Runs or connects to'], ...rows]))
  }
  return ExitCode.ok
}

async function show(
  { name, json }: Action<'show'>,
  { storedServers: storedServers }: OpenedServerStore,
): Promise<ExitCode> {
  const stored = await storedServers.named(name)
  const details = await approvalDetails(stored)
  if (!isForPerson(json)) await writeJson({ ...stateOf(stored), ...details })
  else await writeText(`${describeApproval(details)}\nApproval: ${APPROVALS[stateOf(stored).approval]}`)
  return ExitCode.ok
}

async function add(
  { name, target, json }: Action<'add'>,
  { storedServers: storedServers }: OpenedServerStore,
): Promise<ExitCode> {
  const draft = draftOf(name, target)
  await requireFreeName(storedServers, draft.name)
  const id = await storedServers.add(draft, 'user')
  const stored = await storedServers.look(id)
  if (!isForPerson(json)) await writeJson(stateOf(stored))
  else {
    const next = `${ownCommand()} servers approve ${quoted(stored.entry.name)}`
    await writeText(`"${stored.entry.name}" is stored. Before it can be used, approve it: ${next}`)
  }
  return ExitCode.ok
}

async function approve(
  { names, yes, hash, json }: Action<'approve'>,
  { storedServers: storedServers }: OpenedServerStore,
  signal: AbortSignal,
): Promise<ExitCode> {
  const approved = []
  // Each name is looked up before anything is approved.
  const all = await Promise.all(
    names.map(async (name) => storedServers.get((await storedServers.named(name)).entry.id)),
  )
  for (const stored of all) {
    const details = await approvalDetails(stored)
    if (hash !== undefined && hash !== details.hash) {
      throw new UnreachableError(
        `${describeApproval(details)}\nIt was not approved: it does not have the hash ${hash}, so it was changed since.`,
      )
    }
    if (stored.approval !== 'approved') {
      await confirmApproval(details, yes ? 'yes' : personHere(), signal)
      await storedServers.approve(details.id, details.hash)
      writeStderr(`"${details.name}" is approved.`)
    } else writeStderr(`"${details.name}" is approved already.`)
    approved.push(stateOf(await storedServers.look(details.id)))
  }
  if (!isForPerson(json)) await writeJson(approved)
  return ExitCode.ok
}

/**
 * Shows everything that an approval covers, and returns if it may be approved.
 *
 * @param who `yes`: nobody is asked; undefined: there is nobody to ask
 * @throws UnreachableError unless somebody says yes
 */
export async function confirmApproval(
  details: Approval,
  who: Person | 'yes' | undefined,
  signal: AbortSignal,
): Promise<void> {
  const shown = describeApproval(details)
  if (who === 'yes') {
    writeStderr(shown)
    return
  }
  if (who === undefined) {
    throw new UnreachableError(
      `${shown}\nIt was not approved: there is no terminal to ask at. Add --yes to approve what is shown, or ` +
        `--hash ${details.hash} to approve exactly this.`,
    )
  }
  who.print(shown)
  if ((await choose(who, 'Approve it?', ['no', 'yes'], signal)) === 'no')
    throw new UnreachableError(`"${details.name}" was not approved.`)
}

async function remove(
  { names, json }: Action<'remove'>,
  { storedServers: storedServers }: OpenedServerStore,
): Promise<ExitCode> {
  const all = await Promise.all(names.map((name) => storedServers.named(name)))
  for (const stored of all) await storedServers.remove(stored.entry.id)
  if (!isForPerson(json)) await writeJson(all.map(stateOf))
  else await writeText(all.map(({ entry }) => `"${entry.name}" is removed.`).join('\n'))
  return ExitCode.ok
}

async function rename(
  { name, newName, json }: Action<'rename'>,
  { storedServers: storedServers }: OpenedServerStore,
): Promise<ExitCode> {
  const { entry } = await storedServers.named(name)
  const { hasBearerToken: _has, ...draft } = await storedServers.draft(entry.id)
  const renamed = checkedDraft({ ...draft, name: newName })
  if (renamed.name !== entry.name) {
    await requireFreeName(storedServers, renamed.name)
    await storedServers.update(entry.id, renamed)
  }
  const after = await storedServers.look(entry.id)
  if (!isForPerson(json)) await writeJson(stateOf(after))
  else await writeText(`"${entry.name}" is called "${after.entry.name}" now.`)
  return ExitCode.ok
}

async function requireFreeName(storedServers: ServerStore, name: string): Promise<void> {
  if ((await storedServers.list()).some(({ entry }) => entry.name === name))
    throw new UsageError(`there is a server "${name}" already; choose another name, or remove that one first`)
}

const APPROVALS: Readonly<Record<StoredServer['approval'], string>> = {
  approved: 'approved',
  needed: 'not approved',
  changed: 'changed since it was approved',
}

/** What JSON says of a server; no secret is in it. */
function stateOf({ entry, target, approval, hash }: StoredServer) {
  const { id, name, origin, transport } = entry
  return { id, name, origin, approval, transport, summary: summaryOf(target), hash }
}

/** As a shell takes it for one word. */
function quoted(name: string): string {
  return /^[\w.@/-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
}
