import { link, lstat, mkdir, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from '../../workspace/storage-error.ts'

/**
 * Renames a file; returns false if the new name is taken. Folders are created as needed.
 *
 * @throws the system's error
 */
export async function moveFile(from: string, to: string): Promise<boolean> {
  await mkdir(path.dirname(to), { recursive: true })
  try {
    // A second name and then one less: in no moment is the file without a name, and a taken name is an error.
    await link(from, to)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') return renamesOnlyCase(from, to)
    // Some file systems have no second names.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    if (await isThere(to)) return false
    await rename(from, to)
    return true
  }
  await unlink(from)
  return true
}

/** Where the system takes `Tool.ts` and `tool.ts` for one, the taken name may be our own. */
async function renamesOnlyCase(from: string, to: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(from), stat(to)])
  if (from === to || one.ino !== other.ino || one.dev !== other.dev) return false
  if (from.toLowerCase() !== to.toLowerCase()) return false
  await rename(from, to)
  return true
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}
