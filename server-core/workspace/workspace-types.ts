import { randomBytes } from 'node:crypto'
import { cp, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { OWN_FOLDER, ownFolder } from './own-folder.ts'
import { StorageError, systemCode } from './storage-error.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Of a whole set of declarations: the same stamp means the same files. */
const STAMP = 'stamp'

/**
 * Writes the declarations of what scripts import into a workspace, if they are not there as they should be, in a folder
 * that git ignores. Rejects with a `StorageError`; what was there is then still there, or nothing.
 *
 * @param folder of the workspace
 * @param types the declarations to write, with their stamp
 */
export async function writeWorkspaceTypes(folder: string, types: string): Promise<void> {
  const target = path.join(folder, OWN_FOLDER, 'types')
  try {
    const [wanted, there] = await Promise.all([stampOf(types), stampOf(target)])
    if (wanted === undefined || wanted === there) return
    await ownFolder(folder, 'types')
    const beside = `${target}-${randomBytes(4).toString('hex')}`
    await cp(types, beside, { recursive: true })
    const before = `${beside}-before`
    await rename(target, before).catch(unlessMissing)
    await rename(beside, target)
    await rm(before, { recursive: true, force: true })
  } catch (error) {
    const detail = messageOf(error).replace(/\.$/, '')
    const message = `The types of scripts could not be written to ${target}: ${detail}. Scripts run all the same.`
    throw new StorageError('unavailable', message, { cause: error })
  }
}

async function stampOf(folder: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(folder, STAMP), 'utf8')
  } catch (error) {
    unlessMissing(error)
    return undefined
  }
}

function unlessMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error
}
