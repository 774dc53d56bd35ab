import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Admissions } from './admissions.ts'

const KEEP_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function counted() {
  const admissions = new Admissions<number>()
  let decisions = 0
  const decide = () => Promise.resolve({ value: (decisions += 1), until: Date.now() + KEEP_MS })
  return () => admissions.get('token', decide)
}

it('decides again after a while', async () => {
  const get = counted()
  expect([await get(), await get()]).toEqual([1, 1])
  vi.advanceTimersByTime(KEEP_MS)
  expect(await get()).toBe(2)
})

it('keeps no decision longer because the clock of the day is set back', async () => {
  const get = counted()
  expect(await get()).toBe(1)
  vi.setSystemTime(Date.now() - 6 * 60 * 60_000)
  expect(await get()).toBe(1)
  vi.advanceTimersByTime(KEEP_MS)
  expect(await get()).toBe(2)
})

it('decides again if the clock is set forward, because a token may have expired', async () => {
  const get = counted()
  expect(await get()).toBe(1)
  vi.setSystemTime(Date.now() + 6 * 60 * 60_000)
  expect(await get()).toBe(2)
})
