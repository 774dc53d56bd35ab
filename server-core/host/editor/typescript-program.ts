import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  distFolderOf,
  installedPackage,
  pinnedPackage,
  type PinnedPackage,
} from '../../downloads/pinned-package.ts'
import { HostError } from '../host-error.ts'

/** What is fetched when a user wants the language server; undefined where it came with this copy of Patchbay. */
export function typescriptDownload(): PinnedPackage | undefined {
  return pinnedPackage('typescript', distFolderOf(import.meta.url))
}

/**
 * The program of TypeScript for this system, which is a compiler and a language server in one.
 *
 * @throws HostError if it is not installed
 */
export function typescriptProgram(): string {
  const name = `@typescript/typescript-${process.platform}-${process.arch}`
  const download = typescriptDownload()
  try {
    const typescript = path.join(packageFolder(download), 'package.json')
    const folder = path.dirname(createRequire(typescript).resolve(`${name}/package.json`))
    const program = path.join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
    // Nothing inside an archive can be started; what is a program lies beside it.
    const unpacked = program.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`)
    if (existsSync(unpacked)) return unpacked
    throw new Error(`there is no ${unpacked}`)
  } catch (cause) {
    const remedy = download === undefined ? 'Install Patchbay again.' : 'It can be fetched.'
    throw new HostError(
      'NO_LANGUAGE_SERVER',
      `TypeScript's language server is not installed (package ${name}), so there is no completion and no checking. ${remedy}`,
      { cause },
    )
  }
}

function packageFolder(download: PinnedPackage | undefined): string {
  if (download === undefined)
    return path.dirname(createRequire(import.meta.url).resolve('typescript7/package.json'))
  const folder = installedPackage(download)
  if (folder === undefined) throw new Error(`${download.folder} does not exist`)
  return folder
}
