import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Moves a finished build from `from` to `to`: first the files whose names carry a hash, then the entries that
 * name them, each by rename, so that whoever starts meanwhile finds the old build or the new one. Gives the
 * absolute paths of the files.
 */
export async function publish(from: string, to: string): Promise<string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))
    .sort((one, other) => other.split(path.sep).length - one.split(path.sep).length)
  for (const file of files) {
    await mkdir(path.dirname(path.join(to, file)), { recursive: true })
    await rename(path.join(from, file), path.join(to, file))
  }
  await rm(from, { recursive: true, force: true })
  return files.map((file) => path.join(to, file))
}
