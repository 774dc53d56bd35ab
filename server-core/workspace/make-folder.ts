import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { systemCode } from './storage-error.ts'

/**
 * Creates a folder with those above it; one that exists stays as it is. In place of Node's recursive `mkdir`, which never
 * returns where the system answers ENOENT although the parent exists, as in `/proc`.
 *
 * @param mode permissions of the folders that are created; those of the process unless given
 * @throws the system's error
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const place = path.resolve(folder)
  try {
    await mkdir(place, mode)
  } catch (error) {
    const next = afterFailure(error, place)
    if (next === 'done') return
    await makeFolder(path.dirname(place), mode)
    // The parent exists now, so whatever fails is the answer.
    await mkdir(place, mode).catch((again: unknown) => {
      if (systemCode(again) !== 'EEXIST') throw again
    })
  }
}

/** The same for code that cannot wait. */
export function makeFolderSync(folder: string, mode?: number): void {
  const place = path.resolve(folder)
  try {
    mkdirSync(place, mode)
  } catch (error) {
    if (afterFailure(error, place) === 'done') return
    makeFolderSync(path.dirname(place), mode)
    try {
      mkdirSync(place, mode)
    } catch (again) {
      if (systemCode(again) !== 'EEXIST') throw again
    }
  }
}

/** What a failure means: nothing is to be done, or the parent is missing. Throws any other error. */
function afterFailure(error: unknown, place: string): 'done' | 'parent' {
  const code = systemCode(error)
  if (code === 'EEXIST') return 'done'
  if (code === 'ENOENT' && path.dirname(place) !== place) return 'parent'
  throw error
}
