import { existsSync } from 'node:fs'
import { cp, lstat, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { SCRIPT_FOLDERS } from '../../live/script-files.ts'
import { CONFIG_FILES } from '../../scripts/config-files.ts'

/**
 * Copies a workspace into a folder, unless something of one is there already. Files that are there stay as they are. A
 * copy that was interrupted is completed by the next call: it is next to the folder until all of it is in it.
 *
 * @param from what to copy; undefined or not there: nothing is
 * @param to absolute; it has to be there
 */
export async function copyDefaultWorkspace(from: string | undefined, to: string): Promise<void> {
  const whole = `${to}.new`
  if (!existsSync(whole)) {
    if (from === undefined || !existsSync(from)) return
    const names = await readdir(to)
    const parts: readonly string[] = [...CONFIG_FILES, ...SCRIPT_FOLDERS]
    if (names.some((name) => parts.includes(name))) return
    const unfinished = `${to}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await cp(from, unfinished, {
      recursive: true,
      filter: (source) => !/[\\/](?:tests|node_modules|\.patchbay)$|\.test\.ts$/.test(source),
    })
    await rename(unfinished, whole)
  }
  await moveInto(whole, to)
  await rm(whole, { recursive: true, force: true })
}

/** Moves what is in one folder into another one; what is there already stays. */
async function moveInto(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    if (!(await isThere(target))) await rename(source, target)
    else if (await bothAreFolders(source, target)) await moveInto(source, target)
  }
}

async function isThere(place: string): Promise<boolean> {
  return lstat(place).then(
    () => true,
    () => false,
  )
}

async function bothAreFolders(...places: readonly string[]): Promise<boolean> {
  const found = await Promise.all(places.map((place) => lstat(place)))
  return found.every((each) => each.isDirectory())
}
