import { expect, test } from 'vitest'
import { readTime } from './filter-values.ts'

/** 14:30:00 of this computer. */
const NOW = new Date(2026, 10, 22, 14, 30).getTime()
const MINUTE = 60_000

test('a time without hours that would be later than now was an hour ago, one with hours yesterday', () => {
  expect(readTime('29:00', NOW)).toBe(NOW - MINUTE)
  expect(readTime('31:00', NOW)).toBe(NOW - 59 * MINUTE)
  expect(readTime('14:29:00', NOW)).toBe(NOW - MINUTE)
  expect(new Date(readTime('14:31:00', NOW) ?? 0)).toEqual(new Date(2026, 10, 21, 14, 31))
})

test('minutes and seconds from 60 on, and hours from 24 on, are rejected', () => {
  for (const text of ['60:00', '00:60', '24:00:00', '14:60:00']) expect(readTime(text, NOW)).toBeUndefined()
})
