import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Base, Candidate, ClientRow } from './clients.ts'
import { InstallError } from './install-error.ts'
import { isThere } from './is-there.ts'

/** The system that a file is looked for on, as data. */
export type Surroundings = {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's folder. */
  readonly home: string
}

/** Which of a client's files is meant: the user's, that of a project, or one that was named. */
export type FileChoice =
  | { readonly type: 'user' }
  | { readonly type: 'project'; readonly folder: string }
  | { readonly type: 'named'; readonly file: string }

/** Where a client's file is. */
export type ClientFile = {
  readonly client: ClientRow
  /** Absolute. It may not be there yet. */
  readonly file: string
  /** The client is on this machine, or the file was named by the user. */
  readonly isHere: boolean
  /** The project that it is of, absolute: its files come from others, so nothing outside it is written. */
  readonly project?: string
}

/** Finds the file of a client. Throws an `InstallError` if the client reads none in projects and that is asked for. */
export async function clientFile(
  client: ClientRow,
  surroundings: Surroundings,
  choice: FileChoice = { type: 'user' },
): Promise<ClientFile> {
  if (choice.type === 'named') return { client, file: path.resolve(choice.file), isHere: true }
  if (choice.type === 'project') {
    if (client.project === undefined)
      throw new InstallError('no-client', `${client.title} reads no file of a project; leave out --project`)
    const folder = path.resolve(choice.folder)
    const file = path.join(folder, ...client.project.split('/'))
    return { client, file, isHere: await isThere(folder), project: folder }
  }
  let last: string | undefined
  for (const candidate of client.user) {
    if (candidate.platform !== undefined && candidate.platform !== surroundings.platform) continue
    const base = folderOf(candidate.base, surroundings)
    if (base === undefined) continue
    const found = await inspect(candidate, base)
    if (found.isHere) return { client, ...found }
    // Who set a variable says where the client looks, even if it is not there yet.
    if (typeof candidate.base === 'object') return { client, ...found }
    last = found.file
  }
  if (last === undefined) throw new InstallError('no-client', `${client.title} has no place on this system`)
  return { client, file: last, isHere: false }
}

/** The user's folders; undefined for a variable that is not set. */
function folderOf(base: Base, { platform, env, home }: Surroundings): string | undefined {
  if (typeof base === 'object') {
    const value = env[base.variable]
    return value === undefined || value === '' ? undefined : path.resolve(expandHome(value, home))
  }
  if (base === 'home') return home
  if (base === 'localAppData') return given(env['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local')
  if (platform === 'win32') return given(env['APPDATA']) ?? path.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  return given(env['XDG_CONFIG_HOME']) ?? path.join(home, '.config')
}

/** A folder that counts only if it is absolute, as the XDG specification has it. */
function given(value: string | undefined): string | undefined {
  return value !== undefined && path.isAbsolute(value) ? value : undefined
}

function expandHome(value: string, home: string): string {
  return value === '~' || value.startsWith('~/') ? path.join(home, value.slice(1)) : value
}

async function inspect(candidate: Candidate, base: string): Promise<{ file: string; isHere: boolean }> {
  for (const sign of candidate.signs) {
    const place = await existing(base, sign)
    if (place === undefined) continue
    return { file: await firstFile(sign.includes('*') ? place : base, candidate.files), isHere: true }
  }
  return { file: await firstFile(base, candidate.files), isHere: false }
}

async function firstFile(base: string, files: readonly string[]): Promise<string> {
  let file = base
  for (const each of files) {
    file = path.join(base, ...each.split('/'))
    if (await isThere(file)) return file
  }
  return file
}

/** The place below a folder that a sign means, if it is there. */
async function existing(base: string, sign: string): Promise<string | undefined> {
  let place = base
  for (const step of sign.split('/')) {
    if (step.endsWith('*')) {
      const start = step.slice(0, -1)
      const name = (await namesIn(place)).filter((each) => each.startsWith(start)).sort()[0]
      if (name === undefined) return undefined
      place = path.join(place, name)
    } else place = path.join(place, step)
  }
  return (await isThere(place)) ? place : undefined
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}
