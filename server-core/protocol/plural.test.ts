import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test.each([
  [0, '0 tools'],
  [1, '1 tool'],
  [2, '2 tools'],
])('%i is counted as "%s"', (count, words) => {
  expect(plural(count, 'tool')).toBe(words)
})
