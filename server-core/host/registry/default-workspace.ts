import { existsSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { SCRIPT_FOLDERS } from '../../live/script-files.ts'
import { CONFIG_FILES } from '../../scripts/config-files.ts'

/**
 * Copies a workspace into a folder, unless something of one is there already. Files that are there stay as they are.
 *
 * @param from what to copy; undefined or not there: nothing is
 */
export async function copyDefaultWorkspace(from: string | undefined, to: string): Promise<void> {
  if (from === undefined || !existsSync(from)) return
  const names = await readdir(to)
  const parts: readonly string[] = [...CONFIG_FILES, ...SCRIPT_FOLDERS]
  if (names.some((name) => parts.includes(name))) return
  await cp(from, to, {
    recursive: true,
    force: false,
    errorOnExist: false,
    filter: (source) => !/[\\/](?:tests|node_modules|\.patchbay)$|\.test\.ts$/.test(source),
  })
}
