import { expect, it } from 'vitest'
import { judge, warningsOf } from './judge.ts'

const checks = new Map([
  [
    'good',
    [
      { id: 'a', status: 'SUCCESS' },
      { id: 'b', status: 'INFO' },
    ],
  ],
  [
    'mild',
    [
      { id: 'a', status: 'SUCCESS' },
      { id: 'b', status: 'WARNING', errorMessage: 'should not\nmore' },
    ],
  ],
  [
    'bad',
    [
      { id: 'a', status: 'SUCCESS' },
      { id: 'b', status: 'FAILURE', errorMessage: 'broken' },
    ],
  ],
  ['mute', [{ id: 'a', status: 'INFO' }]],
  ['left out', [{ id: 'a', status: 'SKIPPED' }]],
])
const names = [...checks.keys(), 'absent']

it('passes what succeeded and did not fail', () => {
  const { passing, reasons } = judge(names, checks, false)
  expect(passing).toEqual(['good', 'mild'])
  expect(Object.fromEntries(reasons)).toEqual({
    bad: 'b: broken',
    mute: 'no check succeeded',
    'left out': 'skipped by the suite',
    absent: 'left no result',
  })
})

it('counts warnings as failures when it is strict, and tells them always', () => {
  expect(judge(names, checks, true).passing).toEqual(['good'])
  expect(Object.fromEntries(warningsOf(names, checks))).toEqual({ mild: ['b: should not'] })
})
