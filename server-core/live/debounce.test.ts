import { afterEach, it, vi } from 'vitest'
import { Debounce } from './debounce.ts'

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['forward', 6],
  ['back', -6],
])('looks at a change though the clock of the day jumps %s meanwhile', async (_direction, hours) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await new Promise<void>((resolve) => {
    const quiet = new Debounce(resolve)
    quiet.disturb(1)
    vi.setSystemTime(Date.now() + hours * 60 * 60_000)
    quiet.disturb(2)
  })
})
