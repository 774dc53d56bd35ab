import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { CompositionError } from './composition-error.ts'

/**
 * The real path of what a path in a folder leads to. Rejects with a `CompositionError` (`outside`) if that is not in the
 * folder, by `..` or by a symbolic link, and with the error of the system if there is nothing.
 */
export async function insideFolder(folder: string, given: string): Promise<string> {
  const base = await realpath(folder)
  const meant = path.resolve(base, given)
  if (!holds(base, meant) && !holds(path.resolve(folder), meant)) throw outside(folder, given)
  const real = await realpath(meant)
  if (!holds(base, real)) throw outside(folder, given)
  return real
}

/** Whether a path is the folder or in it. Both are absolute. */
export function holds(folder: string, file: string): boolean {
  const way = path.relative(folder, file)
  return way === '' || (!way.startsWith(`..${path.sep}`) && way !== '..' && !path.isAbsolute(way))
}

/** Whether an error of the system says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function outside(folder: string, given: string): CompositionError {
  const message = `"${given}" is not in the folder ${folder}; only what is in it can be served`
  return new CompositionError('outside', message)
}
