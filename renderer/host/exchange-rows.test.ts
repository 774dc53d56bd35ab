import { expect, it } from 'vitest'
import { sampleRow } from '../timeline/sample-rows.test-support.ts'
import { ExchangeRows } from './exchange-rows.ts'

it('keeps the places of all other rows when rows are removed', () => {
  const rows = new ExchangeRows()
  rows.apply({ exchanges: ['a', 'b', 'c'].map((id) => sampleRow(id)) })
  const { rows: places } = rows.snapshot
  rows.apply({ removed: ['b', 'unknown'], exchanges: [sampleRow('c', { label: 'grown' }), sampleRow('d')] })
  expect(rows.snapshot.rows).toBe(places)
  expect(places.map((row) => row?.id)).toEqual(['a', undefined, 'c', 'd'])
  expect(places[2]?.label).toBe('grown')
  expect(rows.snapshot.placeOf('b')).toBeUndefined()
  expect(rows.snapshot.removed.map(({ place, row }) => [place, row.id])).toEqual([[1, 'b']])
})

it('frees the places of removed rows once they are many', () => {
  const rows = new ExchangeRows()
  rows.apply({ exchanges: [sampleRow('quiet')] })
  for (let number = 0; number < 30_000; number += 100) {
    const some = Array.from({ length: 100 }, (_, index) => `r${number + index}`)
    const old = Array.from({ length: 100 }, (_, index) => `r${number - 200 + index}`)
    rows.apply({ removed: old, exchanges: some.map((id) => sampleRow(id)) })
  }
  const { rows: all, placeOf } = rows.snapshot
  expect(all.length).toBeLessThan(20_000)
  expect(all.filter((row) => row !== undefined)).toHaveLength(201)
  expect(all[placeOf('r29999') ?? -1]?.id).toBe('r29999')
  expect(placeOf('quiet')).toBe(0)
})
