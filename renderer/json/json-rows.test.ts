import { describe, expect, it } from 'vitest'
import { indexJson, valueSource, type JsonIndex } from './json-index.ts'
import { nodeAtPointer } from './json-pointer.ts'
import { firstOpen, pointerOf, rowsOf } from './json-rows.ts'

function indexOf(value: unknown): JsonIndex {
  const indexed = indexJson(JSON.stringify(value))
  if (!indexed.ok) throw new Error(indexed.problem.message)
  return indexed.index
}

function lines(index: JsonIndex, open: ReadonlySet<number>): string[] {
  return rowsOf(index, open).map(
    (row) =>
      `${'  '.repeat(row.depth)}${row.closing ? 'end' : valueSource(index, row.node, 12)}${row.comma ? ',' : ''}`,
  )
}

describe('rowsOf', () => {
  it('has a row for each value in an open container, and one for its end', () => {
    const index = indexOf({ city: 'Oslo', days: [{ high: 3.5 }, { high: 1 }] })
    const days = nodeAtPointer(index, '/days') ?? -1
    expect(lines(index, new Set([0, days]))).toEqual([
      '{"city":"Osl',
      '  "Oslo",',
      '  [{"high":3.5',
      '    {"high":3.5},',
      '    {"high":1}',
      '  end',
      'end',
    ])
    expect(lines(index, new Set())).toHaveLength(1)
  })
})

describe('firstOpen', () => {
  it('opens what is worth it and leaves the rest folded', () => {
    const index = indexOf({ few: { a: 1 }, rows: Array.from({ length: 200 }, (_, at) => ({ at })) })
    expect([...firstOpen(index)].map((node) => pointerOf(index, node))).toEqual([''])
    const deep = indexOf({ a: { long: 'x'.repeat(90), b: { c: [{ d: 'y'.repeat(90) }] } } })
    expect([...firstOpen(deep)].map((node) => pointerOf(deep, node))).toEqual([
      '',
      '/a',
      '/a/b',
      '/a/b/c',
      '/a/b/c/0',
    ])
  })

  it('opens the root of a long list', () => {
    expect(firstOpen(indexOf(Array.from({ length: 1_000 }, (_, at) => at))).has(0)).toBe(true)
  })
})

describe('pointerOf', () => {
  it('is the way back of nodeAtPointer', () => {
    const index = indexOf({ 'a/b': [1, { '~': [true] }] })
    for (const pointer of ['', '/a~1b', '/a~1b/0', '/a~1b/1/~0/0']) {
      expect(pointerOf(index, nodeAtPointer(index, pointer) ?? -1)).toBe(pointer)
    }
  })
})
