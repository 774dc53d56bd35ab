import { expect, it } from 'vitest'
import { sampleRow } from './sample-rows.test-support.ts'
import { withoutShown } from './without-shown.ts'

it('takes each shown row away once, however close together calls are', () => {
  const recorded = [1, 2, 3, 4, 5, 6].map((startedAt) => sampleRow(`r${startedAt}`, { startedAt }))
  const shown = [4.1, 5.1, 6.1, 7.1].map((startedAt) => sampleRow(`s${startedAt}`, { startedAt }))
  // The clocks differ a little; the seventh is in memory alone, and takes the nearest that is left.
  expect(withoutShown(recorded, shown.slice(0, 3)).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3'])
  expect(withoutShown(recorded, [])).toHaveLength(6)
  const others = shown.map((row) => ({ ...row, method: 'ping' }))
  expect(withoutShown(recorded, others)).toHaveLength(6)
})
