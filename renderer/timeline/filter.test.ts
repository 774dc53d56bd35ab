import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { holds, readFilter } from './filter.ts'
import { looseTerm } from './loose-term.ts'
import { openRow, sampleRow } from './sample-rows.test-support.ts'

const NOW = new Date(2026, 10, 21, 21, 42, 30).getTime()

function matches(text: string, row: Exchange): boolean {
  const filter = readFilter(text, NOW)
  if (!filter.ok) throw new Error(filter.problem)
  return holds(filter.terms, row, NOW)
}

describe('readFilter', () => {
  const failed = sampleRow('a', {
    method: 'resources/read',
    label: 'notes://today',
    outcome: 'error',
    errorCode: -32002,
    errorMessage: 'Resource not found',
    startedAt: NOW - 20_000,
    endedAt: NOW - 19_400,
    bytes: 2_500,
  })

  it.each([
    ['', true],
    ['method:resources', true],
    ['METHOD:Resources/READ', true],
    ['method:tools/call', false],
    ['-method:tools/call', true],
    ['dur>500 is:error', true],
    ['dur>0.7s', false],
    ['dur<=600ms', true],
    ['bytes>2kB', true],
    ['bytes>=2.6kb', false],
    ['server:every is:request is:sent', true],
    ['is:ok', false],
    ['-is:ok', true],
    ['code:-32002', true],
    ['code:-3200', false],
    ['not found', true],
    ['"not found"', true],
    ['"found not"', false],
    ['notes://today', true],
    ['label:"notes://"', true],
    ['since:42:00', true],
    ['since:21:42:15', false],
    ['since:15s', false],
    ['until:42:15', true],
  ])('%s', (text, expected) => {
    expect(matches(text, failed)).toBe(expected)
  })

  it('measures an open exchange up to now', () => {
    const open = openRow('b', { startedAt: NOW - 2_000, waits: [{ startedAt: NOW - 1_000 }] })
    expect(matches('dur>1s is:open is:waiting', open)).toBe(true)
    expect(matches('dur>3s', open)).toBe(false)
    expect(matches('dur>0', sampleRow('c', { kind: 'notification' }))).toBe(false)
  })

  it.each([
    ['metod:tools', /“metod” is not a key; known are method, .*"metod:tools"/],
    ['is:broken', /“is:broken” is unknown; known are error, ok/],
    ['dur>fast', /needs a number, such as dur>500/],
    ['dur:500', /write dur>500 or dur<500/],
    ['method>5', /“>” compares numbers/],
    ['method:', /needs a value/],
    ['since:25:61:00', /needs a time, such as since:21:42:00/],
  ])('says what is wrong with %s', (text, problem) => {
    const filter = readFilter(text, NOW)
    expect(filter.ok ? '' : filter.problem).toMatch(problem)
  })

  it('reads any text without a throw', () => {
    const words = fc.constantFrom(
      'is:',
      'error',
      'dur',
      '>',
      '"',
      '-',
      ' ',
      ':',
      '__proto__',
      'constructor:x',
      'is:toString',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((each) => each.join('')),
        ),
        (text) => {
          const filter = readFilter(text, NOW)
          if (filter.ok) holds(filter.terms, failed, NOW)
        },
      ),
    )
    expect(readFilter('constructor:x', NOW).ok).toBe(false)
    expect(readFilter('is:toString', NOW).ok).toBe(false)
  })
})

describe('looseTerm', () => {
  it('is the word without which most is left', () => {
    const filter = readFilter('method:tools/call dur>500 is:error', NOW)
    const terms = filter.ok ? filter.terms : []
    const counts: Record<string, number> = { 'is:error': 6, 'dur>500': 2 }
    const loose = looseTerm(terms, (rest) => {
      const left = terms.find((term) => !rest.includes(term))
      return counts[left?.source ?? ''] ?? 0
    })
    expect(loose).toMatchObject({ term: { source: 'is:error' }, count: 6 })
    expect(looseTerm(terms, () => 0)).toBeUndefined()
    expect(looseTerm(terms.slice(0, 1), () => 5)).toBeUndefined()
  })
})
