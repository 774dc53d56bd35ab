import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryOf } from '../workspace/atomic-file.ts'
import { STALE_MS, withFileLock } from '../workspace/file-lock.ts'
import { StorageError, systemCode } from '../workspace/storage-error.ts'

/** Milliseconds by which timers and the times of files may be off. */
const ROUNDING_MS = 20

/** Folders of others inside a workspace. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', '.git'])
const COPY = /\.previous$/
const LOCK = '.lock'

/**
 * Removes what killed processes left in a profile: temporary files, which may hold secrets, and locks. Whatever a living
 * process may use stays: a temporary file goes only under the lock of its file, and a lock only when nobody renews it.
 *
 * @param signal gives up, also while it waits until a lock is old enough
 */
export async function tidyProfile(profile: string, signal: AbortSignal): Promise<void> {
  for (const folder of await foldersIn(profile)) {
    if (signal.aborted) return
    const entries = await entriesOf(folder)
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name.endsWith(LOCK))
        await freeLock(path.join(folder, entry.name), signal)
    }
    for (const entry of entries) {
      const temporary = entry.isFile() ? temporaryOf(entry.name) : undefined
      const place = path.join(folder, entry.name)
      if (temporary === undefined || (await mayBeInUse(place, temporary.pid))) continue
      // The copy of a document is written under the lock of the document.
      const guarded = path.join(folder, temporary.file.replace(COPY, ''))
      await underLock(guarded, () => rm(place, { force: true }))
    }
  }
}

/** All folders of a profile, without links and without those of others. */
async function foldersIn(profile: string): Promise<readonly string[]> {
  const folders = [profile]
  for (const folder of folders) {
    for (const entry of await entriesOf(folder)) {
      const isOurs = entry.isDirectory() && !FOREIGN.has(entry.name) && !entry.name.endsWith(LOCK)
      if (isOurs) folders.push(path.join(folder, entry.name))
    }
  }
  return folders
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    // It was removed meanwhile, or is not ours to read.
    if (systemCode(error) !== undefined) return []
    throw error
  }
}

/** Acquires an abandoned lock, which removes it at its release. */
async function freeLock(lock: string, signal: AbortSignal): Promise<void> {
  const age = await ageOf(lock)
  // The folder of somebody else may have the same ending.
  if (age === undefined || (await entriesOf(lock)).length > 0) return
  if (age < STALE_MS) {
    const wait = STALE_MS - age + ROUNDING_MS
    await pause(wait, undefined, { signal, ref: false }).catch(() => undefined)
  }
  if (!signal.aborted) await underLock(lock.slice(0, -LOCK.length), () => Promise.resolve())
}

/** Milliseconds since a file was written or a lock renewed; undefined if it does not exist. */
async function ageOf(place: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(place)).mtimeMs
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Runs `work` under the lock of a file, unless a living process has it: that one tidies up itself. */
async function underLock(file: string, work: () => Promise<void>): Promise<void> {
  const age = await ageOf(file + LOCK)
  if (age !== undefined && age < STALE_MS) return
  try {
    await withFileLock(file, work)
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'locked') throw error
  }
}

/** Whether the process that made a temporary file may still run. */
async function mayBeInUse(place: string, pid: number): Promise<boolean> {
  if (pid === process.pid) {
    // An earlier process may have had our number, as in a container that was started again.
    const age = await ageOf(place)
    return age !== undefined && age < process.uptime() * 1_000
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}
