import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonSubsequence } from './common-subsequence.ts'

/** Of short lists, by trying everything. */
function longestLength(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before
  if (first === undefined) return 0
  const place = after.indexOf(first)
  const without = longestLength(rest, after)
  return place < 0 ? without : Math.max(without, 1 + longestLength(rest, after.slice(place + 1)))
}

test('what is found is common, in order, and as long as possible', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 9 })
  fc.assert(
    fc.property(keys, keys, (before, after) => {
      const places = commonSubsequence(before, after)
      for (const [index, [one, other]] of places.entries()) {
        expect(before[one]).toBe(after[other])
        const [lastOne, lastOther] = places[index - 1] ?? [-1, -1]
        expect(one > lastOne && other > lastOther).toBe(true)
      }
      expect(places).toHaveLength(longestLength(before, after))
    }),
  )
})

test('long lists that differ are aligned by what occurs once in both', () => {
  const before = Array.from({ length: 5_000 }, (_, n) => (n === 2_500 ? 'same' : `old ${n}`))
  const after = Array.from({ length: 5_000 }, (_, n) => (n === 1_000 ? 'same' : `new ${n}`))
  expect(commonSubsequence(before, after)).toEqual([[2_500, 1_000]])
})
