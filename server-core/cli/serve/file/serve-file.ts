import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isJsonObject } from '../../../protocol/json.ts'
import { FORMER_MEMBER_NAMES, WORKSPACE_FILE_MEMBERS } from '../../../workspace-file/members.ts'
import { UsageError } from '../../output/exit-code.ts'
import { membersRead, wideningMembers, type ServingCommand } from './file-members.ts'
import { suggest } from '../../flags/suggest.ts'
import type { FileOptions } from './serve-file-schema.ts'
import { messageOf } from '../../../protocol/error-message.ts'

const NAME = 'patchbay.json'

/** The `patchbay.json` that a command takes options from. */
export type ServeFileQuery = {
  /** Absolute path of the folder that has it. */
  readonly folder: string
  /** The user named the folder as the one with the options, so the file has to exist. */
  readonly isNamed: boolean
  readonly command: ServingCommand
  /** Whether all members count. If not, only those that restrict may be there. */
  readonly isTrusted: () => Promise<boolean>
}

/** What a `patchbay.json` says about serving. */
export type ServeFile = FileOptions & {
  /** The members that are set, such as `serve.port`. */
  readonly sets: readonly string[]
  /** The members `faults` and `proxy`, unchecked. */
  readonly faults?: unknown
  readonly proxy?: unknown
}

const NOTHING: ServeFile = { options: {}, warnings: [], sets: [] }

/**
 * Reads the `patchbay.json` in a folder. A file that does not exist sets nothing.
 *
 * @throws UsageError that names the file and its faults, or the members that an untrusted folder must not set
 */
export async function readServeFile(query: ServeFileQuery): Promise<ServeFile> {
  const file = path.join(query.folder, NAME)
  const document = readDocument(file, query.isNamed)
  if (document === undefined) return NOTHING
  const warnings = Object.keys(document).flatMap((name) => misspelt(name, file))
  const sets = membersRead(document, query.command)
  const isTrusted = sets.length > 0 && (await query.isTrusted())
  const widening = wideningMembers(document, query.command)
  if (widening.length > 0 && !isTrusted) throw untrusted(file, query, widening)
  const { faults, proxy } = document
  const members = { faults, proxy, sets }
  if (document['serve'] === undefined) return { ...NOTHING, ...members, warnings }
  // Loaded for those who have such options only: it is half of what a start over stdio reads.
  const { readServeMember } = await import('./serve-file-schema.ts')
  const read = readServeMember(document['serve'], file)
  const options = { ...read.options, ...(!isTrusted && { restrictsOnly: true as const }) }
  return { ...members, options, warnings: [...warnings, ...read.warnings] }
}

function readDocument(file: string, isNamed: boolean): Readonly<Record<string, unknown>> | undefined {
  let text: string
  try {
    // Nothing else is under way yet, and a thread for it would cost the start more than the file.
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    if (isAbsent && !isNamed) return undefined
    const why = isAbsent ? 'it does not exist' : String(code ?? error)
    throw new UsageError(`${file} cannot be read: ${why}`, { cause: error })
  }
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = messageOf(error)
    throw new UsageError(`${file} is not valid JSON: ${why}`, { cause: error })
  }
  if (!isJsonObject(document)) throw new UsageError(`${file}: expected an object`)
  return document
}

function untrusted(
  file: string,
  { folder, command }: ServeFileQuery,
  members: readonly string[],
): UsageError {
  // For proxy, --workspace also chooses where stored servers are looked up.
  const naming = command === 'serve' ? ` or --workspace "${folder}"` : ''
  return new UsageError(
    `${file} sets ${members.join(', ')}, but its folder is not trusted. Look at the file; then use its options with ` +
      `patchbay ${command} --trust${naming}, or start patchbay in another folder.`,
  )
}

/** Members of other programs are fine, but one that is nearly a known one is a mistake. */
function misspelt(name: string, file: string): readonly string[] {
  const known: readonly string[] = WORKSPACE_FILE_MEMBERS
  if (known.includes(name) || Object.hasOwn(FORMER_MEMBER_NAMES, name)) return []
  const near = suggest(name, known)
  if (near.length === 0) return []
  const meant = near.map((each) => `"${each}"`).join(' or ')
  return [`${file}: the member "${name}" is not known and is ignored; did you mean ${meant}?`]
}
