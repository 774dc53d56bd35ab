import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds after which a lock is taken for left behind; work under it takes a few. */
const STALE_MS = 5_000
const WAIT_MS = 5

/** Writes a file whole: those who read it see the old text or the new one, also after a crash. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(fresh, 'wx', 0o644)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } finally {
    await rm(fresh, { force: true })
  }
}

/**
 * Runs work that reads and then writes, while no other script or process does so under the same lock file. Rejects with
 * what the work rejects with.
 */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`
  while (!(await take(lock, mark))) {
    if (!(await freeIfLeft(lock))) await pause(WAIT_MS)
  }
  try {
    return await work()
  } finally {
    if ((await markOf(lock)) === mark) await rm(lock, { force: true })
  }
}

async function take(lock: string, mark: string): Promise<boolean> {
  // The mark is whole before the lock is there.
  const mine = `${lock}.${randomUUID()}`
  const handle = await open(mine, 'wx', 0o644)
  try {
    await handle.writeFile(mark)
  } finally {
    await handle.close()
  }
  try {
    await link(mine, lock)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(mine, { force: true })
  }
}

/** Removes a lock whose holder has ended. */
async function freeIfLeft(lock: string): Promise<boolean> {
  const mark = await markOf(lock)
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  )
  if (mark === undefined || (age < STALE_MS && isAlive(Number.parseInt(mark, 10)))) return false
  const aside = `${lock}.${randomUUID()}`
  try {
    await rename(lock, aside)
    // Somebody may have taken it meanwhile: it is theirs.
    if ((await markOf(aside)) !== mark) await link(aside, lock)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'EEXIST') return false
    throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function markOf(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The code of an error of the operating system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
