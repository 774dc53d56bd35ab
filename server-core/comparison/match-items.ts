import { isJsonObject } from '../protocol/json.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { commonSubsequence } from './common-subsequence.ts'
import { withoutVolatile } from './volatile-values.ts'

/** Members by which items of one array are told apart, the best first. */
const IDENTITIES = ['id', 'key', 'uri', 'uriTemplate', 'name'] as const

/** The place of an item in the first array, in the second, or in both; `moved` if its neighbours changed. */
export type ItemMatch =
  | { readonly type: 'both'; readonly before: number; readonly after: number; readonly moved: boolean }
  | { readonly type: 'before'; readonly before: number }
  | { readonly type: 'after'; readonly after: number }

/**
 * Finds which items of two arrays belong together: by the member that identifies them, if all items have one and no
 * two have the same; else by equal content, and what lies between equal items in order.
 *
 * @returns each item of both arrays once, in the order of the second array, removed items where they were
 */
export function matchItems(before: readonly unknown[], after: readonly unknown[]): ItemMatch[] {
  const identity = IDENTITIES.find((name) => identifies(name, before) && identifies(name, after))
  if (identity === undefined) return matchByContent(before, after)
  const keyOf = (item: unknown): string => canonicalJson(isJsonObject(item) ? item[identity] : null)
  return matchByKey(before.map(keyOf), after.map(keyOf))
}

function identifies(name: string, items: readonly unknown[]): boolean {
  const values = new Set<unknown>()
  for (const item of items) {
    const value = isJsonObject(item) ? item[name] : undefined
    if ((typeof value !== 'string' && typeof value !== 'number') || values.has(value)) return false
    values.add(value)
  }
  return items.length > 0
}

/** Matches items by keys that occur once in each list. */
export function matchByKey(before: readonly string[], after: readonly string[]): ItemMatch[] {
  const inOrder = new Map(commonSubsequence(before, after).map(([one, other]) => [other, one]))
  const places = new Map(before.map((key, place) => [key, place]))
  const matches: ItemMatch[] = []
  const kept = new Set<number>()
  for (const [place, key] of after.entries()) {
    const one = inOrder.get(place) ?? places.get(key)
    if (one === undefined) matches.push({ type: 'after', after: place })
    else {
      kept.add(one)
      matches.push({ type: 'both', before: one, after: place, moved: inOrder.get(place) === undefined })
    }
  }
  return withRemoved(matches, before.length, kept)
}

function matchByContent(before: readonly unknown[], after: readonly unknown[]): ItemMatch[] {
  const textOf = (item: unknown): string => canonicalJson(item, withoutVolatile)
  const common = commonSubsequence(before.map(textOf), after.map(textOf))
  const matches: ItemMatch[] = []
  const kept = new Set<number>()
  let [one, other] = [0, 0]
  for (const [nextOne, nextOther] of [...common, [before.length, after.length] as const]) {
    // What lies between two equal items was changed, item by item.
    while (one < nextOne && other < nextOther) {
      kept.add(one)
      matches.push({ type: 'both', before: one++, after: other++, moved: false })
    }
    while (other < nextOther) matches.push({ type: 'after', after: other++ })
    if (nextOne < before.length && nextOther < after.length) {
      kept.add(nextOne)
      matches.push({ type: 'both', before: nextOne, after: nextOther, moved: false })
    }
    one = nextOne + 1
    other = nextOther + 1
  }
  return withRemoved(matches, before.length, kept)
}

/** Adds the items that only the first list has, each behind the one that it followed. */
function withRemoved(matches: readonly ItemMatch[], count: number, kept: ReadonlySet<number>): ItemMatch[] {
  const followers = new Map<number, ItemMatch[]>()
  let last = -1
  for (let place = 0; place < count; place += 1) {
    if (kept.has(place)) last = place
    else followers.set(last, [...(followers.get(last) ?? []), { type: 'before', before: place }])
  }
  const all: ItemMatch[] = [...(followers.get(-1) ?? [])]
  for (const match of matches) {
    all.push(match)
    if (match.type === 'both') all.push(...(followers.get(match.before) ?? []))
  }
  return all
}
