import { expect, test } from 'vitest'
import { nameOf, orderedRecordings, type ListedRecording } from './list-order.ts'

function recording(id: string, more: Partial<ListedRecording> = {}): ListedRecording {
  return {
    id,
    serverId: id,
    serverName: `server ${id}`,
    side: 'client',
    startedAt: Date.parse('2026-11-22T14:00:00Z'),
    endedAt: 0,
    bytes: 0,
    isOpen: false,
    facts: undefined,
    ...more,
  }
}

const facts = { id: '', frames: 3, errors: 0, problems: [] }
const ALL = [
  recording('a', { bytes: 3, name: 'Oslo, before' }),
  recording('b', { bytes: 9, startedAt: Date.parse('2026-11-23T14:00:00Z'), isOpen: true }),
  recording('c', { bytes: 1, facts: { ...facts, client: 'Cursor 2', problems: ['1 line is missing'] } }),
]
const ids = (text: string, order: Parameters<typeof orderedRecordings>[2] = 'newest') =>
  orderedRecordings(ALL, text, order).map(({ id }) => id)

test('recordings are found by name, server, client, state and day, all words of the text', () => {
  expect(ids('')).toEqual(['b', 'a', 'c'])
  expect(ids('OSLO kept')).toEqual(['a'])
  expect(ids('server open')).toEqual(['b'])
  expect(ids('cursor damaged')).toEqual(['c'])
  expect(ids('2026-11-23')).toEqual(['b'])
  expect(ids('cursor oslo')).toEqual([])
})

test('recordings are ordered by time, name, size and frames', () => {
  expect(ids('', 'oldest')).toEqual(['a', 'c', 'b'])
  expect(ids('', 'name')).toEqual(['a', 'b', 'c'])
  expect(ids('', 'size')).toEqual(['b', 'a', 'c'])
  expect(ids('', 'frames')[0]).toBe('c')
})

test('a recording without a name is called by its server, and one without a server by its id', () => {
  expect(ALL.map(nameOf)).toEqual(['Oslo, before', 'server b', 'server c'])
  expect(nameOf(recording('x', { serverName: '' }))).toBe('x')
})
