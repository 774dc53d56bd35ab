import { commonSubsequence } from './common-subsequence.ts'
import { compareValues, type Comparison, type ComparisonOptions } from './compare-values.ts'
import { isConnectionValue } from './connection-values.ts'
import type { RecordedCall } from './recorded-calls.ts'

/** Two calls that belong together, or one that only one of the recordings has. */
export type ComparedCall =
  | {
      readonly type: 'both'
      readonly before: RecordedCall
      readonly after: RecordedCall
      /** Its neighbours are others. */
      readonly moved: boolean
      /** Of the parameters and the answer: `/params/…`, `/result/…`, `/error/…`. */
      readonly comparison: Comparison
    }
  | { readonly type: 'before'; readonly before: RecordedCall }
  | { readonly type: 'after'; readonly after: RecordedCall }

/**
 * Aligns the calls of two recordings and compares each pair. Calls that ask the same belong together, in order; of the
 * others, those of the same method and target between the same neighbours, whose parameters changed.
 *
 * @returns all calls of both recordings, in the order of the second; those of the first alone where they were
 */
export function compareCalls(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
  options: Omit<ComparisonOptions, 'isOfConnection'> = {},
): ComparedCall[] {
  const partner = partners(before, after)
  const compared: ComparedCall[] = []
  const used = new Set([...partner.values()].map(({ place }) => place))
  let next = 0
  const addRemoved = (end: number): void => {
    for (; next < end; next += 1) {
      const call = before[next]
      if (call !== undefined && !used.has(next)) compared.push({ type: 'before', before: call })
    }
  }
  for (const [place, call] of after.entries()) {
    const match = partner.get(place)
    const known = match && before[match.place]
    if (match === undefined || known === undefined) compared.push({ type: 'after', after: call })
    else {
      if (!match.moved) addRemoved(match.place)
      const comparison = compareValues(messagesOf(known), messagesOf(call), {
        ...options,
        isOfConnection: isConnectionValue,
      })
      compared.push({ type: 'both', before: known, after: call, moved: match.moved, comparison })
    }
  }
  addRemoved(before.length)
  return compared
}

type Partner = { readonly place: number; readonly moved: boolean }

/** Places of the first list by places of the second. */
function partners(before: readonly RecordedCall[], after: readonly RecordedCall[]): Map<number, Partner> {
  const found = new Map<number, Partner>()
  const keysOf = (calls: readonly RecordedCall[]): string[] => calls.map(({ key }) => key)
  const common = commonSubsequence(keysOf(before), keysOf(after))
  for (const [one, other] of common) found.set(other, { place: one, moved: false })
  const used = new Set(common.map(([one]) => one))
  // The same question at another time.
  const left = new Map<string, number[]>()
  for (const [place, { key }] of before.entries())
    if (!used.has(place)) left.set(key, [...(left.get(key) ?? []), place])
  for (const [place, { key }] of after.entries()) {
    const one = found.has(place) ? undefined : left.get(key)?.shift()
    if (one === undefined) continue
    found.set(place, { place: one, moved: true })
    used.add(one)
  }
  // Another question to the same target, between the same neighbours.
  let [one, other] = [0, 0]
  for (const [nextOne, nextOther] of [...common, [before.length, after.length] as const]) {
    pairByTarget({ from: one, until: nextOne }, { from: other, until: nextOther })
    one = nextOne + 1
    other = nextOther + 1
  }
  return found

  function pairByTarget(gap: Gap, newGap: Gap): void {
    for (let place = newGap.from; place < newGap.until; place += 1) {
      const call = after[place]
      if (call === undefined || found.has(place)) continue
      for (let candidate = gap.from; candidate < gap.until; candidate += 1) {
        const known = before[candidate]
        if (known === undefined || used.has(candidate) || !isSameTarget(known, call)) continue
        found.set(place, { place: candidate, moved: false })
        used.add(candidate)
        break
      }
    }
  }
}

type Gap = { readonly from: number; readonly until: number }

function isSameTarget(one: RecordedCall, other: RecordedCall): boolean {
  return one.direction === other.direction && one.method === other.method && one.target === other.target
}

function messagesOf({ params, outcome }: RecordedCall): unknown {
  return outcome.type === 'none' ? { params } : { params, [outcome.type]: outcome.value }
}
