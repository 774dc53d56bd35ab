import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { ExchangeRows } from '../host/exchange-rows.ts'
import { countAfter, ExchangeTree, indexOfPlace, onlyAppends, viewOf } from './exchange-tree.ts'
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
  const all = new ExchangeRows()
  all.apply({ exchanges: rows })
  tree.update(all.snapshot)
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

  it('shows with a filter the matching rows and their parents', () => {
    expect(shown([], (row) => row.label === 'deep')).toEqual(['a', 'a2', 'a2x'])
    expect(shown(['a'], (row) => row.label === 'deep')).toEqual(['a', 'a2', 'a2x'])
    expect(shown(['a'], (row) => row.id === 'a')).toEqual(['a', 'a1', 'a2'])
    expect(viewOf(treeOf(ROWS), new Set(), (row) => row.id === 'b')).toMatchObject({ shown: 1, total: 3 })
  })
})

/** What a tree says of rows, by id. */
function shapeOf(tree: ExchangeTree, rows: ExchangeRows): unknown {
  const ids = (places: readonly number[]) => places.map((place) => rows.snapshot.rows[place]?.id)
  const stored = rows.snapshot.rows.filter((row) => row !== undefined)
  return { roots: ids(tree.roots), inside: stored.map(({ id }) => [id, ids(tree.childrenOf(id))]) }
}

describe('ExchangeTree', () => {
  it('keeps up with rows that come, grow and go', () => {
    const rows = new ExchangeRows()
    const tree = new ExchangeTree()
    rows.apply({ exchanges: [sampleRow('a')] })
    tree.update(rows.snapshot)
    const { roots } = tree
    rows.apply({
      exchanges: [sampleRow('a1', { parentId: 'a' }), sampleRow('b'), sampleRow('a2', { parentId: 'a' })],
    })
    tree.update(rows.snapshot)
    expect(tree.roots).toBe(roots)
    expect(tree.roots).toEqual([0, 2])
    expect(tree.childrenOf('a')).toEqual([1, 3])
    rows.apply({ removed: ['a', 'a1'], exchanges: [sampleRow('c')] })
    tree.update(rows.snapshot)
    expect(tree.placeOf('a')).toBeUndefined()
    expect(tree.roots).toEqual([2, 3, 4])
  })

  it('is the same after any changes as one that is built from the rows that are left', () => {
    const id = fc.nat(30).map((number) => `r${number}`)
    const change = fc.record({
      removed: fc.array(id, { maxLength: 6 }),
      exchanges: fc.array(fc.tuple(id, fc.option(id, { nil: undefined })), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const rows = new ExchangeRows()
        const tree = new ExchangeTree()
        const parents = new Map<string, string | undefined>()
        let step = 0
        for (const { removed, exchanges } of changes) {
          step += 1
          // A row is new once, and never changes its parent.
          const next = exchanges.map(([each, parent]) => {
            const name = `${each}-${step}`
            const inside =
              parent === undefined ? undefined : [...parents.keys()].find((known) => known.startsWith(parent))
            parents.set(name, inside)
            return sampleRow(name, inside === undefined ? {} : { parentId: inside })
          })
          const gone = [...parents.keys()].filter((known) =>
            removed.some((each) => known.startsWith(`${each}-`)),
          )
          rows.apply({ removed: gone, exchanges: next })
          tree.update(rows.snapshot)
        }
        const fresh = new ExchangeTree()
        fresh.update(rows.snapshot)
        expect(shapeOf(tree, rows)).toEqual(shapeOf(fresh, rows))
      }),
    )
  })
})

describe('places', () => {
  it('are found and counted, whether something is expanded or not', () => {
    for (const isSorted of [true, false]) {
      const view = { places: [1, 3, 4, 8], isSorted }
      expect([0, 1, 4, 5, 8].map((place) => indexOfPlace(view, place))).toEqual([-1, 0, 2, -1, 3])
      expect([0, 1, 3, 9].map((place) => countAfter(view, place))).toEqual([4, 3, 2, 0])
    }
  })
})

describe('onlyAppends', () => {
  it('reports whether what is shown stays where it is', () => {
    expect(onlyAppends([0, 2], [0, 2, 3])).toBe(true)
    expect(onlyAppends([0, 2], [0, 1, 2])).toBe(false)
    expect(onlyAppends([0, 2], [0])).toBe(false)
  })
})
