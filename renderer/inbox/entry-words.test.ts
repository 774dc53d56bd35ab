import { expect, it } from 'vitest'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { arranged, endOf, sourceOf, waitingForPeople } from './entry-words.ts'

const entry = (id: string, at: number, state: InboxEntry['state']): InboxEntry => ({
  id,
  serverId: 's',
  serverName: 'everything',
  kind: 'sampling',
  method: 'sampling/createMessage',
  revision: '2025-11-25',
  source: 'request',
  title: 'Name three birds',
  rule: 'people',
  bytes: 10,
  at,
  state,
})
const open = (waitsFor: 'person' | 'rule', proposed = false): InboxEntry['state'] => ({
  type: 'open',
  waitsFor,
  proposed,
})

it('puts what waits longest first, and below it what ended last', () => {
  const all = [
    entry('a', 5, { type: 'withdrawn', at: 9 }),
    entry('b', 4, open('person')),
    entry('c', 2, open('rule')),
    entry('d', 1, { type: 'answered', at: 30, by: 'rule', outcome: 'result', summary: 'accept' }),
  ]
  const { open: waiting, over } = arranged(all)
  expect(waiting.map(({ id }) => id)).toEqual(['c', 'b'])
  expect(over.map(({ id }) => id)).toEqual(['d', 'a'])
})

it('counts what waits for a person, an answer to look at included', () => {
  expect(
    waitingForPeople([
      entry('a', 1, open('person')),
      entry('b', 1, open('rule')),
      entry('c', 1, open('rule', true)),
      entry('d', 1, { type: 'expired', at: 2 }),
    ]),
  ).toBe(2)
})

it('says what became of a question, and who asked', () => {
  expect(endOf(entry('a', 1, open('person')))).toBe('')
  expect(endOf(entry('a', 1, { type: 'withdrawn', at: 2 }))).toBe('cancelled by the server')
  expect(endOf(entry('a', 1, { type: 'withdrawn', at: 2, reason: 'too slow' }))).toBe(
    'cancelled by the server: too slow',
  )
  expect(
    endOf(entry('a', 1, { type: 'answered', at: 2, by: 'rule', outcome: 'result', summary: 'accept' })),
  ).toBe('by rule: accept')
  expect(sourceOf(entry('a', 1, open('person')), undefined)).toBe('everything')
  expect(sourceOf(entry('a', 1, open('person')), 'sample-llm')).toBe('everything · sample-llm')
})
