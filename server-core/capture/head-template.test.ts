import { expect, test } from 'vitest'
import type { HttpFacts } from '../ports/tap.ts'
import { HeadTemplate } from './head-template.ts'
import { facts } from './sample-frames.test-support.ts'

/** What is read of facts that were written as differing from others; undefined if they cannot be. */
function writtenAs(first: HttpFacts, later: HttpFacts): unknown {
  const buffer = Buffer.alloc(64 * 1024)
  const template = HeadTemplate.of(first)
  const end = template?.write(later, buffer, 10, buffer.length) ?? -1
  return end < 0 ? undefined : { ...template?.read(buffer, 10, end), exchange: later.exchange }
}

test('keeps what differs from facts of the same form, empty texts and zero too', () => {
  const first = facts(1, {
    headers: { accept: 'a', host: 'h' },
    event: { id: '1', name: 'message', retry: 500 },
  })
  const later = facts(2, { headers: { accept: 'ü\u00ff', host: '' }, event: { id: '', name: '', retry: 0 } })
  expect(writtenAs(first, first)).toEqual(first)
  expect(writtenAs(first, later)).toEqual(later)
})

test('leaves facts of another form, and texts that one byte a character does not hold', () => {
  const first = facts(1, { headers: { accept: 'a' }, event: { id: '1' } })
  for (const other of [
    facts(1, { headers: {}, event: { id: '1' } }),
    facts(1, { headers: { host: 'a' }, event: { id: '1' } }),
    facts(1, { headers: { accept: 'a' }, event: { name: '1' } }),
    facts(1, { headers: { accept: 'a' }, event: { id: '1', retry: 0 } }),
    facts(1, { headers: { accept: 'a' } }),
    facts(1, { headers: { accept: 'a' }, event: { id: '€2' } }),
  ]) {
    expect(writtenAs(first, other)).toBeUndefined()
  }
  expect(HeadTemplate.of(facts(1, { event: { id: '€1' } }))).toBeUndefined()
})

test('leaves facts with more values than can be told apart', () => {
  const of = (count: number, value: string) =>
    facts(1, {
      headers: Object.fromEntries(Array.from({ length: count }, (_, name) => [`x-${name}`, value])),
    })
  expect(writtenAs(of(256, 'a'), of(256, 'b'))).toEqual(of(256, 'b'))
  expect(HeadTemplate.of(of(257, 'a'))).toBeUndefined()
})
