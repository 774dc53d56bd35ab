import { expect, test } from 'vitest'
import type { ConnectedClient } from '../../server-core/host/contract/registry.ts'
import { factsOf, nameOf } from './client-facts.ts'

const at = new Date(2026, 0, 1, 21, 2).getTime()

const client: ConnectedClient = {
  id: '1',
  name: 'cursor',
  transport: 'http',
  revision: '2025-06-18',
  own: false,
  since: at,
  lastRequestAt: at,
  calls: 1,
  running: 0,
  subscriptions: [],
}

test('a client is named by what it says, and told from this window', () => {
  expect(nameOf(client)).toBe('cursor')
  expect(nameOf({ ...client, title: 'Cursor', own: true })).toBe('Cursor (this window)')
  expect(nameOf({ ...client, principal: 'ann' })).toBe('cursor (ann)')
  expect(nameOf({ ...client, name: '' })).toBe('unnamed client')
})

test.each([
  [{ pid: 5120, address: '127.0.0.1:1', calls: 212 }, 'pid 5120, since 21:02, 212 calls'],
  [{ address: '127.0.0.1:51022', running: 1 }, '127.0.0.1:51022, since 21:02, 1 call, 1 running'],
  [
    { sessionId: '9f41aabbccddeec2', subscriptions: ['a:b', 'c:d'] },
    'session 9f41…c2, since 21:02, 1 call, 2 subscriptions',
  ],
  [{}, 'since 21:02, 1 call'],
])('what is known of %j is said in one line', (change, line) => {
  expect(factsOf({ ...client, ...change })).toBe(line)
})
