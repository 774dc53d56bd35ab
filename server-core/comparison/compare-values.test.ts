import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseExact } from '../protocol/exact-json.ts'
import { compareValues, type Change } from './compare-values.ts'
import { isConnectionValue } from './connection-values.ts'

const changes = (before: unknown, after: unknown, ignore: string[] = []): readonly Change[] =>
  compareValues(before, after, { ignore }).changes

describe('members', () => {
  it('names what was added, removed and changed, with its pointer', () => {
    expect(changes({ a: 1, 'b/c': 2, d: { e: [1] } }, { a: 2, d: { e: { f: 1 } }, g: null })).toEqual([
      { kind: 'removed', pointer: '/b~1c', before: 2 },
      { kind: 'changed', pointer: '/a', before: 1, after: 2 },
      { kind: 'type', pointer: '/d/e', before: [1], after: { f: 1 } },
      { kind: 'added', pointer: '/g', after: null },
    ])
  })

  it('does not mind the order of members, and numbers are exact', () => {
    expect(changes({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([])
    expect(
      changes(parseExact('{"n":12345678901234567890}'), parseExact('{"n":12345678901234567890}')),
    ).toEqual([])
    expect(
      changes(parseExact('{"n":12345678901234567890}'), parseExact('{"n":12345678901234567891}')),
    ).toHaveLength(1)
  })

  it('compares members that objects inherit as members', () => {
    const after = JSON.parse('{"__proto__":1,"constructor":2}') as unknown
    expect(changes({}, after).map(({ pointer }) => pointer)).toEqual(['/__proto__', '/constructor'])
  })
})

describe('items', () => {
  it('match by the member that identifies them, and say when they moved', () => {
    const before = [{ name: 'a', v: 1 }, { name: 'x' }, { name: 'b' }, { name: 'c' }]
    const after = [{ name: 'c' }, { name: 'a', v: 2 }, { name: 'b' }, { name: 'd' }]
    expect(changes({ tools: before }, { tools: after })).toEqual([
      { kind: 'moved', pointer: '/tools/0', from: '/tools/3' },
      { kind: 'changed', pointer: '/tools/1/v', before: 1, after: 2 },
      { kind: 'removed', pointer: '/tools/1', before: { name: 'x' } },
      { kind: 'added', pointer: '/tools/3', after: { name: 'd' } },
    ])
  })

  it('match by content where nothing identifies them', () => {
    expect(changes([1, 2, 3, 4], [1, 3, 4, 5])).toEqual([
      { kind: 'removed', pointer: '/1', before: 2 },
      { kind: 'added', pointer: '/3', after: 5 },
    ])
    expect(changes(['x', 'y'], ['x', 'z'])).toEqual([
      { kind: 'changed', pointer: '/1', before: 'y', after: 'z' },
    ])
  })
})

describe('values of one run', () => {
  it('are told apart from changes', () => {
    const before = {
      at: '2026-11-24T10:00:00Z',
      url: 'http://127.0.0.1:4040/mcp',
      text: 'made 6fa459ea-ee8a-3ca4-894e-db77e160355e',
      ms: 1_700_000_000_000,
      _meta: { progressToken: 1 },
    }
    const after = {
      at: '2026-11-25T11:30:00Z',
      url: 'http://127.0.0.1:5050/mcp',
      text: 'made 16fd2706-8baf-433b-82eb-8c7fada847da',
      ms: 1_800_000_000_000,
      _meta: { progressToken: 2 },
    }
    const isOfConnection = isConnectionValue
    const compared = compareValues({ params: before }, { params: after }, { isOfConnection })
    expect(compared.changes).toEqual([])
    expect(compared.volatile).toEqual([
      { kind: 'time', pointer: '/params/at' },
      { kind: 'port', pointer: '/params/url' },
      { kind: 'id', pointer: '/params/text' },
      { kind: 'time', pointer: '/params/ms' },
      { kind: 'connection', pointer: '/params/_meta/progressToken' },
    ])
    expect(compareValues(before, after, { exact: true }).changes).toHaveLength(5)
    // What a tool takes and returns is its own, whatever it is called.
    const taken = (cursor: string) => ({ params: { arguments: { cursor } } })
    expect(compareValues(taken('a'), taken('b'), { isOfConnection }).changes).toHaveLength(1)
    // The text around a time still counts.
    expect(changes('at 2026-11-24T10:00:00Z', 'on 2026-11-25T10:00:00Z')).toHaveLength(1)
  })
})

test('patterns leave out what they cover, and what is left out is counted', () => {
  const before = { a: [{ t: 1, u: 1 }, { t: 1 }], deep: { stamp: 1 } }
  const after = { a: [{ t: 2, u: 2 }, { t: 3 }], deep: { stamp: 2 } }
  const compared = compareValues(before, after, { ignore: ['/a/*/t', 'stamp'] })
  expect(compared.changes.map(({ pointer }) => pointer)).toEqual(['/a/0/u'])
  expect(compared.ignored).toBe(3)
})

test('values are equal to themselves, and changes that are applied give the second value', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [before, after] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      expect(compareValues(before, before)).toMatchObject({ changes: [], volatile: [] })
      const isSame = compareValues(before, after, { exact: true }).changes.length === 0
      const isEqual = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))
      expect(isSame).toBe(isEqual)
    }),
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) }
}

test('more changes than can be read are counted', () => {
  const before = Array.from({ length: 1_500 }, (_, id) => ({ id, value: 1 }))
  const compared = compareValues(
    before,
    before.map((item) => ({ ...item, value: 2 })),
  )
  expect([compared.changes.length, compared.more]).toEqual([1_000, 500])
})

test('texts that are JSON are compared as JSON', () => {
  const before = { text: '{"id":1,"price":100}' }
  expect(compareValues(before, { text: '{"price":120,"id":1}' }).changes).toEqual([
    { kind: 'changed', pointer: '/text/price', before: 100, after: 120 },
  ])
  expect(compareValues(before, { text: '{ "id": 1, "price": 100 }' }).changes).toMatchObject([
    { kind: 'changed', pointer: '/text' },
  ])
  expect(compareValues(before, { text: '{"id":' }).changes).toMatchObject([{ pointer: '/text' }])
})
