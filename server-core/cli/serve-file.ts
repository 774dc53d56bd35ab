import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isJsonObject } from '../protocol/json.ts'
import { UsageError } from './exit-code.ts'
import { nearest } from './nearest.ts'
import type { FileOptions } from './serve-file-schema.ts'

const NAME = 'patchbay.json'
/** What it holds: the options of `serve` and of `proxy`, the servers of the workspace, faults made on purpose. */
const MEMBERS = ['serve', 'proxy', 'servers', 'version', 'faults']
const NOTHING: FileOptions = { options: {}, warnings: [] }

/**
 * Reads the member `serve` of the `patchbay.json` in a folder; a file that is not there says nothing. Throws a
 * `UsageError` that names the file and what is wrong in it.
 *
 * @param folder absolute path
 * @param isNamed the user named the folder, so it has to be there
 */
export async function readServeFile(folder: string, isNamed: boolean): Promise<FileOptions> {
  const file = path.join(folder, NAME)
  let text: string
  try {
    // Nothing else is under way yet, and a thread for it would cost the start more than the file.
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    if (isAbsent && !isNamed) return NOTHING
    const why = isAbsent ? 'it is not there' : String(code ?? error)
    throw new UsageError(`${file} cannot be read: ${why}`, { cause: error })
  }
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} is no JSON: ${why}`, { cause: error })
  }
  if (!isJsonObject(document)) throw new UsageError(`${file}: expected an object`)
  const warnings = Object.keys(document).flatMap((name) => misspelt(name, file))
  const { faults } = document
  if (document['serve'] === undefined) return { ...NOTHING, warnings, faults }
  // Loaded for those who have such options only: it is half of what a start over stdio reads.
  const { readServeMember } = await import('./serve-file-schema.ts')
  const read = readServeMember(document['serve'], file)
  return { ...read, warnings: [...warnings, ...read.warnings], faults }
}

/** Other members may be anybody's, but one that is nearly one of ours is a slip. */
function misspelt(name: string, file: string): readonly string[] {
  if (MEMBERS.includes(name)) return []
  const near = nearest(name, MEMBERS)
  if (near.length === 0) return []
  const meant = near.map((each) => `"${each}"`).join(' or ')
  return [`${file}: the member "${name}" is not known and is ignored; did you mean ${meant}?`]
}
