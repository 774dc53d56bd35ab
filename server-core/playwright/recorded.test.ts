import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeRun, runTests, type PlaywrightRun } from './failures.test-support.ts'
import { runReportSchema, type RunReport } from './reporter/report-schema.ts'

/** In this order: the first test writes the recording that the others take. */
const SPEC = `
import { expect, test } from 'patchbay/test'
const server = { command: 'node', args: ['server.js'] }
test.describe('the server', () => {
  test.use({ server })
  async function calls({ mcp, answers }, city = 'Oslo') {
    await mcp.callTool('add', { a: 1, b: 2 })
    answers.elicitation('Which unit?').accept({ unit: 'C' })
    await mcp.callTool('forecast', { city })
  }
  test('writes what is missing', async ({ mcp, answers, timeline }) => {
    await calls({ mcp, answers })
    await expect(timeline).toMatchRecording('recordings/calls.ndjson')
  })
  test('is as recorded', async ({ mcp, answers, timeline }) => {
    await calls({ mcp, answers })
    await expect(timeline).toMatchRecording('recordings/calls.ndjson')
  })
  test('answers otherwise', async ({ mcp, answers, timeline, faults }) => {
    await calls({ mcp, answers }, 'Rome')
    await mcp.readResource('notes://today')
    await expect(timeline).toMatchRecording('recordings/calls.ndjson')
  })
  test('lets pass what is ignored', async ({ mcp, answers, timeline }) => {
    await calls({ mcp, answers }, 'Rome')
    await expect(timeline).toMatchRecording('recordings/calls.ndjson', { ignore: ['/params/arguments/city', '/result/content/*/text'] })
  })
})
test.describe('its recording', () => {
  test.use({ server: { recording: 'recordings/calls.ndjson' } })
  test('answers as the server did', async ({ mcp, answers, timeline }) => {
    expect((await mcp.callTool('add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 })
    answers.elicitation('Which unit?').accept({ unit: 'C' })
    expect((await mcp.callTool('forecast', { city: 'Oslo' })).text).toBe('Oslo: 7 °C')
    await expect(mcp.callTool('add', { a: 5, b: 5 })).toFailWith(-32602)
  })
  test('cannot be killed', async ({ mcp, server }) => {
    await server.kill()
  })
})
test('a mock of it', async ({ mock, connect }) => {
  const played = await mock({ recording: 'recordings/calls.ndjson', tools: { forecast: () => 'sun' } })
  const answer = await fetch(played.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } }),
  })
  expect(await answer.text()).toContain('"name":"example"')
  const session = answer.headers.get('mcp-session-id')
  const call = async (name, args) => (await fetch(played.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } }),
  })).text()
  expect(await call('add', { a: 1, b: 2 })).toContain('{"sum":3}')
  expect(await call('forecast', { city: 'Oslo' })).toContain('sun')
})
test.describe('a missing one', () => {
  test.use({ server: { recording: 'nowhere.ndjson' } })
  test('is named', async ({ mcp }) => {
    await mcp.listTools()
  })
})
`

let ran: PlaywrightRun
let report: RunReport
beforeAll(async () => {
  const reporter = [
    [path.resolve(import.meta.dirname, '../../api/reporter.ts'), { json: 'r.json', github: false }],
  ]
  ran = await runTests(
    { 'recorded.spec.ts': SPEC },
    { reporter, timeout: 60_000, updateSnapshots: 'missing' },
  )
  report = runReportSchema.parse(JSON.parse(await readFile(path.join(ran.folder, 'r.json'), 'utf8')))
}, 300_000)
afterAll(() => removeRun(ran))

function failureOf(title: string): string | undefined {
  const found = report.tests.find((test) => test.title === title)
  if (found === undefined) throw new Error(`there is no test "${title}"`)
  return found.outcome === 'passed' ? undefined : found.errors.map(({ message }) => message).join('\n')
}

it('writes a missing recording, and compares the calls of later runs with it', () => {
  expect(failureOf('writes what is missing')).toContain(
    'It is written when the test ends; run the test again.',
  )
  expect(failureOf('is as recorded')).toBeUndefined()
  const failure = failureOf('answers otherwise')
  expect(failure).toContain('resources/read notes://today is not in the recording')
  expect(failure).toContain('tools/call forecast ~ /params/arguments/city  "Oslo" → "Rome"')
  expect(failure).toContain('~ /result/content/0/text  "Oslo: 7 °C" → "Rome: 7 °C"')
  expect(failureOf('lets pass what is ignored')).toBeUndefined()
})

it('plays a recording as the server under test', () => {
  expect(failureOf('answers as the server did')).toBeUndefined()
  expect(failureOf('cannot be killed')).toContain('a recording has no process')
  expect(failureOf('is named')).toContain('nowhere.ndjson')
})

it('plays a recording as a mock server, with tools of the test before it', () => {
  expect(failureOf('a mock of it')).toBeUndefined()
})
