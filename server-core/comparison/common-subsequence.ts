/** Cells of the table. Above it, lists are compared from their ends only, which takes no table. */
const MOST_CELLS = 16_000_000

/** A place in the first list and the place in the second list that has the same key. */
export type CommonPlace = readonly [before: number, after: number]

/**
 * Finds the longest sequence of keys that two lists have in common, in order.
 *
 * @returns the places of its keys in both lists; of lists with more than 4,000 differing keys each, only the common
 *   start, the common end, and keys that occur once in both
 */
export function commonSubsequence(before: readonly string[], after: readonly string[]): CommonPlace[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let [beforeEnd, afterEnd] = [before.length, after.length]
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1
    afterEnd -= 1
  }
  const places: CommonPlace[] = Array.from({ length: start }, (_, place) => [place, place])
  const [left, right] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)]
  const middle = left.length * right.length > MOST_CELLS ? uniqueInOrder(left, right) : longest(left, right)
  for (const [one, other] of middle) places.push([start + one, start + other])
  for (let place = beforeEnd; place < before.length; place += 1)
    places.push([place, afterEnd + place - beforeEnd])
  return places
}

function longest(before: readonly string[], after: readonly string[]): CommonPlace[] {
  const width = after.length + 1
  // The length of the longest common sequence of what follows each pair of places.
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (one: number, other: number): number => lengths[one * width + other] ?? 0
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      lengths[one * width + other] =
        before[one] === after[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1))
  const places: CommonPlace[] = []
  let [one, other] = [0, 0]
  while (one < before.length && other < after.length) {
    if (before[one] === after[other]) places.push([one++, other++])
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1
    else other += 1
  }
  return places
}

/** Keys that occur once in both lists, as far as they are in the same order. */
function uniqueInOrder(before: readonly string[], after: readonly string[]): CommonPlace[] {
  const places = placesOfUnique(after)
  const own = placesOfUnique(before)
  const found: CommonPlace[] = []
  let last = -1
  for (const [key, one] of own) {
    const other = places.get(key)
    if (other === undefined || other <= last) continue
    found.push([one, other])
    last = other
  }
  return found
}

function placesOfUnique(keys: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [place, key] of keys.entries()) {
    if (places.has(key)) repeated.add(key)
    else places.set(key, place)
  }
  for (const key of repeated) places.delete(key)
  return places
}
