import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { ExchangeTree, onlyAppends, viewOf } from './exchange-tree.ts'
import { sampleRow } from './sample-rows.test-support.ts'

const ROWS: readonly Exchange[] = [
  sampleRow('a'),
  sampleRow('a1', { parentId: 'a', method: 'notifications/progress' }),
  sampleRow('b', { label: 'echo' }),
  sampleRow('a2', { parentId: 'a', method: 'sampling/createMessage' }),
  sampleRow('a2x', { parentId: 'a2', label: 'deep' }),
  sampleRow('lone', { parentId: 'dropped' }),
]

function treeOf(rows: readonly Exchange[]): ExchangeTree {
  const tree = new ExchangeTree()
  tree.update(rows)
  return tree
}

const shown = (expanded: readonly string[], matches?: (row: Exchange) => boolean): readonly string[] =>
  viewOf(treeOf(ROWS), new Set(expanded), matches).places.map((place) => ROWS[place]?.id ?? '?')

describe('viewOf', () => {
  it('shows exchanges, and what is inside those that are expanded', () => {
    expect(shown([])).toEqual(['a', 'b', 'lone'])
    expect(shown(['a'])).toEqual(['a', 'a1', 'a2', 'b', 'lone'])
    expect(shown(['a', 'a2'])).toEqual(['a', 'a1', 'a2', 'a2x', 'b', 'lone'])
    expect(treeOf(ROWS).depthOf(ROWS[4] ?? sampleRow('?'))).toBe(2)
  })

  it('shows with a filter what matches and what that stands in', () => {
    expect(shown([], (row) => row.label === 'deep')).toEqual(['a', 'a2', 'a2x'])
    expect(shown(['a'], (row) => row.label === 'deep')).toEqual(['a', 'a2', 'a2x'])
    expect(shown(['a'], (row) => row.id === 'a')).toEqual(['a', 'a1', 'a2'])
    expect(viewOf(treeOf(ROWS), new Set(), (row) => row.id === 'b')).toMatchObject({ shown: 1, total: 3 })
  })
})

describe('ExchangeTree', () => {
  it('takes rows that come at the end of the same array, and reads another array anew', () => {
    const rows = [sampleRow('a')]
    const tree = treeOf(rows)
    rows.push(sampleRow('a1', { parentId: 'a' }), sampleRow('b'))
    tree.update(rows)
    expect(tree.roots).toEqual([0, 2])
    expect(tree.childrenOf('a')).toEqual([1])
    tree.update(rows.slice(1))
    expect(tree.roots).toEqual([0, 1])
    expect(tree.placeOf('a')).toBeUndefined()
  })
})

describe('onlyAppends', () => {
  it('tells whether what is shown stays where it is', () => {
    expect(onlyAppends([0, 2], [0, 2, 3])).toBe(true)
    expect(onlyAppends([0, 2], [0, 1, 2])).toBe(false)
    expect(onlyAppends([0, 2], [0])).toBe(false)
  })
})
