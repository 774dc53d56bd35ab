import { describe, expect, it } from 'vitest'
import { readFilter } from './filter.ts'
import { endMarkOf, markOf, noteOf, resultOf } from './row-facts.ts'
import { openRow, sampleRow } from './sample-rows.test-support.ts'

describe('a row in words', () => {
  it.each([
    ['ok', sampleRow('a'), { verdict: '', tick: true, measure: '40 ms' }],
    [
      'an error',
      sampleRow('a', { outcome: 'error', errorCode: -32002 }),
      { verdict: '-32002', measure: '40 ms' },
    ],
    ['a tool error', sampleRow('a', { outcome: 'tool-error' }), { verdict: 'isError', tone: 'is-error' }],
    ['open', openRow('a'), { verdict: '', measure: '2.00 s' }],
    ['progress', openRow('a', { progress: { value: 31, total: 50 } }), { verdict: '62 %' }],
    ['waiting', openRow('a', { waits: [{ startedAt: 1_500 }] }), { verdict: 'waits', tone: 'is-warn' }],
    ['answered since', openRow('a', { waits: [{ startedAt: 1_500, endedAt: 1_600 }] }), { verdict: '' }],
    ['lost', sampleRow('a', { outcome: 'lost' }), { verdict: 'lost', tone: 'is-error' }],
    ['folded', sampleRow('a', { kind: 'notification', outcome: 'none', count: 3 }), { measure: '×3' }],
    [
      'one notification',
      sampleRow('a', { kind: 'notification', outcome: 'none', bytes: 88 }),
      { measure: '88 B' },
    ],
    ['stderr', sampleRow('a', { kind: 'stderr', outcome: 'none' }), { measure: '1 line' }],
  ])('%s', (_name, row, expected) => {
    expect(resultOf(row, 3_000)).toMatchObject(expected)
  })

  it('has a mark whose shape is the kind and whose way is the direction', () => {
    expect(markOf(sampleRow('a'))).toMatchObject({ icon: 'out-request', name: 'request, client to server' })
    expect(markOf(sampleRow('a', { direction: 'received' }))).toMatchObject({
      icon: 'in-request',
      tone: 'k-server',
    })
    expect(markOf(sampleRow('a', { outcome: 'error' }))).toMatchObject({
      tone: 'k-error',
      name: 'request that failed, client to server',
    })
  })

  it('says how the time was shared, or why it failed', () => {
    const waits = [
      { startedAt: 2_000, endedAt: 9_000 },
      { startedAt: 3_000, endedAt: 9_350 },
    ]
    expect(noteOf(sampleRow('a', { endedAt: 10_840, waits }))).toBe('server 2.49 s · answering 7.35 s')
    expect(noteOf(sampleRow('a', { rounds: 3, waits }))).toBe('3 rounds')
    expect(noteOf(sampleRow('a', { outcome: 'error', errorMessage: 'Resource not found' }))).toBe(
      'Resource not found',
    )
  })
})

describe('marks of what Patchbay did', () => {
  const refused = sampleRow('p', {
    method: 'server/discover',
    outcome: 'error',
    errorCode: -32601,
    errorMessage: 'Method not found',
    probe: true,
  })

  it('does not show the answer to a probe as a failure', () => {
    expect(markOf(refused)).toMatchObject({ tone: 't3', name: 'probe of Patchbay' })
    expect(endMarkOf(refused).tone).toBe('t3')
    expect(resultOf(refused, 0)).toMatchObject({ verdict: 'probe', tone: 't3' })
    expect(noteOf(refused)).toBe('Patchbay asked for the supported revisions: -32601 Method not found')
    const isError = readFilter('is:error', 0)
    expect(isError.ok && isError.terms.every(({ test }) => test(refused, 0))).toBe(false)
  })

  it('names injected faults and dropped frames', () => {
    const row = sampleRow('r', { faults: ['delay: 300 ms'], dropped: 1_200 })
    expect(noteOf(row)).toBe('1,200 older frames inside dropped · fault delay: 300 ms')
  })
})
