import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from './clock.ts'

describe('Clock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('reads the same while somebody comes, goes and comes again', () => {
    const clock = new Clock(1_000)
    const first = clock.read()
    vi.setSystemTime(Date.now() + 5)
    const leave = clock.subscribe(() => undefined)
    expect(clock.read()).toBe(first)
    leave()
    vi.setSystemTime(Date.now() + 5)
    clock.subscribe(() => undefined)
    expect(clock.read()).toBe(first)
  })

  it('goes on by its own steps and tells everybody', () => {
    const clock = new Clock(1_000)
    const before = clock.read()
    const heard: number[] = []
    clock.subscribe(() => heard.push(clock.read() - before))
    vi.advanceTimersByTime(2_500)
    expect(heard).toEqual([1_000, 2_000])
  })

  it('keeps no timer for nobody', () => {
    const clock = new Clock(1_000)
    clock.subscribe(() => undefined)()
    expect(vi.getTimerCount()).toBe(0)
  })
})
