import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from '../sources/inside-folder.ts'
import { CONFIG_FILES, isConfigFile } from '../scripts/config-files.ts'
import type { LiveEntryKind } from './live-state.ts'

/** The folders whose files are scripts. */
export const SCRIPT_FOLDERS = ['tools', 'resources', 'prompts'] as const

const SCRIPT = /\.(?:ts|mts|js|mjs)$/
/** Declarations, tests and what editors leave beside a file are not scripts. */
const NONE = /\.d\.m?ts$|\.(?:test|spec)\.\w+$|(?:^|\/)[._]|(?:^|\/)node_modules\/|~$/

/** Whether a path, relative to the workspace with `/`, is that of a script or of the configuration. */
export function isScriptPath(relative: string): boolean {
  if (isConfigFile(relative)) return true
  const [folder] = relative.split('/', 1)
  return SCRIPT_FOLDERS.some((each) => each === folder) && SCRIPT.test(relative) && !NONE.test(relative)
}

/** What a script is expected to make, by the folder it is in; undefined for the configuration. */
export function kindOfScript(file: string): LiveEntryKind | undefined {
  if (file.startsWith('tools/')) return 'tool'
  if (file.startsWith('resources/')) return 'resource'
  return file.startsWith('prompts/') ? 'prompt' : undefined
}

/** The scripts of a workspace, by path, the configuration first. A folder that is not there has none. */
export async function listScripts(folder: string): Promise<readonly string[]> {
  const lists = await Promise.all([configOf(folder), ...SCRIPT_FOLDERS.map((name) => filesIn(folder, name))])
  return lists.flat()
}

async function configOf(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder)
  const found = CONFIG_FILES.find((name) => names.includes(name))
  return found === undefined ? [] : [found]
}

async function filesIn(folder: string, name: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path.join(folder, name), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => relativePath(folder, path.join(entry.parentPath, entry.name)))
      .filter(isScriptPath)
      .sort()
  } catch (error) {
    // Folders go while they are read.
    if (isMissing(error)) return []
    throw error
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Relative to the workspace, with `/` on every system. */
export function relativePath(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/')
}
