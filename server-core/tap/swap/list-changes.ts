import { isJsonObject } from '../../protocol/json.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import { LISTS, type ListMethod } from './session-memory.ts'

/** Names that are listed for each kind of change. */
const MOST_NAMES = 5
const LONGEST_NAME = 80

/** What differs between two lists, in words; undefined if nothing does. The order does not count. */
export function listChanges(
  method: ListMethod,
  before: readonly unknown[],
  after: readonly unknown[],
): string | undefined {
  const { key, member } = LISTS[method]
  const [old, now] = [byKey(before, key), byKey(after, key)]
  const added = [...now.keys()].filter((name) => !old.has(name))
  const removed = [...old.keys()].filter((name) => !now.has(name))
  const changed = [...now.keys()].filter(
    (name) => old.has(name) && canonicalJson(old.get(name)) !== canonicalJson(now.get(name)),
  )
  const parts = [part('added', added), part('removed', removed), part('changed', changed)]
  const words = parts.filter((each) => each !== undefined)
  return words.length === 0 ? undefined : `${member}: ${words.join(', ')}`
}

function part(what: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  const shown = names.slice(0, MOST_NAMES).map((name) => visibleLine(name, LONGEST_NAME))
  const rest = names.length - shown.length
  return `${names.length} ${what} (${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`
}

function byKey(items: readonly unknown[], key: string): Map<string, unknown> {
  return new Map(items.map((item) => [isJsonObject(item) ? String(item[key]) : JSON.stringify(item), item]))
}
