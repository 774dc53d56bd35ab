import { realpathSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { launcherOf } from '../host/install/launcher.ts'
import { defaultProfile } from '../host/profile.ts'
import { copyDefaultWorkspace } from '../host/registry/default-workspace.ts'
import { productVersion } from '../host/version.ts'
import type { ClientFile } from '../install/client-file.ts'
import { CLIENTS } from '../install/clients.ts'
import { InstallError } from '../install/install-error.ts'
import {
  entryToStart,
  fileState,
  installEntry,
  undoInstall,
  uninstallEntry,
  type EntryChange,
  type FileRestored,
  type FileState,
} from '../install/installer.ts'
import { entryName, type Installed, type Launcher } from '../install/our-entry.ts'
import { tryEntry } from '../install/try-entry.ts'
import { profileFiles } from '../workspace/profile.ts'
import { TrustBook } from '../workspace/trust-book.ts'
import { requireApproval } from './approved-entry.ts'
import { fileOf } from './client-files.ts'
import { counted } from './counted.ts'
import { ExitCode } from './exit-code.ts'
import { describeFailure } from './failure.ts'
import type { McpCommand } from './mcp-flags.ts'
import { isForPerson, tell, writeJson, writeText } from './output.ts'
import { firstWorkspace } from './program-folder.ts'
import { storedServer } from './stored-server.ts'

type Deed<D extends McpCommand['deed']> = Extract<McpCommand, { readonly deed: D }>

/** `patchbay mcp`: entries of ours in the files of other clients. */
export async function mcp(command: McpCommand, signal: AbortSignal): Promise<ExitCode> {
  switch (command.deed) {
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

async function install(command: Deed<'install'>): Promise<ExitCode> {
  const where = await fileOf(command.client, command)
  const installed = await whatToInstall(command)
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

/** What the client is to start, with every path absolute. Throws if it is not there. */
async function whatToInstall(command: Deed<'install'>): Promise<Installed> {
  // A client has the variables of the desktop, not those of this shell that move the data folder.
  const moved = process.env['XDG_DATA_HOME'] === undefined ? undefined : defaultProfile()
  const profile = command.profile === undefined ? moved : path.resolve(command.profile)
  const data = profile === undefined ? {} : { profile }
  if (command.server !== undefined) {
    const workspace = command.workspace === undefined ? {} : { workspace: path.resolve(command.workspace) }
    const stored = { type: 'stored', name: command.server, ...data, ...workspace } as const
    // It says what is missing: the server, or its approval.
    await storedServer(stored)
    return { served: { type: 'server', server: command.server, ...workspace }, ...data }
  }
  const files = profileFiles(profile ?? defaultProfile())
  if (command.folder === undefined) {
    // Whoever installs it before the first start gets what that start would have made.
    await mkdir(files.defaultWorkspace, { recursive: true, mode: 0o700 })
    await copyDefaultWorkspace(firstWorkspace(), files.defaultWorkspace)
  }
  const folder = path.resolve(command.folder ?? files.defaultWorkspace)
  if (!(await isFolder(folder)))
    throw new InstallError('no-target', `${folder} is no workspace folder. patchbay init makes one.`)
  const book = new TrustBook(files.trust, 'leave')
  if (!command.trust && folder !== files.defaultWorkspace && !(await book.isTrusted(folder))) {
    const message = `Nobody has trusted ${folder} yet, so its scripts would not run. Open it in the window and trust it there, or add --trust.`
    throw new InstallError('no-target', message)
  }
  return { served: { type: 'workspace', folder, ...(command.trust && { trust: true }) }, ...data }
}

async function status(command: Deed<'status'>): Promise<ExitCode> {
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

async function test(command: Deed<'test'>, signal: AbortSignal): Promise<ExitCode> {
  const where = await fileOf(command.client, command)
  const name = command.name ?? (await onlyEntry(where))
  const entry = await entryToStart(where, name, ownLauncher())
  const folder = process.cwd()
  const isShared = command.project !== undefined || command.file !== undefined
  if (isShared && !command.approve) await requireApproval({ name, file: where.file, folder, entry }, signal)
  const startedAt = performance.now()
  try {
    const trial = await tryEntry(entry, {
      identity: { name: 'patchbay', version: productVersion },
      timeoutMs: command.timeoutMs,
      folder,
      signal,
    })
    if (!isForPerson(command.json)) await writeJson({ client: command.client, name, ok: true, ...trial })
    else {
      const called =
        trial.called === undefined
          ? 'none of them without arguments that only reads'
          : `called ${trial.called}`
      const tools = `${counted(trial.tools.length, 'tool')}, ${called}`
      await writeText(`${name}: ${trial.server}, ${trial.revision}, ${tools}, in ${trial.ms} ms`)
    }
    return ExitCode.ok
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt)
    const { code, text } = describeFailure(error, 'flags')
    if (!isForPerson(command.json))
      await writeJson({ client: command.client, name, ok: false, ms, failure: text })
    tell(`patchbay: ${name} in ${where.file} failed after ${ms} ms: ${text}`)
    return code
  }
}

/** How this very command line is started. */
function ownLauncher(): Launcher {
  return launcherOf(realpathSync(process.argv[1] ?? ''))
}

/** The name of the only entry of ours. Throws if there is none, or a choice. */
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
  if (!isForPerson(command.json)) await writeJson({ client: client.id, ...change })
  else if (change.change === 'restored') await writeText(`${file} is as it was before the last change.`)
  else {
    const { name } = change
    const words: Readonly<Record<EntryChange['change'], string>> = {
      added: `"${name}" is in ${file}. Restart ${client.title} to see it.`,
      changed: `"${name}" in ${file} is renewed. Restart ${client.title} to see it.`,
      removed: `"${name}" is no longer in ${file}.`,
      none: `"${name}" is in ${file} already, as it should be.`,
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
