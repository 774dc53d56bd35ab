import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [0, '0 tools'],
  [1, '1 tool'],
  [2, '2 tools'],
])('%i is told as it is spoken', (count, words) => {
  expect(counted(count, 'tool')).toBe(words)
})
