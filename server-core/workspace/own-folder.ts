import { lstat, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StorageError, systemCode } from './storage-error.ts'

/** Where Patchbay keeps in a workspace what can be recreated, and what was removed: declarations, bundles, files. */
export const OWN_FOLDER = '.patchbay'

/**
 * Makes a folder in Patchbay's own one, and keeps that out of git, whatever the workspace's files say; returns its path.
 * What is there is replaced and removed as it pleases us, so neither may be a link by which a workspace means a folder
 * elsewhere.
 *
 * @param workspace absolute
 * @throws StorageError if one of them is not a folder; the system's error if it cannot be made
 */
export async function ownFolder(workspace: string, name: string): Promise<string> {
  const own = await realFolder(path.join(workspace, OWN_FOLDER))
  await writeFile(path.join(own, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  return realFolder(path.join(own, name))
}

async function realFolder(place: string): Promise<string> {
  await mkdir(place).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  const found = await lstat(place)
  if (found.isDirectory()) return place
  const what = found.isSymbolicLink() ? 'a symbolic link' : 'a file'
  throw new StorageError(
    'unavailable',
    `${place} is ${what}; Patchbay keeps its own files only in a folder of the workspace. Remove it and try again.`,
  )
}
