import { expect, it } from 'vitest'
import { clockedText, isNearLimit, knownLimits, limitsText } from './waiting-limits.ts'

const TEN_MINUTES = { at: 1_000, deadline: 601_000 }

it('says whose limit is which', () => {
  expect(limitsText(TEN_MINUTES)).toBe('Patchbay waits 10 min; the server’s own time-out is not known')
  expect(knownLimits(TEN_MINUTES)).toEqual(['Patchbay waits 10 min'])
  expect(knownLimits({ at: 0, deadline: 45_000, serverTimeoutMs: 90_004 })).toEqual([
    'Patchbay waits 45 s',
    'the server timed out after 1 min 30 s before',
  ])
  expect(knownLimits({ at: 0 })).toEqual(['Patchbay waits without limit'])
})

it('warns ten seconds before the server times out, after a minute unless it is known better', () => {
  expect(isNearLimit(TEN_MINUTES, 49_000)).toBe(false)
  expect(isNearLimit(TEN_MINUTES, 50_000)).toBe(true)
  expect(isNearLimit({ ...TEN_MINUTES, serverTimeoutMs: 300_000 }, 60_000)).toBe(false)
  expect(isNearLimit({ ...TEN_MINUTES, serverTimeoutMs: 300_000 }, 290_000)).toBe(true)
  expect(isNearLimit({ at: 0, deadline: 30_000 }, 20_000)).toBe(true)
})

it('counts in minutes and hours', () => {
  expect([0, 18_400, 725_000, 7_200_000].map(clockedText)).toEqual(['0:00', '0:18', '12:05', '2:00:00'])
})
