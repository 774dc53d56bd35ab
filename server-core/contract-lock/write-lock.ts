import { createHash } from 'node:crypto'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LOCK_KEYS, type ContractLock, type LockEntry, type LockKind } from './lock-schema.ts'
import { proseOf, withoutProse } from './prose.ts'

/** What a server lists. */
export type Definitions = Readonly<Partial<Record<LockKind, readonly JsonObject[]>>>

/** Hexadecimal digits of a hash: 128 bits. */
const DIGITS = 32

/** Writes a lock of what a server lists. Entries are sorted, so that the order of a list makes no difference. */
export function writeLock(definitions: Definitions): ContractLock {
  const entries = (kind: LockKind) => entriesOf(definitions[kind] ?? [], LOCK_KEYS[kind])
  return {
    format: 'mcp-lock',
    version: 1,
    tools: entries('tools'),
    resources: entries('resources'),
    resourceTemplates: entries('resourceTemplates'),
    prompts: entries('prompts'),
  }
}

function entriesOf(definitions: readonly JsonObject[], key: string): Readonly<Record<string, LockEntry>> {
  const named = definitions.map((definition) => [String(definition[key]), definition] as const)
  const sorted = named.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return Object.fromEntries(sorted.map(([name, definition]) => [name, entryOf(definition)]))
}

function entryOf(listed: JsonObject): LockEntry {
  const definition = withoutContent(listed)
  return {
    wire: hash(withoutProse(definition)),
    prose: hash(Object.fromEntries(proseOf(definition).map(({ pointer, value }) => [pointer, value]))),
    definition,
  }
}

/** A definition without what depends on the content of a resource: its size, and when it changed. */
function withoutContent({ size, ...definition }: JsonObject): JsonObject {
  const { annotations, uri } = definition
  if (uri === undefined) return size === undefined ? definition : { ...definition, size }
  if (!isJsonObject(annotations)) return definition
  const { lastModified: _, ...lasting } = annotations
  return { ...definition, annotations: lasting }
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, DIGITS)
}
