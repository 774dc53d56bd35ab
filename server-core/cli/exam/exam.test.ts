import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conformanceReportSchema, type ConformanceReport } from '../../conformance/report/report-schema.ts'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'

/** A client over stdio: it starts the words that follow `version`, `jsonrpc` and asks for the tools. */
const CLIENT = `
const { spawn } = require('node:child_process')
const [jsonrpc, command, ...args] = process.argv.slice(2)
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc, ...message }) + '\\n')
let rest = ''
server.stdout.on('data', (bytes) => {
  const lines = (rest + bytes).split('\\n')
  rest = lines.pop()
  for (const { id } of lines.map((line) => JSON.parse(line))) {
    if (id === 1) { send({ method: 'notifications/initialized' }); send({ id: 2, method: 'tools/list' }) }
    if (id === 2) process.exit(0)
  }
})
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tiny', version: '2' } } })
`

let folder = ''

beforeAll(async () => {
  await buildCli()
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-exam-test-'))
  await writeFile(path.join(folder, 'client.cjs'), CLIENT)
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const ONE_CHECK = ['--grep', 'base.wire.jsonrpc', '--revision', '2025-11-25', '--json']

function reportIn(output: string): ConformanceReport {
  return conformanceReportSchema.parse(JSON.parse(output))
}

/** The bridge that the client starts is the one of the built command line. */
it('examines a client over stdio, whatever it sends', async () => {
  const run = (jsonrpc: string) =>
    runCli(['exam', ...ONE_CHECK, '--', process.execPath, 'client.cjs', jsonrpc], { cwd: folder })
  const good = await run('2.0')
  expect(good.stderr).toBe('')
  const report = reportIn(good.stdout)
  expect(report.subject).toMatchObject({ side: 'client', name: 'tiny', version: '2' })
  expect(report.checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'base.wire.jsonrpc/client passed',
  ])
  expect(good.code).toBe(0)
  const wrong = await run('1.0')
  expect(reportIn(wrong.stdout).checks[0]?.verdict).toBe('failed')
  expect(wrong.code).toBe(1)
}, 60_000)

it('says why a client never connected', async () => {
  const says = "console.log('no server is configured')"
  const { code, stdout, stderr } = await runCli(['exam', ...ONE_CHECK, '--', process.execPath, '-e', says], {
    cwd: folder,
  })
  expect(reportIn(stdout).verdict).toBe('inconclusive')
  expect(stderr).toContain('the client never connected; it wrote: no server is configured')
  expect(code).toBe(4)
}, 60_000)

it('waits for a client at an address, and ends when nobody comes', async () => {
  const { code, stderr } = await runCli(['exam', ...ONE_CHECK, '--timeout', '300'], { cwd: folder })
  expect(stderr).toMatch(/Connect the client to http:\/\/127\.0\.0\.1:\d+\/mcp/)
  expect(stderr).toContain('the client never connected within')
  expect(code).toBe(4)
})

it('examines the visit of a client that somebody else starts', async () => {
  const child = spawn(process.execPath, [patchbay, 'exam', ...ONE_CHECK], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = text(child.stdout)
  const url = await new Promise<string>((resolve) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const found = /http:\S+/.exec(said)
      if (found !== null) resolve(found[0])
    })
  })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  expect(response.status).toBe(200)
  await response.text()
  child.kill('SIGINT')
  const report = reportIn(await stdout)
  expect(report.subject.name).toBe('by hand')
  expect(report.checks[0]).toMatchObject({ id: 'base.wire.jsonrpc/client', verdict: 'passed' })
})

it('says what is wrong with a command line', async () => {
  const run = await runCli(['exam', '--transport', 'sse', '--', 'client'], { cwd: folder })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('needs {url} in the arguments of the client')
})

it('finds nothing of authorization in a client that has none', async () => {
  const client = `
const post = async (message, headers) => {
  const accept = 'application/json, text/event-stream'
  const response = await fetch(process.argv[2], {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  if (!response.ok) process.exit(1)
  await response.text()
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
}
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'open', version: '1' } }
const session = await post({ id: 1, method: 'initialize', params })
await post({ method: 'notifications/initialized' }, session)
await post({ id: 2, method: 'tools/list' }, session)
`
  await writeFile(path.join(folder, 'open.mjs'), client)
  const words = ['--grep', 'auth.client.discovery-wellknown', '--revision', '2025-11-25', '--json']
  const { stdout } = await runCli(['exam', ...words, '--', process.execPath, 'open.mjs', '{url}'], {
    cwd: folder,
  })
  expect(reportIn(stdout).checks).toMatchObject([
    { verdict: 'notApplicable', reason: 'the client does not authorize, which is optional', findings: [] },
  ])
}, 60_000)
