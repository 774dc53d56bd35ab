import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ChangeNotifier } from './change-notifier.ts'
import type { LiveChange, ScriptLogLine } from './live-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('notifies of the changes of one moment together, each kind once', () => {
  const notifier = new ChangeNotifier()
  const changes: LiveChange[] = []
  notifier.onChange((change) => void changes.push(change))
  const line = { text: 'loaded' } as unknown as ScriptLogLine
  notifier.notify(line)
  notifier.called('tool:echo')
  notifier.called('tool:echo')
  vi.advanceTimersByTime(100)
  expect(changes).toEqual([
    { type: 'calls', keys: ['tool:echo'] },
    { type: 'log', lines: [line] },
  ])
  notifier.notify()
  vi.advanceTimersByTime(100)
  expect(changes.slice(2)).toEqual([{ type: 'state' }])
})

it('notifies nobody once it is closed', () => {
  const notifier = new ChangeNotifier()
  const changes: LiveChange[] = []
  notifier.onChange((change) => void changes.push(change))
  notifier.notify()
  notifier.close()
  notifier.called('tool:echo')
  vi.advanceTimersByTime(100)
  expect(changes).toEqual([])
})
