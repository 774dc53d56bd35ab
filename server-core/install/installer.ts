import path from 'node:path'
import { isJsonObject } from '../protocol/json.ts'
import type { ClientFile } from './client-file.ts'
import { changeConfigText, readConfigText, undoConfigText, type TextChange } from './config-text.ts'
import { editing, inFile, wordsOf } from './entry-editing.ts'
import type { ConfigEntry } from './formats/config-format.ts'
import { InstallError } from './install-error.ts'
import { isThere } from './is-there.ts'
import {
  entryFor,
  ourEntry,
  staleness,
  summaryOf,
  type Installed,
  type Launcher,
  type OurEntry,
} from './our-entry.ts'

/** One entry of a client, and how it stands to us. */
export type EntryState = {
  readonly name: string
  readonly state: 'current' | 'stale' | 'foreign'
  /** Why it is stale, as a clause. */
  readonly reason?: string
  readonly summary: string
}

/** How a client's file is. */
export type FileState =
  | { readonly state: 'absent' }
  | { readonly state: 'broken'; readonly problem: string }
  | { readonly state: 'ready'; readonly entries: readonly EntryState[] }

/** The result of a change to one entry. */
export type EntryChange = Pick<TextChange, 'backup'> & {
  readonly file: string
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed' | 'none'
} & RealFile

/** A whole file is as it was before, whichever entries that concerns. */
export type FileRestored = { readonly file: string; readonly change: 'restored' } & RealFile

/** The file that was written, if `file` leads there by a symbolic link. */
type RealFile = { readonly realFile?: string }

/** How to install. */
export type InstallOptions = {
  readonly name: string
  readonly launcher: Launcher
  readonly installed: Installed
  /** Take the place of an entry that is not ours. */
  readonly replace?: boolean
  /** Write the file even if the client is not here. */
  readonly create?: boolean
}

/**
 * Writes one of our entries into a client's file and leaves every other byte. What somebody added to our entry
 * (a time limit, further variables) stays.
 *
 * @throws InstallError if the client is not here, its file is broken, or the name is somebody else's; StorageError
 */
export async function installEntry(where: ClientFile, options: InstallOptions): Promise<EntryChange> {
  const { client, file, isHere } = where
  const { name, launcher, installed, replace = false, create = false } = options
  if (!isHere && !create) {
    const message = `${client.title} is not on this machine: ${path.dirname(file)} is not there. --create writes ${file} all the same.`
    throw new InstallError('no-client', message)
  }
  if (path.isAbsolute(launcher.program) && !(await isThere(launcher.program))) {
    const message = `${launcher.program} is not built, so nobody could start it. Build it (npm run build) and try again.`
    throw new InstallError('no-target', message)
  }
  const tools = await editing(client, file)
  let was: ConfigEntry | undefined
  const result = await inFile(file, () =>
    changeConfigText(where, (text) => {
      const present = tools.entriesOf(text ?? '', client.path)[name]
      was = isJsonObject(present) ? present : undefined
      const ours = ourEntry(present)
      if (present !== undefined && ours === undefined && !replace) {
        const message = `${file} has another server of the name "${name}": ${summaryOf(present)}. Choose another name by --name, or --replace it.`
        throw new InstallError('foreign', message)
      }
      const entry = entryFor(client, launcher, installed)
      const next = ours === undefined ? entry : { ...was, ...entry, ...mergedEnv(was, entry) }
      return tools.change(text ?? '', { path: client.path, name }, next)
    }),
  )
  const change = result.change === 'none' ? 'none' : was === undefined ? 'added' : 'changed'
  return { file, name, change, ...writtenTo(file, result) }
}

/**
 * Removes one of our entries.
 *
 * @throws InstallError `no-entry`; `foreign` if it is not ours; `broken`
 */
export async function uninstallEntry(where: ClientFile, name: string): Promise<EntryChange> {
  const { client, file } = where
  const tools = await editing(client, file)
  const result = await inFile(file, () =>
    changeConfigText(where, (text) => {
      const entries = tools.entriesOf(text ?? '', client.path)
      const present = entries[name]
      if (text === undefined || present === undefined) throw noEntry(file, name, entries)
      if (ourEntry(present) === undefined) {
        const message = `"${name}" in ${file} was not written by Patchbay and is left: ${summaryOf(present)}`
        throw new InstallError('foreign', message)
      }
      return tools.change(text, { path: client.path, name }, undefined)
    }),
  )
  return { file, name, change: 'removed', ...writtenTo(file, result) }
}

/** Puts a client's file back as it was before the last change. @throws InstallError `no-undo` */
export async function undoInstall(where: ClientFile): Promise<FileRestored> {
  const { file } = where
  const place = await undoConfigText(where)
  return { file, change: 'restored', ...(place !== file && { realFile: place }) }
}

function writtenTo(file: string, { place, backup }: TextChange): Pick<EntryChange, 'realFile' | 'backup'> {
  return { ...(place !== file && { realFile: place }), ...(backup !== undefined && { backup }) }
}

/**
 * How a client stands: all entries that a Patchbay wrote, and what has the name that is asked for. Changes nothing and
 * does not throw for what the file holds.
 */
export async function fileState(where: ClientFile, launcher: Launcher, name?: string): Promise<FileState> {
  const { client, file, isHere } = where
  try {
    const text = await readConfigText(file)
    if (text === undefined) return isHere ? { state: 'ready', entries: [] } : { state: 'absent' }
    const tools = await editing(client, file)
    const entries: EntryState[] = []
    for (const [each, entry] of Object.entries(tools.entriesOf(text, client.path))) {
      const ours = ourEntry(entry)
      const summary = summaryOf(entry)
      if (ours === undefined) {
        if (each === name) entries.push({ name: each, state: 'foreign', summary })
        continue
      }
      const reason = await staleness(ours, launcher)
      if (reason === undefined) entries.push({ name: each, state: 'current', summary })
      else entries.push({ name: each, state: 'stale', reason, summary })
    }
    return { state: 'ready', entries }
  } catch (error) {
    const problem = wordsOf(error, file)
    if (problem === undefined) throw error
    return { state: 'broken', problem }
  }
}

/**
 * Our entry with a name, as it is to be started.
 *
 * @throws InstallError `no-entry`; `foreign`: nothing that somebody else wrote is started; `no-target` if it is stale
 */
export async function entryToStart(
  { client, file }: ClientFile,
  name: string,
  launcher: Launcher,
): Promise<OurEntry> {
  const tools = await editing(client, file)
  return inFile(file, async () => {
    const entries = tools.entriesOf((await readConfigText(file)) ?? '', client.path)
    const ours = ourEntry(entries[name])
    if (entries[name] === undefined) throw noEntry(file, name, entries)
    if (ours === undefined)
      throw new InstallError(
        'foreign',
        `"${name}" in ${file} was not written by Patchbay, so it is not started`,
      )
    const reason = await staleness(ours, launcher)
    if (reason === undefined) return ours
    throw new InstallError('no-target', `"${name}" in ${file} is stale: ${reason}. Install it again.`)
  })
}

/** All entries of a client's file, by name, as they are written. @throws InstallError `broken` */
export async function readEntries({ client, file }: ClientFile): Promise<Readonly<Record<string, unknown>>> {
  const tools = await editing(client, file)
  return inFile(file, async () => tools.entriesOf((await readConfigText(file)) ?? '', client.path))
}

function noEntry(file: string, name: string, entries: Readonly<Record<string, unknown>>): InstallError {
  const ours = Object.keys(entries).filter((each) => ourEntry(entries[each]) !== undefined)
  const known = ours.length === 0 ? 'It has none that Patchbay wrote.' : `Patchbay wrote ${ours.join(', ')}.`
  return new InstallError('no-entry', `${file} has no server "${name}". ${known}`)
}

function mergedEnv(was: ConfigEntry | undefined, entry: ConfigEntry): { readonly env?: unknown } {
  const [before, after] = [was?.['env'], entry['env']]
  return isJsonObject(before) && isJsonObject(after) ? { env: { ...before, ...after } } : {}
}
