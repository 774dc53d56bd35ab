import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { ExchangeRows } from '../host/exchange-rows.ts'
import { Observable } from '../state/observable.ts'
import { readFilter } from './filter.ts'
import { rowsSince } from './rows-since.ts'
import { openRow, sampleRow } from './sample-rows.test-support.ts'
import { stepOf } from './grid-keys.ts'
import { TimelineModel } from './timeline-model.ts'

function started(...first: readonly Exchange[]) {
  const rows = new ExchangeRows()
  const source = new Observable(rows.snapshot)
  const apply = (change: Parameters<ExchangeRows['apply']>[0]): void => {
    rows.apply(change)
    source.set(rows.snapshot)
  }
  apply({ exchanges: first })
  const model = new TimelineModel(source)
  const ids = (): readonly string[] => {
    const { rows: all, places } = model.view.get()
    return places.map((place) => all[place]?.id ?? '?')
  }
  return { model, apply, ids }
}

describe('TimelineModel', () => {
  it('shows rows as they come, grow and go', () => {
    const { model, apply, ids } = started(sampleRow('a'), sampleRow('b'))
    apply({ exchanges: [sampleRow('a1', { parentId: 'a' }), sampleRow('b', { label: 'grown' })] })
    expect(ids()).toEqual(['a', 'b'])
    model.setExpanded(['a'], true)
    expect(ids()).toEqual(['a', 'a1', 'b'])
    expect(model.view.get().rows[1]?.label).toBe('grown')
    apply({ removed: ['a'] })
    expect(ids()).toEqual(['b', 'a1'])
    apply({ cleared: true, exchanges: [] })
    expect(ids()).toEqual([])
  })

  it('counts the rows that came after one', () => {
    const { model, apply } = started(sampleRow('a'), sampleRow('b'))
    expect(rowsSince(model.view.get(), 'b')).toBe(0)
    apply({ exchanges: [sampleRow('c'), sampleRow('a1', { parentId: 'a' }), sampleRow('d')] })
    expect(rowsSince(model.view.get(), 'b')).toBe(2)
    model.setExpanded(['a'], true)
    expect(rowsSince(model.view.get(), 'b')).toBe(3)
    apply({ removed: ['b'] })
    expect(rowsSince(model.view.get(), undefined)).toBe(4)
  })

  it('moves nothing while it is held, but lets rows come at the end', () => {
    const { model, apply, ids } = started(sampleRow('a'), sampleRow('b'))
    model.setExpanded(['a'], true)
    model.hold(true)
    apply({ exchanges: [sampleRow('c')] })
    expect(ids()).toEqual(['a', 'b', 'c'])
    apply({ exchanges: [sampleRow('a1', { parentId: 'a' })] })
    expect(ids()).toEqual(['a', 'b', 'c'])
    model.hold(false)
    expect(ids()).toEqual(['a', 'a1', 'b', 'c'])
  })

  it('filters what comes and what changes', () => {
    const { model, apply, ids } = started(openRow('a'), sampleRow('b'))
    const filter = readFilter('is:error', Date.now())
    model.filter(filter.ok ? filter.terms : [])
    expect(ids()).toEqual([])
    apply({ exchanges: [sampleRow('a', { outcome: 'error' })] })
    expect(ids()).toEqual(['a'])
    expect(model.view.get()).toMatchObject({ shown: 1, total: 2 })
    expect(model.countWith([])).toBe(2)
  })
})

describe('stepOf', () => {
  it('walks a tree grid', () => {
    const { model } = started(sampleRow('a'), sampleRow('a1', { parentId: 'a' }))
    const [a, child] = model.view.get().rows
    const step = (key: string, row: Exchange | undefined) => stepOf(key, row, model.view.get())
    expect(step('ArrowDown', a)).toEqual({ type: 'move', by: 1, pages: false })
    expect(step('ArrowRight', a)).toEqual({ type: 'expand', id: 'a', isExpanded: true })
    model.setExpanded(['a'], true)
    expect(step('ArrowRight', a)).toEqual({ type: 'move', by: 1, pages: false })
    expect(step('ArrowLeft', a)).toEqual({ type: 'expand', id: 'a', isExpanded: false })
    expect(step('ArrowLeft', child)).toEqual({ type: 'parent', place: 0 })
    expect(step('Enter', a)).toEqual({ type: 'open' })
    expect(step('Enter', undefined)).toBeUndefined()
    expect(step('End', undefined)).toEqual({ type: 'edge', last: true })
    expect(step('x', a)).toBeUndefined()
  })
})
