import path from 'node:path'
import { expect, test } from 'vitest'
import { lastWords, partFailures, playwrightFailures, vitestFailures } from './failures.ts'

const red = (text: string) => `\u001B[31m${text}\u001B[39m`

const vitestFile = (tests: readonly (readonly [string, string, string?])[], message = '') => ({
  name: path.join(import.meta.dirname, 'some.test.ts'),
  status: message === '' && tests.every(([, status]) => status === 'passed') ? 'passed' : 'failed',
  message,
  assertionResults: tests.map(([fullName, status, words]) => ({
    fullName,
    status,
    failureMessages: words === undefined ? null : [words],
  })),
})

test('names a unit test by its file, with the first words of its failure and no stack', () => {
  const words = `${red('AssertionError')}: expected 1 to be 2\n    at /a/file.ts:1:2\n    at /another.ts:3:4`
  expect(
    vitestFailures([
      vitestFile([
        ['a server answers', 'passed'],
        ['a server asks', 'failed', words],
        ['a server waits', 'skipped'],
      ]),
      vitestFile([['all is well', 'passed']]),
      vitestFile([], "Cannot find module './gone.ts'"),
    ]),
  ).toEqual([
    'e2e/runners/some.test.ts > a server asks: AssertionError: expected 1 to be 2',
    'e2e/runners/some.test.ts > a server waits: skipped',
    "e2e/runners/some.test.ts: Cannot find module './gone.ts'",
  ])
})

test('names a test of the window by its groups, with what was there instead', () => {
  const errors = [
    { message: 'Test timeout exceeded.' },
    { message: `Error: ${red('toBeVisible')} failed\n\nExpected: visible\n\nCall log:\n  - waiting` },
  ]
  const suites = [
    {
      title: 'window/start.spec.ts',
      specs: [
        { title: 'opens', tests: [{ status: 'expected', results: [{ errors: [] }] }] },
        { title: 'closes', tests: [{ status: 'skipped', results: [] }] },
      ],
      suites: [
        {
          title: 'a list',
          specs: [{ title: 'scrolls', tests: [{ status: 'unexpected', results: [{ errors }] }] }],
        },
      ],
    },
  ]
  expect(playwrightFailures(suites, [{ message: 'Error: no browser' }])).toEqual([
    'window/start.spec.ts > closes: skipped',
    'window/start.spec.ts > a list > scrolls: Test timeout exceeded.; Error: toBeVisible failed Expected: visible Call log: - waiting',
    'Error: no browser',
  ])
})

test('keeps each failure short, and some of its message however long its name', () => {
  const [long = ''] = vitestFailures([
    vitestFile([['words '.repeat(100), 'failed', `Error: ${'x'.repeat(1000)}`]]),
  ])
  expect(long).toHaveLength(300)
  expect(long).toMatch(/ wo…: Error: x+…$/)
})

test('gives the last lines that say something', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  expect(lastWords(`${lines.join('\n\n')}\n${red('the end')}\n\n`)).toEqual([...lines.slice(6), 'the end'])
})

test('lists the parts of the soak that failed, with what was found, and none that passed', () => {
  const output = [
    'seed 20261122, size smoke',
    'stdio: 3000 inputs, no findings, 2.1 s',
    'http: 3000 inputs, 2 findings, 3.4 s',
    '  answered 500',
    '  did not answer',
    'script-stdout: 2 rounds, no findings, 1.0 s',
    'kills: , 1 findings, 0.2 s',
    '  Error: cannot start',
    '    at start (kills.ts:1:1)',
    'frames: 20000 frames, no findings, 9.0 s',
  ]
  expect(partFailures(output.join('\n'))).toEqual([...output.slice(2, 5), ...output.slice(6, 9)])
})

test('keeps the first findings of a part that has many', () => {
  const findings = Array.from({ length: 20 }, (_, index) => `  finding ${index}`)
  const lines = ['http: 3000 inputs, 20 findings, 3.4 s', ...findings]
  expect(partFailures(lines.join('\n'))).toEqual([...lines.slice(0, 9), '  … and 12 more lines'])
})

test('gives the last lines of a soak that died before its first part ended', () => {
  expect(partFailures('seed 1, size smoke\nError: no such file\n')).toEqual([
    'seed 1, size smoke',
    'Error: no such file',
  ])
})

test('the failed checks of the package are listed alone', () => {
  const output = [
    'FAILED it is small: 16 bytes',
    'at a place',
    'ok it lists tools (12 ms)',
    'ok it ends (3 ms)',
  ]
  expect(partFailures(output.join('\n'))).toEqual(output.slice(0, 2))
})
