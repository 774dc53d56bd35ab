import { describe, expect, it } from 'vitest'
import { sample, stored } from './sample-decision.test-support.ts'
import { DecisionSearch, type Mode } from './search.ts'

const all = stored(
  sample({ id: 'aaaaaaa1', decision: 'Use PostgreSQL for orders', tags: ['database'], project: 'acme/shop' }),
  sample({
    id: 'aaaaaaa2',
    decision: 'Keep login sessions in signed tokens',
    category: 'security',
    stakes: 'high',
    outcome: 'failure',
    bridge: { structure: 'signed token in a cookie', function: 'know who calls without the database' },
  }),
  sample({
    id: 'aaaaaaa3',
    decision: 'Retry calls to the payment provider',
    bridge: { structure: 'exponential backoff', function: 'survive short failures of others' },
  }),
  sample({ id: 'aaaaaaa4', decision: 'Hold the weekly meeting on Mondays', category: 'process' }),
)
const search = new DecisionSearch([['auth', 'authentication', 'login', 'token']])
const ids = (text: string, mode: Mode, more: object = {}) =>
  search.find(all, { text, limit: 10, mode, ...more }).map(({ id }) => id)

describe('search', () => {
  it('by words finds what has them in any form, and nothing else', () => {
    expect(ids('retrying payments', 'keyword')).toEqual(['aaaaaaa3'])
    expect(ids('authentication', 'keyword')).toEqual([])
    expect(ids('the of and', 'keyword')).toEqual([])
  })

  it('by likeness finds near words and parts of words too', () => {
    expect(ids('authentication', 'semantic')[0]).toBe('aaaaaaa2')
    expect(ids('postgres', 'semantic')[0]).toBe('aaaaaaa1')
    expect(ids('zzz qqq', 'semantic')).toEqual([])
  })

  it('by both ranks what both find first, with the nearest at the smallest distance', () => {
    const found = search.find(all, { text: 'login tokens', limit: 10 })
    expect(found[0]).toMatchObject({ id: 'aaaaaaa2', category: 'security', outcome: 'failure' })
    expect(found[0]?.distance).toBeLessThan(0.6)
    expect(found.map(({ distance }) => distance)).toEqual(
      found.map(({ distance }) => distance).sort((a, b) => a - b),
    )
  })

  it('looks at one side of bridges alone', () => {
    expect(ids('survive failures', 'hybrid', { side: 'function' })[0]).toBe('aaaaaaa3')
    expect(ids('survive failures', 'keyword', { side: 'structure' })).toEqual([])
    expect(ids('orders', 'hybrid', { side: 'structure' })).not.toContain('aaaaaaa1')
  })

  it('filters before it counts', () => {
    const text = 'orders login retry weekly'
    expect(ids(text, 'keyword', { filters: { category: 'process' } })).toEqual(['aaaaaaa4'])
    expect(ids(text, 'keyword', { filters: { stakes: ['high', 'critical'] } })).toEqual(['aaaaaaa2'])
    expect(ids(text, 'keyword', { filters: { project: 'acme/shop' } })).toEqual(['aaaaaaa1'])
    expect(ids(text, 'keyword', { filters: { has_outcome: true } })).toEqual(['aaaaaaa2'])
    expect(ids(text, 'keyword', { filters: { has_outcome: false }, limit: 2 })).toHaveLength(2)
  })

  it('follows what it is given', () => {
    const more = [...all, ...stored(sample({ id: 'aaaaaaa5', decision: 'Buy standing desks' }))]
    expect(ids('standing desks', 'keyword')).toEqual([])
    expect(search.find(more, { text: 'standing desk', limit: 1 }).map(({ id }) => id)).toEqual(['aaaaaaa5'])
  })

  it('takes texts of any kind', () => {
    for (const text of ['', '🦉', 'naïve café', '<script>', 'a'.repeat(10_000)]) {
      for (const { scores } of search.find(all, { text, limit: 50 }))
        expect(scores.combined).toBeGreaterThan(0)
    }
  })

  it('reports how alike decisions are', () => {
    const twins = stored(
      sample({ id: 'bbbbbbb1', decision: 'Cache prices in memory' }),
      sample({ id: 'bbbbbbb2', decision: 'Cache prices in memory' }),
      sample({ id: 'bbbbbbb3', decision: 'Walk to work' }),
    )
    expect(new DecisionSearch().pairs(twins, 0.9)).toMatchObject([
      { one: { id: 'bbbbbbb1' }, other: { id: 'bbbbbbb2' }, similarity: 1 },
    ])
  })
})
