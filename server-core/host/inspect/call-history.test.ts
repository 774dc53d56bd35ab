import { expect, it } from 'vitest'
import { CallHistory } from './call-history.ts'

const call = (callId: string, message = '') => ({
  callId,
  at: 1,
  argumentsText: '{}',
  outcome: { type: 'failure', code: 'timeout', message, durationMs: 1, revision: '' } as const,
})

it('keeps the newest fifty calls of each tab', () => {
  const history = new CallHistory()
  history.add('other', call('its own'))
  for (let index = 0; index < 60; index += 1) history.add('tab', call(String(index)))
  expect(history.of('tab').map(({ callId }) => callId)).toEqual(
    Array.from({ length: 50 }, (_, index) => String(59 - index)),
  )
  expect(history.of('other')).toHaveLength(1)
  expect(history.outcome('9')).toBeUndefined()
})

it('discards the oldest calls beyond a bound of characters, and always keeps the newest', () => {
  const history = new CallHistory()
  const large = 'x'.repeat(30 * 1024 * 1024)
  for (const id of ['a', 'b', 'c']) history.add(id, call(id, large))
  expect(['a', 'b', 'c'].map((tab) => history.of(tab).length)).toEqual([0, 1, 1])
  history.add('d', call('d', 'x'.repeat(70 * 1024 * 1024)))
  expect(['b', 'c', 'd'].map((tab) => history.of(tab).length)).toEqual([0, 0, 1])
})
