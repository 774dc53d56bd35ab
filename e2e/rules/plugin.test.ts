import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../runners/run-program.ts'
import plugin from './plugin.ts'

/** Code, and which rule tells of it. */
const CASES: readonly (readonly [code: string, rule: string | undefined])[] = [
  [`export { a } from './a.ts'`, undefined],
  [`spawn('ls', [], { shell: false })`, undefined],
  [`it('does', () => expect({ a }).toMatchObject({ a: expect.stringMatching(/x/) }))`, undefined],
  [`// A word of linting, which is no order to a linter.`, undefined],
  [`spawn('ls', [], { shell: true })`, 'patchbay(no-shell)'],
  [`export * from './a.ts'`, 'patchbay(no-barrel)'],
  [`it.skip('does', () => {})`, 'patchbay(no-test-left-out)'],
  [`describe.only('all', () => {})`, 'patchbay(no-test-left-out)'],
  [`test.todo('does')`, 'patchbay(no-test-left-out)'],
  [`expect({ a }).toMatchObject({ a: { b: /x/ } })`, 'patchbay(no-expression-in-match-object)'],
  ['export const a = <b>Save</b>', 'patchbay(text-in-text-file)'],
  ['export const a = <b title="Save" />', 'patchbay(text-in-text-file)'],
  ['export const a = <b title={text.save}>{text.save}: 1</b>', undefined],
  [`/* oxlint-disable */ export * from './a.ts'`, 'not by a comment'],
  [`export * from './a.ts' // oxlint-disable-line`, 'not by a comment'],
  [`// oxlint-disable-next-line patchbay/no-barrel, patchbay/no-rule-off\ntest.todo()`, 'not by a comment'],
  [`export const a = 1 // eslint-disable-line`, 'not by a comment'],
]

type Report = {
  /** What a rule throws is told without a code, and with the file in the message. */
  readonly diagnostics: readonly {
    readonly code?: string
    readonly filename: string
    readonly message: string
  }[]
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'patchbay-rules-'))
const fileOf = (index: number) =>
  path.join(folder, 'code', `case-${index}.${CASES[index]?.[0].includes('<b') === true ? 'tsx' : 'ts'}`)
let report: Report

beforeAll(async () => {
  const config = path.join(folder, '.oxlintrc.json')
  writeFileSync(
    config,
    JSON.stringify({
      categories: { correctness: 'off' },
      jsPlugins: [path.join(import.meta.dirname, 'plugin.ts')],
      rules: Object.fromEntries(Object.keys(plugin.rules).map((rule) => [`patchbay/${rule}`, 'error'])),
    }),
  )
  mkdirSync(path.join(folder, 'code'))
  for (const [index, [code]] of CASES.entries()) writeFileSync(fileOf(index), `${code}\n`)
  const args = ['--config', config, '--format', 'json', path.join(folder, 'code')]
  const { stdout } = await runProgram('node_modules/oxlint/bin/oxlint', args, { say: () => undefined })
  report = JSON.parse(stdout) as Report
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

it.each(CASES.map(([code, rule], index) => [code, rule ?? 'nothing', index] as const))(
  'of %s the linter tells %s',
  (_code, rule, index) => {
    const name = path.basename(fileOf(index))
    const told = report.diagnostics.filter(({ filename, message }) =>
      [filename, ...message.split('\n')].some((text) => text.endsWith(name)),
    )
    const expected = rule === 'nothing' ? [] : [expect.stringContaining(rule)]
    expect(told.map(({ code, message }) => code ?? message)).toEqual(expected)
  },
)
