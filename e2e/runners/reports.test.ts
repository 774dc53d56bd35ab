import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countPlaywright, countProgram, countSummaryLine, countVitest, sum } from './reports.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-reports-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function report(content: unknown): string {
  const file = path.join(folder, `${Math.random()}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const vitest = (passed: number, failed: number, pending: number) =>
  report({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: 0,
    testResults: [],
  })

const ended = (code: number | undefined, output = '') => ({ code, output })

test('counts what passed and failed', () => {
  expect(countVitest(vitest(3, 0, 0), ended(0))).toEqual({ passed: 3, failed: 0, notes: [], failures: [] })
  expect(countVitest(vitest(3, 2, 0), ended(1))).toMatchObject({ passed: 3, failed: 2, notes: [] })
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }
  const playwright = report({ stats, suites: [], errors: [] })
  expect(countPlaywright(playwright, ended(1))).toMatchObject({ passed: 5, failed: 2, notes: [] })
})

test('what did not run failed', () => {
  expect(countVitest(vitest(3, 0, 2), ended(0))).toMatchObject({ passed: 3, failed: 2 })
  expect(countVitest(vitest(0, 0, 0), ended(0))).toMatchObject({ passed: 0, failed: 1 })
})

test('a conformance check that does not apply is noted; whatever else was skipped did not run', () => {
  const skipped = (annotations: object[]) => ({ status: 'skipped', results: [{ errors: [] }], annotations })
  const check = { type: 'check', description: 'https://example.com' }
  const reason = { type: 'skip', description: 'not applicable: no tool' }
  const suites = [
    {
      title: 'a.spec.ts',
      specs: [{ title: 'applies', tests: [skipped([check, reason]), skipped([check]), skipped([reason])] }],
    },
  ]
  const stats = { expected: 5, unexpected: 0, flaky: 0, skipped: 3 }
  expect(countPlaywright(report({ stats, suites, errors: [] }), ended(0))).toMatchObject({
    passed: 5,
    failed: 2,
    notes: ['2 did not run and count as failed', '1 conformance checks do not apply'],
  })
})

test('a runner that ended badly failed, whatever its report says', () => {
  expect(countVitest(vitest(3, 0, 0), ended(1))).toMatchObject({ passed: 3, failed: 1 })
  expect(countVitest(vitest(3, 0, 0), ended(undefined))).toMatchObject({ passed: 3, failed: 1 })
  expect(countVitest(path.join(folder, 'none.json'), ended(0))).toMatchObject({ passed: 0, failed: 1 })
  expect(countPlaywright(report('{"stats":'), ended(0))).toMatchObject({ passed: 0, failed: 1 })
})

test('reads the last line of one of our runners', () => {
  expect(countSummaryLine(ended(1, 'server: 3/4\n3 passed, 1 failed\n'))).toEqual({
    passed: 3,
    failed: 1,
    notes: [],
    failures: ['server: 3/4'],
  })
  expect(countSummaryLine(ended(1, '3 passed, 0 failed\n'))).toMatchObject({ passed: 3, failed: 1 })
  expect(countSummaryLine(ended(1, 'it crashed'))).toMatchObject({ passed: 0, failed: 1 })
})

test('names what failed, and says by the last words why a program ended badly that names nothing', () => {
  const testResults = [
    {
      name: path.join(import.meta.dirname, 'some.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [{ fullName: 'it works', status: 'failed', failureMessages: ['Error: 1 is not 2'] }],
    },
  ]
  const counted = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults }
  expect(countVitest(report(counted), ended(1)).failures).toEqual([
    'e2e/runners/some.test.ts > it works: Error: 1 is not 2',
  ])
  expect(countVitest(vitest(3, 0, 0), ended(1, 'dots\nan error between tests\n')).failures).toEqual([
    'dots',
    'an error between tests',
  ])
  expect(countVitest(path.join(folder, 'none.json'), ended(1, 'no memory')).failures).toEqual(['no memory'])
  expect(countProgram('build.ts', ended(1, 'a.ts: error\n'))).toEqual({
    passed: 0,
    failed: 1,
    notes: ['build.ts failed'],
    failures: ['a.ts: error'],
  })
  expect(countProgram('build.ts', ended(0, 'built\n')).failures).toEqual([])
})

test('adds up runners', () => {
  const one = { passed: 1, failed: 2, notes: ['a'], failures: ['b'] }
  expect(sum([one, one])).toEqual({ passed: 2, failed: 4, notes: ['a', 'a'], failures: ['b', 'b'] })
})
