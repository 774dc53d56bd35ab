import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeRun, runTests, type PlaywrightRun } from './failures.test-support.ts'
import {
  runReportSchema,
  runReportJsonSchema,
  type RunReport,
  type TestReport,
} from './reporter/report-schema.ts'

/** Tests that fail, each for one reason; one that passes. */
const SPEC = `
import { expect, test } from 'patchbay/test'
import { appendFileSync } from 'node:fs'
test.use({ server: { command: 'node', args: ['server.js'] } })

test('passes', async ({ mcp, timeline }) => {
  expect(await mcp.callTool('add', { a: 1, b: 2 })).toMatchOutputSchema()
  await expect(mcp.callTool('missing')).toFailWith(-32602)
  expect(timeline).toConform()
})
test('a tool error', async ({ mcp }) => {
  expect(await mcp.callTool('add', { a: 'x', b: 2 })).toSucceed()
})
test('an unexpected question', async ({ mcp }) => {
  await mcp.callTool('forecast', { city: 'Oslo' }).catch(() => undefined)
})
test('a question that never came', async ({ mcp, answers }) => {
  answers.sampling(/weather/).reply('Rain')
  await mcp.callTool('add', { a: 1, b: 2 })
})
test('a missing notification', async ({ mcp, timeline }) => {
  await expect(timeline).toHaveNotified('notifications/tools/list_changed', {}, { timeout: 100 })
})
test('a wrong option', async ({ connect }) => {
  await connect({ transport: 'http' })
})
test('a timeout leaves no process', async ({ mcp, server }) => {
  test.setTimeout(3_000)
  appendFileSync('pids', server.pid + '\\n')
  await new Promise(() => {})
})
test('a worker that ends leaves no process', async ({ mcp, server }) => {
  appendFileSync('pids', server.pid + '\\n')
  process.kill(process.pid, 'SIGKILL')
})
`
const REPORTS = {
  html: 'r.html',
  junit: 'r.xml',
  sarif: 'r.sarif',
  json: 'r.json',
  tap: 'r.tap',
  github: true,
}

let ran: PlaywrightRun
let report: RunReport
const read = (name: string): Promise<string> => readFile(path.join(ran.folder, name), 'utf8')
const failure = (title: string): TestReport => {
  const found = report.tests.find((test) => test.title === title)
  if (found === undefined) throw new Error(`there is no test "${title}"`)
  return found
}
const messageOf = (title: string): string =>
  failure(title)
    .errors.map(({ message }) => message)
    .join('\n')

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

beforeAll(async () => {
  // By its file: Playwright finds a reporter by name in node_modules alone.
  const reporter = [[path.resolve(import.meta.dirname, '../../api/reporter.ts'), REPORTS]]
  ran = await runTests({ 'failing.spec.ts': SPEC }, { reporter, timeout: 60_000 })
  report = runReportSchema.parse(JSON.parse(await read('r.json')))
}, 300_000)
afterAll(() => removeRun(ran))

it('counts what passed and failed', () => {
  expect(ran.code).toBe(1)
  expect(report.errors).toEqual([])
  expect(failure('passes').outcome, messageOf('passes')).toBe('passed')
  expect(report.summary).toMatchObject({ passed: 1, failed: 7 })
})

it('shows the frames of a failure, and attaches the recording', () => {
  expect(messageOf('a tool error')).toMatch(
    /Received: a tool error: .*\n\nFrames:\n.*→ .*"tools\/call".*\n.*← .*"isError":true/,
  )
  expect(failure('a tool error').attachments.map(({ name }) => name)).toContain('recording')
  expect(failure('passes').attachments).toEqual([])
})

it('names unexpected and missing questions', () => {
  expect(messageOf('an unexpected question')).toContain(
    'the test expected no such question: elicitation/create "Which unit?", fields unit',
  )
  expect(messageOf('a question that never came')).toContain('did not ask: sampling /weather/')
  expect(messageOf('a missing notification')).toContain('Expected: notifications/tools/list_changed')
})

it('says which option does not fit', () => {
  expect(messageOf('a wrong option')).toContain(
    'the transport is "http", but the server node speaks over stdio',
  )
})

it('leaves no process, however a test ends', async () => {
  const pids = (await read('pids')).trim().split('\n').map(Number)
  expect(pids).toHaveLength(2)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
})

it('writes each format', async () => {
  expect(await read('r.html')).toContain('7 of 8 tests failed')
  expect(await read('r.html')).not.toContain('<script')
  expect(await read('r.xml')).toContain('<testsuites name="mcp-patchbay" tests="8" failures="7"')
  const sarif = JSON.parse(await read('r.sarif')) as { runs: { results: object[] }[] }
  expect(sarif.runs[0]?.results).toHaveLength(7)
  expect(await read('r.tap')).toMatch(/^TAP version 14\n1\.\.8\nok 1 - failing\.spec\.ts > passes\n/)
  expect(ran.stdout).toContain('::error file=failing.spec.ts,line=')
})

it('has its JSON Schema in docs/test-report.schema.json', async () => {
  const file = path.join(import.meta.dirname, '../../docs/test-report.schema.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(runReportJsonSchema())
})
