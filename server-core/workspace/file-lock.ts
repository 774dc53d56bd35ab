import { stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { lock } from 'proper-lockfile'
import { StorageError, systemCode } from './storage-error.ts'
import { makeFolder } from './make-folder.ts'
import { messageOf } from '../protocol/error-message.ts'

/** A lock whose holder was killed is free again after this long. A living holder renews it twice in that time. */
export const STALE_MS = 4_000
const WAIT_MS = 8_000

/**
 * Runs `work` while no other Patchbay process runs its own for the same file. Waits up to eight seconds, which is
 * longer than the lock of a killed process lasts.
 *
 * @throws StorageError `locked` if it stays taken, `unavailable` if the folder cannot be written
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const release = await take(file)
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * Resets the time of a lock that lies in the future because the clock was set back: until then the lock would seem to be
 * renewed. A living holder renews it.
 */
async function bringBack(lockFolder: string): Promise<void> {
  try {
    const now = Date.now()
    if ((await stat(lockFolder)).mtimeMs > now + STALE_MS) {
      await utimes(lockFolder, new Date(now), new Date(now))
    }
  } catch (error) {
    // It is free, or its holder has just released it.
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

async function take(file: string): Promise<() => Promise<void>> {
  await makeFolder(path.dirname(file), 0o700)
  try {
    await bringBack(`${file}.lock`)
    return await lock(file, {
      realpath: false,
      stale: STALE_MS,
      retries: { retries: 400, minTimeout: 5, factor: 1.3, maxTimeout: 100, maxRetryTime: WAIT_MS },
      // The work is short; if the machine slept through it, the version check before the rename still decides.
      onCompromised: () => undefined,
    }).then((release) => async () => {
      try {
        await release()
      } catch (error) {
        if (!['ERELEASED', 'ENOTACQUIRED'].includes(systemCode(error) ?? '')) throw error
      }
    })
  } catch (error) {
    if (systemCode(error) === 'ELOCKED') {
      throw new StorageError('locked', `${file} is locked by another program. Close it and try again.`, {
        cause: error,
      })
    }
    const detail = messageOf(error)
    throw new StorageError('unavailable', `${file} cannot be locked for writing: ${detail}`, { cause: error })
  }
}
