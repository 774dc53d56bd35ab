import { describe, expect, it } from 'vitest'
import { REVISIONS } from '../../protocol/revisions.ts'
import { ListingCache, type ListingFormat } from './listing-cache.ts'

describe('ListingCache', () => {
  it('writes each item once for each revision, and again when the list is another', () => {
    const written: string[] = []
    const kind: ListingFormat<{ name: string }> = {
      member: 'tools',
      keyOf: ({ name }) => name,
      write: (item, row) => {
        written.push(row.revision)
        return { ...item, for: row.revision }
      },
    }
    const cache = new ListingCache(2)
    const hints = { ttlMs: 0, scope: 'private' } as const
    const pageOf = (items: readonly { name: string }[], row: (typeof REVISIONS)[number], cursor?: unknown) =>
      cache.page({}, row, kind, items, cursor, hints)
    const items = ['a', 'b', 'c'].map((name) => ({ name }))
    for (const row of REVISIONS) {
      const first = pageOf(items, row)
      const { tools, nextCursor } = JSON.parse(first.toString()) as Record<string, unknown>
      expect(tools).toEqual([
        { name: 'a', for: row.revision },
        { name: 'b', for: row.revision },
      ])
      expect(pageOf(items, row)).toBe(first)
      expect(pageOf(items, row, nextCursor)).toBe(pageOf(items, row, nextCursor))
    }
    expect(written).toHaveLength(items.length * REVISIONS.length)
    for (const row of REVISIONS) expect(pageOf([...items], row)).toEqual(pageOf(items, row))
    expect(written.length).toBeGreaterThan(items.length * REVISIONS.length)
  })
})
