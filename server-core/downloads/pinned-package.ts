import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.ts'

/** What is fetched on first use: the npm package, how users call it, and how much is downloaded. */
export const PINNED = {
  typescript: {
    package: 'typescript',
    title: "TypeScript's language server",
    size: 'about 11 MB',
  },
  electron: {
    package: 'electron',
    title: 'Electron',
    size: 'about 130 MB',
  },
} as const
export type PinnedName = keyof typeof PINNED

/** A pinned package that can be installed here. */
export type PinnedPackage = {
  readonly name: PinnedName
  readonly version: string
  /** Folder with the `package.json` and `package-lock.json` that pin it. */
  readonly lock: string
  /** Where it is installed, or will be. */
  readonly folder: string
}

/**
 * Finds the lock file of a package among the built files.
 *
 * @param distFolder absolute path of the folder with the built files
 * @returns undefined in a clone, which has the package among its own
 */
export function pinnedPackage(name: PinnedName, distFolder: string): PinnedPackage | undefined {
  const lock = path.join(distFolder, 'downloads', name)
  const file = path.join(lock, 'package.json')
  if (!existsSync(file)) return undefined
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const version = dependencies[PINNED[name].package] ?? ''
  return { name, version, lock, folder: path.join(cacheFolder(), 'packages', `${name}-${version}`) }
}

/** The folder of an installed package; undefined if it is not installed. */
export function installedPackage({ name, folder }: PinnedPackage): string | undefined {
  const place = path.join(folder, 'node_modules', PINNED[name].package)
  return existsSync(path.join(place, 'package.json')) ? place : undefined
}

/** The folder of built files that a bundled module belongs to. */
export function distFolderOf(moduleUrl: string): string {
  let folder = path.dirname(fileURLToPath(moduleUrl))
  while (path.basename(folder) !== 'dist' && path.dirname(folder) !== folder) folder = path.dirname(folder)
  return folder
}
