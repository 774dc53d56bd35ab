import { expect, it } from 'vitest'
import { countsOf, lookOf, statusesOf } from './status-look.ts'

it('counts what a cell came to', () => {
  expect(countsOf('ppfwbl.*n')).toEqual({ total: 8, passed: 2, failed: 3, warned: 1, left: 2 })
  expect(statusesOf('pi')).toEqual(['passed', 'inconclusive'])
})

it('tells an expected failure from a new one', () => {
  expect(lookOf({ status: 'failed', baseline: 'known' }).word).toBe('expected failure')
  expect(lookOf({ status: 'failed', baseline: 'new' }).word).toBe('failed')
})
