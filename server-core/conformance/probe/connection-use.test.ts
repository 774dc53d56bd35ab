import { expect, it } from 'vitest'
import { leavesNoTrace } from './connection-use.ts'

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })
const error = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid' } })
const isReadOnly = (tool: string) => tool === 'echo'
const use = (sent: readonly unknown[], received: readonly object[]) =>
  leavesNoTrace({ sent, received: received.map((each) => ({ ...each })), lastId: 9, isReadOnly })

it('lets another check go on after ordinary requests', () => {
  const sent = [
    request(1, 'tools/list'),
    request(2, 'tools/call', { name: 'echo' }),
    request(3, 'logging/setLevel'),
  ]
  expect(use(sent, [result(1), { method: 'notifications/message' }, result(2), error(3)])).toBe(true)
})

it.each([
  ['invalid bytes', [undefined], []],
  ['a request without an answer', [request(1, 'tools/list')], []],
  ['an id of its own', [request('a', 'tools/list')], [result('a')]],
  ['a change of the session', [request(1, 'logging/setLevel')], [result(1)]],
  ['a subscription', [request(1, 'resources/subscribe')], [result(1)]],
  ['a tool that may change something', [request(1, 'tools/call', { name: 'delete' })], [result(1)]],
  ['a task', [request(1, 'tools/call', { name: 'echo', task: {} })], [result(1)]],
  ['a question of the server', [], [{ id: 1, method: 'roots/list' }]],
  ['an array', [[request(1, 'ping')]], [result(1)]],
])('ends a session after %s', (_what, sent, received) => {
  expect(use(sent, received)).toBe(false)
})
