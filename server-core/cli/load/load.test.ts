import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { histogramOf, loadStatistics } from '../../load/load-statistics.ts'
import { noiseOf, ratioOf, verdictOf } from '../../load/load-verdict.ts'
import { buildCli, runCli, type Ended } from '../cli-process.test-support.ts'
import { readLoad } from './load-flags.ts'
import type { LoadReport } from './load-report.ts'

/** Answers `wait` after the milliseconds of its argument plus those of the command line, and `fail` with an error. */
const SERVER = `
import { createInterface } from 'node:readline'
const tools = ['wait', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } }))
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...message }) + '\\n')
  if (method === 'initialize') send({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } } })
  else if (method === 'tools/list') send({ result: { tools } })
  else if (method !== 'tools/call') { if (id !== undefined) send({ error: { code: -32601, message: 'unknown method' } }) }
  else if (params.name === 'fail') send({ error: { code: -32000, message: 'out of order' } })
  else setTimeout(send, (params.arguments.ms ?? 0) + Number(process.argv[2] ?? 0), { result: { content: [] } })
}
`

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-load-'))
  await writeFile(path.join(folder, 'server.mjs'), SERVER)
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const load = (...words: string[]): Promise<Ended> =>
  runCli(['load', ...words, '--', process.execPath, 'server.mjs'], { cwd: folder })
const reportOf = ({ stdout }: Ended): LoadReport => JSON.parse(stdout) as LoadReport

it('measures calls of several clients, and fails a limit that is far too low', async () => {
  const words = ['wait', '{"ms":20}', '--clients', '2', '--in-flight', '2', '--calls', '60', '--warm-up', '4']
  const ended = await load(...words, '--max-p95', '5000')
  expect(ended.code, ended.stderr).toBe(0)
  const report = reportOf(ended)
  expect(report).toMatchObject({ answered: 60, errors: {}, clients: 2, inFlight: 2 })
  expect(report.milliseconds?.min).toBeGreaterThanOrEqual(18)
  expect(report.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(60)
  const { low, value, high } = report.milliseconds?.p95 ?? { low: 1, value: 0, high: 0 }
  expect(low).toBeLessThanOrEqual(value)
  expect(value).toBeLessThanOrEqual(high)
  const failed = reportOf(await load(...words, '--max-p95', '0.5'))
  expect(['failed', 'no-decision']).toContain(failed.verdict)
})

it('compares with a second server in the same run', async () => {
  const against = `'${process.execPath}' server.mjs 40`
  const ended = await load('wait', '{"ms":10}', '--calls', '20', '--against', against, '--max-ratio', '1')
  expect(ended.code, ended.stderr).toBe(0)
  const report = reportOf(ended)
  expect(report.verdict).toBe('passed')
  expect(report.ratio?.value).toBeLessThan(0.8)
  expect(report.baseline?.answered).toBe(20)
})

it('counts errors by kind, and fails for them', async () => {
  await writeFile(path.join(folder, 'calls.json'), '[{"tool":"wait"},{"tool":"fail","arguments":{}}]')
  const ended = await load('--list', 'calls.json', '--calls', '20', '--warm-up', '0')
  expect(ended.code).toBe(1)
  expect(reportOf(ended)).toMatchObject({ answered: 10, errors: { 'error -32000': 10 }, verdict: 'failed' })
  expect(await load('--list', 'calls.json', '--calls', '20', '--max-errors', '30')).toMatchObject({ code: 0 })
})

it('ends when the time is over, and counts from when a call should have begun', async () => {
  const ended = await load('wait', '{"ms":1}', '--calls', '100000', '--duration', '500')
  expect(ended.code).toBe(0)
  expect(reportOf(ended).answered).toBeLessThan(2_000)
  const rated = reportOf(
    await load(
      ...['wait', '{"ms":100}', '--rate', '100', '--in-flight', '2', '--calls', '100', '--duration', '2000'],
    ),
  )
  // Two calls at a time are 20 a second: the last one should have begun more than a second before.
  expect(rated.milliseconds?.max).toBeGreaterThan(1_000)
})

it('decides by the interval of a figure', () => {
  const steady = { value: 10, low: 9, high: 11 }
  expect(verdictOf(steady, 12, undefined)).toEqual({ type: 'passed' })
  expect(verdictOf(steady, 8, undefined)).toEqual({ type: 'failed' })
  expect(verdictOf(steady, 10, undefined)).toMatchObject({ type: 'no-decision' })
  expect(noiseOf([[10], [11], [10], [10], [11]])).toBeUndefined()
  expect(noiseOf([[10], [40], [10], [10], [40], [90]])).toContain('too noisy')
  expect(
    ratioOf([
      [[10], [5]],
      [[12], [6]],
    ]),
  ).toEqual({ value: 2, low: 2, high: 2 })
  const durations = Array.from({ length: 1_000 }, (_, at) => at + 1)
  expect(loadStatistics(durations)).toMatchObject({
    p50: { value: 500 },
    p95: { value: 950 },
    min: 1,
    max: 1_000,
  })
  expect(loadStatistics([])).toBeUndefined()
  expect(histogramOf([1, 1.5, 3])).toEqual([
    { from: 1, to: 2, count: 2 },
    { from: 2, to: 4, count: 1 },
  ])
})

it.each([
  [['--', 'x'], 'load expects a tool, or --list FILE'],
  [['echo', '[]', '--', 'x'], 'load expects the arguments as a JSON object'],
  [['echo', '--clients', '5000', '--', 'x'], '--clients is 1000 at most, got 5000'],
  [['echo', '--max-ratio', '2', '--', 'x'], '--max-ratio compares with --against'],
  [['echo', '--max-p95', '0', '--', 'x'], '--max-p95 expects a number above 0'],
  [['--list', 'none.json', '--', 'x'], '--list expects a file with a JSON array'],
])('rejects %j', (words, message) => {
  expect(() => readLoad(words)).toThrow(message)
})
