import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countPlaywright, countSummaryLine, countVitest, sum } from './reports.ts'

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
  report({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0 })

test('counts what passed and failed', () => {
  expect(countVitest(vitest(3, 0, 0), 0)).toEqual({ passed: 3, failed: 0, notes: [] })
  expect(countVitest(vitest(3, 2, 0), 1)).toEqual({ passed: 3, failed: 2, notes: [] })
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }
  expect(countPlaywright(report({ stats, errors: [] }), 1)).toEqual({ passed: 5, failed: 2, notes: [] })
})

test('what did not run failed', () => {
  expect(countVitest(vitest(3, 0, 2), 0)).toMatchObject({ passed: 3, failed: 2 })
  expect(countVitest(vitest(0, 0, 0), 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('a runner that ended badly failed, whatever its report says', () => {
  expect(countVitest(vitest(3, 0, 0), 1)).toMatchObject({ passed: 3, failed: 1 })
  expect(countVitest(vitest(3, 0, 0), undefined)).toMatchObject({ passed: 3, failed: 1 })
  expect(countVitest(path.join(folder, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(countPlaywright(report('{"stats":'), 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('reads the last line of a runner of ours', () => {
  expect(countSummaryLine('server: 3/4\n3 passed, 1 failed\n', 1)).toEqual({
    passed: 3,
    failed: 1,
    notes: [],
  })
  expect(countSummaryLine('3 passed, 0 failed\n', 1)).toMatchObject({ passed: 3, failed: 1 })
  expect(countSummaryLine('it crashed', 1)).toMatchObject({ passed: 0, failed: 1 })
})

test('adds up runners', () => {
  const one = { passed: 1, failed: 2, notes: ['a'] }
  expect(sum([one, one])).toEqual({ passed: 2, failed: 4, notes: ['a', 'a'] })
})
