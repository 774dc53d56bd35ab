import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conformanceReportSchema, type ConformanceReport } from '../../conformance/report/report-schema.ts'
import { buildCli, runCli, type Ended } from '../cli-process.test-support.ts'
import { writeServers, type HostileServer } from './hostile-servers.test-support.ts'

let folder = ''

beforeAll(async () => {
  await buildCli()
  folder = await writeServers()
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const ONE_CHECK = ['--grep', 'jsonrpc.unknown-method.server', '--revision', '2025-11-25']

function check(server: HostileServer, ...words: readonly string[]): Promise<Ended> {
  return runCli(['check', ...ONE_CHECK, ...words, '--', process.execPath, `${server}.cjs`], { cwd: folder })
}

function reportIn(text: string): ConformanceReport {
  return conformanceReportSchema.parse(JSON.parse(text))
}

it('passes a correct server, and writes every report', async () => {
  const reports = 'html=r/r.html,junit=r/r.xml,sarif=r/r.sarif,json=r/r.json,tap=r/r.tap'
  const { code, stdout, stderr } = await check('good', '--json', '--report', reports)
  const report = reportIn(stdout)
  expect(report.summary).toMatchObject({ passed: 1, failed: 0 })
  expect(report.subject).toMatchObject({ name: 'good', version: '1' })
  expect(code).toBe(0)
  const read = (name: string) => readFile(path.join(folder, 'r', name), 'utf8')
  expect(await read('r.html')).toContain('No failure')
  expect(await read('r.xml')).toContain('tests="1" failures="0"')
  expect(JSON.parse(await read('r.sarif'))).toMatchObject({ version: '2.1.0' })
  expect(reportIn(await read('r.json'))).toEqual(report)
  expect(await read('r.tap')).toContain('ok 1 - jsonrpc.unknown-method.server')
  // Not a terminal: the files are named, and there is no progress.
  expect(stderr).not.toContain('\r')
})

it('finds the lie of a server that claims success, and says how to repeat it', async () => {
  const { code, stdout } = await check('lie')
  const report = reportIn(stdout)
  expect(code).toBe(1)
  expect(report.checks[0]).toMatchObject({
    verdict: 'failed',
    repeat: expect.stringContaining('patchbay check --grep jsonrpc.unknown-method.server') as string,
  })
  expect(report.checks[0]?.frames?.at(-1)?.text).toContain('well')
})

it.each<[HostileServer, RegExp]>([
  ['hang', /no answer within/],
  ['crash', /the process ended \(exit code 3\)/],
  ['flood', /more than \d+ bytes/],
])(
  'says why a server that does this cannot be examined: %s',
  async (server, reason) => {
    const { code, stdout, stderr } = await check(server, '--json')
    const report = reportIn(stdout)
    expect(report.verdict).toBe('inconclusive')
    expect(report.reason).toMatch(reason)
    expect(stderr).toMatch(reason)
    expect(code).toBe(4)
  },
  60_000,
)

it('fails a server that ends at a request', async () => {
  const { code, stdout } = await check('crash-later', '--json')
  const [result] = reportIn(stdout).checks
  expect(result?.verdict).toBe('failed')
  expect(result?.findings[0]?.actual).toContain('the process ended (exit code 4)')
  expect(code).toBe(1)
})

it('says that a server requires authorization', async () => {
  const server = createServer((_, response) =>
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const { code, stdout } = await runCli(['check', ...ONE_CHECK, '--json', '--url', url], { cwd: folder })
    expect(reportIn(stdout).reason).toContain('HTTP 401')
    expect(code).toBe(3)
  } finally {
    server.close()
  }
})

it('ends a run whose time is over, and its report says so', async () => {
  const words = ['check', '--json', '--timeout', '2500', '--revision', '2025-11-25', '--', process.execPath]
  const { stdout } = await runCli([...words, 'lie.cjs'], { cwd: folder })
  const reasons = reportIn(stdout).checks.map(({ reason }) => reason)
  expect(reasons).toContain('the run took longer than its 2500 ms')
}, 60_000)

it('lets expected failures pass, fails for new ones and tells fixed ones', async () => {
  const first = await check('lie', '--json', '--baseline', 'b.json', '--update-baseline')
  expect(first.code).toBe(0)
  const known = await check('lie', '--json', '--baseline', 'b.json')
  expect(known.code).toBe(0)
  expect(reportIn(known.stdout).baseline).toEqual({ file: 'b.json', new: 0, known: 1, fixed: 0 })
  const fixed = await check('good', '--json', '--baseline', 'b.json')
  expect(reportIn(fixed.stdout).baseline).toMatchObject({ known: 0, fixed: 1 })
  await writeFile(
    path.join(folder, 'empty.json'),
    '{"format":"patchbay-conformance-baseline","version":1,"failures":[]}',
  )
  const fresh = await check('lie', '--json', '--baseline', 'empty.json')
  expect(fresh.code).toBe(1)
  expect(reportIn(fresh.stdout).baseline).toMatchObject({ new: 1 })
})

it('examines again what failed', async () => {
  await check('lie', '--report', 'json=failed.json')
  const again = await runCli(
    ['check', '--json', '--again', 'failed.json', '--', process.execPath, 'lie.cjs'],
    {
      cwd: folder,
    },
  )
  expect(reportIn(again.stdout).checks.map(({ id, revision }) => `${id} ${revision}`)).toEqual([
    'jsonrpc.unknown-method.server 2025-11-25',
  ])
}, 60_000)

it('says what is wrong with a command line', async () => {
  const wrong = async (...words: readonly string[]) => {
    const { code, stderr } = await check('good', ...words)
    expect(code).toBe(2)
    return stderr
  }
  expect(await wrong('--report', 'pdf')).toContain('--report expects FORMAT')
  expect(await wrong('--suite', 'none')).toContain('--suite expects one of ci, must, all, 2026.11')
  expect(await wrong('--baseline', 'none.json')).toContain('--update-baseline writes a first one')
  expect(await wrong('--update-baseline')).toContain('goes with --baseline FILE')
  expect(await wrong('--json', '--report', 'tap')).toContain('stdout takes one report')
})
