import { expect, it } from 'vitest'
import { countText } from './count-text.ts'

it('sets thousands apart', () => {
  expect([0, 163, 1_000, 65_536, 1_048_576].map(countText)).toEqual([
    '0',
    '163',
    '1,000',
    '65,536',
    '1,048,576',
  ])
})
