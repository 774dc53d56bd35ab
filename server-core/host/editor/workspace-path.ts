import { lstat, realpath } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import { folderOwner, isDeviceName, type FolderOwner } from './reserved-names.ts'

/** Why files of a folder are only read. */
const READ_ONLY: Readonly<Record<FolderOwner, string>> = {
  patchbay: 'Patchbay writes this file; a change would not last.',
  packages: 'This file belongs to a package.',
  git: 'This file belongs to git.',
}

/** A file that may be there or not, its folder inside the workspace with every symbolic link followed. */
export type WorkspacePath = {
  /** From the folder of the workspace on, with `/` between names. */
  readonly file: string
  /** Absolute, and no symbolic link: what is read and replaced. */
  readonly target: string
  /** The same, but the link itself where the path names one: what is renamed and removed. */
  readonly entry: string
  readonly exists: boolean
  /** Why it is only read, if so. */
  readonly readOnly: string | undefined
}

/**
 * Resolves a path from the workspace's folder to a file. Symbolic links are followed as long as they stay inside.
 *
 *
 * @throws HostError if the path is invalid, leaves the workspace, or is not a file
 */
export async function workspacePath(folder: string, file: string): Promise<WorkspacePath> {
  const names = namesOf(file)
  const root = await realpath(folder)
  const entry = path.join(await realFolder(root, names.slice(0, -1), file), names.at(-1) ?? '')
  const found = await realOf(entry)
  const target = found ?? entry
  if (!isInside(root, target) || !isInside(root, entry)) {
    throw new HostError(
      'OUTSIDE_WORKSPACE',
      `${file} is a symbolic link that leads out of the workspace, to ${target}. Only files inside ${folder} are opened.`,
    )
  }
  if (found !== undefined && !(await lstat(found)).isFile()) {
    throw new HostError('INVALID_NAME', `${file} is not a file. Name a file of the workspace.`)
  }
  const readOnly = readOnlyReason(path.relative(root, target)) ?? readOnlyReason(path.relative(root, entry))
  return { file, target, entry, exists: found !== undefined, readOnly }
}

/** The names of a path, each of which every system can have. */
function namesOf(file: string): string[] {
  const names = file.split('/')
  const isOdd = (name: string): boolean =>
    name === '' ||
    name === '.' ||
    name === '..' ||
    /[\0-\x1f\\:*?"<>|]|[. ]$/.test(name) ||
    isDeviceName(name)
  if (names.some(isOdd)) {
    throw new HostError(
      'INVALID_NAME',
      `${JSON.stringify(file)} is not a path of a file of the workspace. Expected names with / between them, such as tools/forecast.ts.`,
    )
  }
  return names
}

/** The folder with its links followed, as far as it is there; the rest of its names is kept. */
async function realFolder(root: string, names: readonly string[], file: string): Promise<string> {
  for (let count = names.length; count > 0; count -= 1) {
    const place = path.join(root, ...names.slice(0, count))
    const real = await realOf(place)
    if (real === undefined) continue
    if (!(await lstat(real)).isDirectory()) {
      const name = names.slice(0, count).join('/')
      throw new HostError('INVALID_NAME', `${file} cannot be in ${name}, which is not a folder.`)
    }
    return path.join(real, ...names.slice(count))
  }
  return path.join(root, ...names)
}

/** Where it really is; undefined if nothing is there. A link that leads nowhere is refused, because a save would follow it. */
async function realOf(place: string): Promise<string | undefined> {
  try {
    return await realpath(place)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    const isLink = await lstat(place).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) {
      throw new HostError(
        'OUTSIDE_WORKSPACE',
        `${path.basename(place)} is a symbolic link that leads nowhere. Remove it or make what it points to.`,
      )
    }
    return undefined
  }
}

function isInside(root: string, place: string): boolean {
  const way = path.relative(root, place)
  return way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

function readOnlyReason(way: string): string | undefined {
  const owner = way
    .split(path.sep)
    .map(folderOwner)
    .find((each) => each !== undefined)
  return owner === undefined ? undefined : READ_ONLY[owner]
}
