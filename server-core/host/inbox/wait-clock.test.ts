import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallWaits, WaitClock } from './wait-clock.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('counts time once in which several things were open, and none in which nothing was', () => {
  const clock = new WaitClock()
  const first = clock.start()
  vi.advanceTimersByTime(10)
  const second = clock.start()
  vi.advanceTimersByTime(10)
  expect(clock.elapsedMs).toBe(20)
  first()
  first()
  vi.advanceTimersByTime(5)
  second()
  vi.advanceTimersByTime(100)
  expect(clock.elapsedMs).toBe(25)
})

it('counts a question for the calls that were running when it was asked, and for no later one', () => {
  const waits = new CallWaits()
  const first = waits.measure()
  const answered = waits.asked()
  vi.advanceTimersByTime(10)
  const second = waits.measure()
  vi.advanceTimersByTime(10)
  expect([first.elapsedMs(), second.elapsedMs()]).toEqual([20, 0])
  answered()
  vi.advanceTimersByTime(10)
  const other = waits.asked()
  first.close()
  vi.advanceTimersByTime(5)
  other()
  expect([first.elapsedMs(), second.elapsedMs()]).toEqual([25, 5])
})
