import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** What publint says of a package's folder, in its strictest form. */
export async function publintMessages(folder: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
}

/**
 * What "Are the types wrong?" says of a tarball. The package is ES modules alone and names its entry points in `exports`,
 * so what resolvers older than `exports` find, and what `require` finds in them, does not count.
 */
export async function typeProblems(tarball: string): Promise<readonly string[]> {
  const data = await readFile(tarball)
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)))
  if (result.types === false) return ['the package has no types']
  return result.problems
    .filter((problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10')
    .filter(({ kind }) => kind !== 'CJSResolvesToESM')
    .map((problem) => JSON.stringify(problem))
}
