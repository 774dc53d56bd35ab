import { createHash } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { OWN_FOLDER, ownFolder } from '../workspace/own-folder.ts'

/** In Patchbay's own folder of a workspace. */
const CACHE = 'cache'

export type BundleFolder = {
  /** Absolute; it may not be there yet. */
  readonly folder: string
  /** Makes it, if it is not there. */
  readonly make: () => Promise<unknown>
}

/**
 * Where the bundles of a workspace are kept: `.patchbay/cache` in it, or elsewhere if nothing can be written there. What
 * bundles import they name by its whole path, so they run from anywhere.
 *
 * @param workspace absolute, without symbolic links
 * @param elsewhere absolute, for bundles of all workspaces that are read-only; without it there is no other place
 * @param require throws if nothing can be written to a place, `ENOENT` if it is not there
 */
export function bundleFolder(
  workspace: string,
  elsewhere: string | undefined,
  require: (place: string) => void = requireWritable,
): BundleFolder {
  const own = path.join(workspace, OWN_FOLDER, CACHE)
  if (elsewhere === undefined || canWrite(own, require)) {
    return { folder: own, make: () => ownFolder(workspace, CACHE) }
  }
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32)
  const folder = path.join(elsewhere, name)
  // What is loaded from there runs with the rights of the user: nobody else may write to it.
  return { folder, make: () => mkdir(folder, { recursive: true, mode: 0o700 }) }
}

/** Whether a place can be written to; or made, where it is not there. */
function canWrite(place: string, require: (place: string) => void): boolean {
  try {
    require(place)
    return true
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const above = path.dirname(place)
    return isMissing && above !== place && canWrite(above, require)
  }
}

function requireWritable(place: string): void {
  accessSync(place, constants.W_OK)
}
