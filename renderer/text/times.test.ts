import { expect, it } from 'vitest'
import { dayText, secondText, timeText } from './times.ts'

it('shows times with the hour, and days', () => {
  const at = new Date(2026, 0, 5, 4, 3, 2, 9).getTime()
  expect(timeText(at)).toBe('04:03:02.009')
  expect(secondText(at)).toBe('04:03:02')
  expect(dayText(at)).toBe('2026-01-05')
})
