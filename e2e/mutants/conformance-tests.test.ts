import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AREA_PROOFS } from './areas.ts'
import { startReferenceServer, type ReferenceServer } from './reference/reference-server.ts'
import { writeServers } from '../../server-core/cli/check/hostile-servers.test-support.ts'
import {
  removeRun,
  runTests,
  type PlaywrightRun,
} from '../../server-core/playwright/failures.test-support.ts'
import {
  runReportSchema,
  type RunReport,
  type TestReport,
} from '../../server-core/playwright/reporter/report-schema.ts'

const MUTANT = 'm.base.id.echo-types'
const CELLS = "revisions: ['2025-11-25']"
const CHECKS = `include: ['base.id.echo-types'], ${CELLS}`

let correct: ReferenceServer
let mutant: ReferenceServer
let folder: string
let ran: PlaywrightRun
let report: RunReport

/** A file of one call of `conformance()`. */
const spec = (server: object, options: string): string => `
import { conformance, test } from 'patchbay/test'
test.use({ server: ${JSON.stringify(server)} })
conformance({ ${options} })
`
const node = (file: string): object => ({ command: process.execPath, args: [file] })
const KNOWN = {
  format: 'patchbay-conformance-baseline',
  version: 1,
  failures: [{ check: 'base.id.echo-types', revision: '2025-11-25', transport: 'http' }],
}
const testsOf = (file: string): readonly TestReport[] => report.tests.filter((test) => test.file === file)
const found = (file: string, id: string): TestReport => {
  const test = testsOf(file).find(({ title }) => title.startsWith(`${id}:`))
  if (test === undefined) throw new Error(`${file} has no test of ${id}`)
  return test
}
const messageOf = ({ errors }: TestReport): string => errors.map(({ message }) => message).join('\n')

beforeAll(async () => {
  const fault = AREA_PROOFS.flatMap(({ mutants }) => mutants).find(({ id }) => id === MUTANT)?.fault
  correct = await startReferenceServer()
  mutant = await startReferenceServer(fault)
  folder = await writeServers()
  const url = { url: mutant.target.http ?? '' }
  const reporter = [[path.resolve(import.meta.dirname, '../../api/reporter.ts'), { json: 'r.json' }]]
  ran = await runTests(
    {
      'good.spec.ts': spec(
        { url: correct.target.http ?? '' },
        "include: ['jsonrpc.parse-error', 'ping.server', 'base.wire.jsonrpc'], revisions: ['2025-11-25']",
      ),
      'mutant.spec.ts': spec(url, CHECKS),
      'known.spec.ts': spec(
        url,
        `include: ['base.id.echo-types', 'jsonrpc.unknown-method.server'], ${CELLS}, baseline: 'known.json'`,
      ),
      'known.json': JSON.stringify(KNOWN),
      // The last file: a worker ends with the first failure.
      'the-dead.spec.ts': spec(
        node(path.join(folder, 'crash.cjs')),
        `include: ['base.id.echo-types', 'ping.server'], ${CELLS}`,
      ),
    },
    { reporter, timeout: 30_000 },
  )
  report = runReportSchema.parse(JSON.parse(await readFile(path.join(ran.folder, 'r.json'), 'utf8')))
}, 300_000)

afterAll(async () => {
  await correct.close()
  await mutant.close()
  await rm(folder, { recursive: true, force: true })
  await removeRun(ran)
})

it('registers a test for each check, at the line of the call, and passes a correct server', () => {
  const tests = testsOf('good.spec.ts')
  expect(tests.map(messageOf).join('')).toBe('')
  expect(found('good.spec.ts', 'jsonrpc.parse-error.server')).toMatchObject({ outcome: 'passed', line: 4 })
  expect(tests.some(({ outcome }) => outcome === 'failed')).toBe(false)
})

it('fails the test of a broken check with its clause, frames, page and command', () => {
  const failure = found('mutant.spec.ts', 'base.id.echo-types')
  expect(failure.outcome).toBe('failed')
  expect(messageOf(failure)).toMatch(
    /2025-11-25, Streamable HTTP: failed\n +Expected: .*\n +Received: (.|\n)*Clause: +MUST .*\n +https:\/\/modelcontextprotocol\.io\/(.|\n)*Frames:\n.*→ (.|\n)*← /,
  )
  expect(messageOf(failure)).toContain('/docs/checks/base.id.echo-types.md')
  expect(messageOf(failure)).toContain('Repeat: npx playwright test')
  // The file that is at fault is not one of this package.
  expect(messageOf(failure)).not.toContain('conformance.ts')
})

it('passes a failure that the baseline expects', () => {
  expect(testsOf('known.spec.ts').map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
})

it('fails once for a server that cannot be examined, and says why', () => {
  const tests = testsOf('the-dead.spec.ts')
  expect(tests.map(({ outcome }) => outcome)).toEqual(['failed', 'skipped'])
  expect(tests.map(messageOf).join('')).toContain('exit code 3')
})
