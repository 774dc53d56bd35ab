import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defaultProfile } from '../../profile/profile-files.ts'
import { copyDefaultWorkspace } from '../../host/registry/default-workspace.ts'
import { productVersion } from '../../host/version.ts'
import type { ClientFile } from '../../install/client-file.ts'
import { CLIENTS, type ClientId } from '../../install/clients.ts'
import { InstallError } from '../../install/install-error.ts'
import {
  entryToStart,
  fileState,
  installEntry,
  undoInstall,
  uninstallEntry,
  type EntryChange,
  type FileRestored,
  type FileState,
} from '../../install/installer.ts'
import { entryName, ourEntryFor, type Installed, type OurEntry } from '../../install/our-entry.ts'
import { tryEntry, type Trial } from '../../install/try-entry.ts'
import { listScripts } from '../../live/script-files.ts'
import { profileFiles } from '../../profile/profile-files.ts'
import { TrustStore } from '../../profile/trust-store.ts'
import { requireApproval } from './approved-entry.ts'
import { fileOf } from './client-files.ts'
import { plural } from '../../protocol/plural.ts'
import { ExitCode, UnreachableError, UsageError } from '../output/exit-code.ts'
import { describeFailure } from '../connection/failure.ts'
import type { McpCommand } from './mcp-flags.ts'
import { isForPerson, writeStderr, writeJson, writeText } from '../output/output.ts'
import { ownLauncher } from './own-launcher.ts'
import { firstWorkspace } from '../serve/workspace/program-folder.ts'
import { storedServer } from '../connection/stored-server.ts'
import { makeFolder } from '../../workspace/make-folder.ts'

type Action<D extends McpCommand['action']> = Extract<McpCommand, { readonly action: D }>

/** `patchbay mcp`: our entries in the configuration files of other clients. */
export async function mcp(command: McpCommand, signal: AbortSignal): Promise<ExitCode> {
  switch (command.action) {
    case 'install':
      return install(command)
    case 'uninstall': {
      const where = await fileOf(command.client, command)
      const name = command.name ?? (await onlyEntry(where))
      return told(command, where, await uninstallEntry(where, name))
    }
    case 'undo': {
      const where = await fileOf(command.client, command)
      return told(command, where, await undoInstall(where))
    }
    case 'status':
      return status(command)
    case 'test':
      return test(command, signal)
  }
}

async function install(command: Action<'install'>): Promise<ExitCode> {
  const where = await fileOf(command.client, command)
  const installed = await whatToInstall(command).catch((error: unknown) => {
    throw withCreateHint(error, command, where)
  })
  const { served } = installed
  const made = served.type === 'server' ? served.server : path.basename(served.folder)
  const isUsual = served.type === 'workspace' && command.folder === undefined
  const change = await installEntry(where, {
    name: command.name ?? (isUsual ? 'patchbay' : entryName(made)),
    launcher: ownLauncher(),
    installed,
    replace: command.replace,
    create: command.create,
  })
  return told(command, where, change)
}

/** Names `--create` together with what else is missing, so that both can be added at once. */
function withCreateHint(error: unknown, { create }: Action<'install'>, where: ClientFile): unknown {
  if (create || where.isHere || !(error instanceof InstallError || error instanceof UnreachableError))
    return error
  const message = `${error.message} Also, ${where.client.title} is not on this machine: add --create to write ${where.file} all the same.`
  return error instanceof InstallError
    ? new InstallError(error.code, message, { cause: error })
    : new UnreachableError(message, { cause: error })
}

type ToInstall = Pick<Action<'install'>, 'folder' | 'server' | 'trust' | 'profile' | 'workspace'>

/** What the client is to start, with every path absolute. Throws if it is not there. */
async function whatToInstall(command: ToInstall): Promise<Installed> {
  // A client has the variables of the desktop, not those of this shell that move the data folder.
  const moved = process.env['XDG_DATA_HOME'] === undefined ? undefined : defaultProfile()
  const profile = command.profile === undefined ? moved : path.resolve(command.profile)
  const data = profile === undefined ? {} : { profile }
  if (command.server !== undefined) {
    const { defaultWorkspace } = profileFiles(profile ?? defaultProfile())
    const workspace = path.resolve(command.workspace ?? defaultWorkspace)
    const stored = { type: 'stored', name: command.server, ...data, workspace } as const
    // It says what is missing: the server, or its approval.
    await storedServer(stored)
    return { served: { type: 'server', server: command.server, workspace }, ...data }
  }
  const files = profileFiles(profile ?? defaultProfile())
  if (command.folder === undefined) {
    // Whoever installs it before the first start gets what that start would have made.
    await makeFolder(files.defaultWorkspace, 0o700)
    await copyDefaultWorkspace(firstWorkspace(), files.defaultWorkspace)
  }
  const folder = path.resolve(command.folder ?? files.defaultWorkspace)
  if (!(await isFolder(folder)))
    throw new InstallError('no-target', `${folder} is not a workspace folder. patchbay init makes one.`)
  const storedServers = new TrustStore(files.trust, 'leave')
  if (!command.trust && folder !== files.defaultWorkspace && !(await storedServers.isTrusted(folder))) {
    const message = `Nobody has trusted ${folder} yet, so its scripts would not run. Open it in the window and trust it there, or add --trust.`
    throw new InstallError('no-target', message)
  }
  return { served: { type: 'workspace', folder, ...(command.trust && { trust: true }) }, ...data }
}

async function status(command: Action<'status'>): Promise<ExitCode> {
  const ids = command.clients.length === 0 ? CLIENTS.map(({ id }) => id) : command.clients
  const states = []
  for (const id of ids) {
    // Some read no file of a project; that is only worth a word where they were asked for.
    const where = await fileOf(id, command).catch((error: unknown) => {
      if (error instanceof InstallError && command.clients.length === 0) return undefined
      throw error
    })
    if (where === undefined) continue
    const state = await fileState(where, ownLauncher(), command.name)
    states.push({ client: id, title: where.client.title, file: where.file, ...state })
  }
  if (!isForPerson(command.json)) await writeJson(states)
  else await writeText(states.map((state) => describeState(state)).join('\n'))
  return ExitCode.ok
}

/** What is started to be tested. */
type Tested = {
  readonly name: string
  readonly entry: OurEntry
  /** The file of a client that has it. */
  readonly file?: string
}

async function test(command: Action<'test'>, signal: AbortSignal): Promise<ExitCode> {
  const { client, json } = command
  const tested = client === undefined ? await ownEntry(command) : await entryOf(client, command)
  const { name, entry, file } = tested
  // Clients start servers in folders of their own.
  const folder = client === undefined ? tmpdir() : process.cwd()
  const isShared = command.project !== undefined || command.file !== undefined
  if (file !== undefined && isShared && !command.approve)
    await requireApproval({ name, file, folder, entry }, signal)
  const whose = client === undefined ? {} : { client }
  const startedAt = performance.now()
  try {
    const trial = await tryEntry(entry, {
      identity: { name: 'patchbay', version: productVersion },
      timeoutMs: command.timeoutMs,
      folder,
      signal,
    })
    if (!isForPerson(json)) await writeJson({ ...whose, name, ok: trial.faults.length === 0, ...trial })
    else await writeText(trialText(name, trial))
    for (const fault of trial.faults) writeStderr(fault)
    return trial.faults.length === 0 ? ExitCode.ok : ExitCode.toolError
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt)
    const { code, text } = describeFailure(error, 'flags')
    if (!isForPerson(json)) await writeJson({ ...whose, name, ok: false, ms, failure: text })
    writeStderr(`patchbay: ${name}${file === undefined ? '' : ` in ${file}`} failed after ${ms} ms: ${text}`)
    return code
  }
}

function trialText(name: string, { server, revision, tools, resources, prompts, called, ms }: Trial): string {
  const call =
    called === undefined ? 'called none: no tool without arguments has readOnlyHint' : `called ${called}`
  const others = [
    ...(resources === undefined ? [] : [plural(resources, 'resource')]),
    ...(prompts === undefined ? [] : [plural(prompts, 'prompt')]),
  ]
  const lists = [plural(tools.length, 'tool'), ...others, call].join(', ')
  return `${name}: ${server}, ${revision}, ${lists}, in ${ms} ms`
}

async function entryOf(client: ClientId, command: Action<'test'>): Promise<Tested> {
  const where = await fileOf(client, command)
  const name = command.name ?? (await onlyEntry(where))
  return { name, entry: await entryToStart(where, name, ownLauncher()), file: where.file }
}

/** What `install` would write for the workspace or server, in no client's file. */
async function ownEntry(command: Action<'test'>): Promise<Tested> {
  const { folder: named, server } = command
  if (named !== undefined && !(await isFolder(path.resolve(named)))) {
    const clients = CLIENTS.map(({ id }) => id).join(', ')
    throw new UsageError(`test expects a workspace folder or a client (${clients}); got "${named}"`)
  }
  const isHere = named === undefined && server === undefined && (await listScripts(process.cwd())).length > 0
  const folder = isHere ? '.' : named
  const { served, profile } = await whatToInstall({
    ...command,
    ...(folder !== undefined && { folder }),
  })
  const made = served.type === 'server' ? served.server : path.basename(served.folder)
  const installed = { served, ...(profile !== undefined && { profile }) }
  return { name: entryName(made), entry: ourEntryFor(ownLauncher(), installed) }
}

/** The name of our only entry. Throws if there is none, or a choice. */
async function onlyEntry(where: ClientFile): Promise<string> {
  const state = await fileState(where, ownLauncher())
  if (state.state === 'broken') throw new InstallError('broken', state.problem)
  const names = state.state === 'ready' ? state.entries.map(({ name }) => name) : []
  const [only, second] = names
  if (only !== undefined && second === undefined) return only
  const what =
    only === undefined ? 'no entry of Patchbay' : `several: ${names.join(', ')}. Choose one by --name`
  throw new InstallError('no-entry', `${where.file} has ${what}.`)
}

async function told(
  command: McpCommand,
  { client, file }: ClientFile,
  change: EntryChange | FileRestored,
): Promise<ExitCode> {
  const shown = change.realFile === undefined ? file : `${file} (a link to ${change.realFile})`
  if (!isForPerson(command.json)) await writeJson({ client: client.id, ...change })
  else if (change.change === 'restored') await writeText(`${shown} is as it was before the last change.`)
  else {
    const { name } = change
    const words: Readonly<Record<EntryChange['change'], string>> = {
      added: `"${name}" is in ${shown}. Restart ${client.title} to see it.`,
      changed: `"${name}" in ${shown} was updated. Restart ${client.title} to see it.`,
      removed: `"${name}" is no longer in ${shown}.`,
      none: `"${name}" is in ${shown} already, and up to date.`,
    }
    const kept = change.backup === undefined ? '' : `\nWhat it was before: ${change.backup}`
    await writeText(words[change.change] + kept)
  }
  return ExitCode.ok
}

function describeState({
  title,
  file,
  ...state
}: FileState & { readonly title: string; readonly file: string }): string {
  if (state.state === 'absent') return `${title}: not on this machine (${file})`
  if (state.state === 'broken') return `${title}: ${state.problem}`
  if (state.entries.length === 0) return `${title}: no entry (${file})`
  const lines = state.entries.map((entry) => {
    const reason = entry.reason === undefined ? '' : `, ${entry.reason}`
    const whose = entry.state === 'foreign' ? "somebody else's" : entry.state
    return `  ${entry.name}: ${whose}${reason}\n    ${entry.summary}`
  })
  return [`${title}: ${file}`, ...lines].join('\n')
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch {
    return false
  }
}
