import { canonicalJson } from '../protocol/canonical-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LOCK_KEYS, type LockEntry, type LockKind } from './lock-schema.ts'
import { withoutProse } from './prose.ts'

type Named = readonly [name: string, entry: LockEntry]

/**
 * The new names of removed entries: an added one is the same but for its name, in full or in what programs read of it.
 * Entries that say too little to be told apart are never paired.
 */
export function findRenames(
  kind: LockKind,
  removed: readonly Named[],
  added: readonly Named[],
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>()
  const taken = new Set<string>()
  for (const read of [wholeOf, wireOf])
    for (const [before, entry] of removed) {
      const wanted = renames.has(before) ? undefined : read(kind, entry.definition)
      if (wanted === undefined) continue
      const same = added.find(([name, each]) => !taken.has(name) && read(kind, each.definition) === wanted)
      if (same === undefined) continue
      renames.set(before, same[0])
      taken.add(same[0])
    }
  return renames
}

/** All of a definition but what names it, if there is anything more in it than an empty schema. */
function wholeOf(kind: LockKind, definition: JsonObject): string | undefined {
  const rest = unnamed(kind, definition)
  const isTelling = Object.entries(rest).some(
    ([name, member]) => name !== 'mimeType' && !isEmptySchema(member),
  )
  return isTelling ? canonicalJson(rest) : undefined
}

/** What programs read of a definition, if it has properties or arguments. */
function wireOf(kind: LockKind, definition: JsonObject): string | undefined {
  const { inputSchema, arguments: given } = definition
  const hasArguments = (inputSchema !== undefined && !isEmptySchema(inputSchema)) || Array.isArray(given)
  return hasArguments ? canonicalJson(withoutProse(unnamed(kind, definition))) : undefined
}

function unnamed(kind: LockKind, { [LOCK_KEYS[kind]]: _, ...rest }: JsonObject): JsonObject {
  return rest
}

function isEmptySchema(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { properties } = value
  return properties === undefined || (isJsonObject(properties) && Object.keys(properties).length === 0)
}
