import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli, runCli, type Ended } from '../cli-process.test-support.ts'
import { FAULTY_SERVER } from './faulty-server.test-support.ts'
import { readFuzz } from './fuzz-flags.ts'
import type { FuzzReport } from './fuzz-report.ts'

const EVERYTHING = path.resolve(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-fuzz-'))
  await writeFile(path.join(folder, 'server.mjs'), FAULTY_SERVER)
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fuzz = (...words: string[]): Promise<Ended> =>
  runCli(['fuzz', ...words, '--', process.execPath, 'server.mjs'], { cwd: folder })
const reportOf = ({ stdout }: Ended): FuzzReport => JSON.parse(stdout) as FuzzReport

it('finds each planted fault, with the smallest input, and a command that repeats it', async () => {
  const named = ['crashes', 'hangs', 'refuses', 'misanswers', 'accepts', 'mumbles'].flatMap((name) => [
    '--call',
    name,
  ])
  const ended = await fuzz(...named, '--seed', '1', '--runs', '40', '--answer-timeout', '400')
  expect(ended.code, ended.stderr).toBe(1)
  const report = reportOf(ended)
  const findings = Object.fromEntries(report.tools.map(({ name, findings: all }) => [name, all]))
  const properties = Object.fromEntries(
    Object.entries(findings).map(([name, all]) => [name, [...new Set(all.map(({ property }) => property))]]),
  )
  expect(properties).toEqual({
    crashes: ['no-crash'],
    hangs: ['no-hang'],
    refuses: ['no-protocol-error'],
    misanswers: ['output-schema'],
    accepts: ['invalid-input-refused'],
    mumbles: ['clear-error'],
  })
  expect(findings['crashes']).toMatchObject([{ input: { text: '' }, repeats: true }])
  expect(findings['crashes']?.[0]?.actual).toContain('code 7')
  expect(findings['refuses']).toMatchObject([
    { input: { n: 100 }, original: { n: expect.any(Number) as number } },
  ])
  expect(JSON.stringify(findings['misanswers']?.[0]?.input)).toMatch(/^\{"n":-?1\}$/)
  expect(findings['hangs']?.[0]?.repeats).toBe(true)
  expect(findings['accepts']?.map(({ input }) => input)).toContainEqual({})
  expect(report.notCalled).toEqual(['sound'])

  const command = findings['crashes']?.[0]?.command ?? ''
  expect(command).toMatch(/^patchbay fuzz --call crashes --input '\{"text":""\}' -- /)
  const again = await fuzz('--call', 'crashes', '--input', '{"text":""}')
  expect(again.code).toBe(1)
  expect(reportOf(again).tools[0]?.findings[0]?.property).toBe('no-crash')
}, 180_000)

it('finds nothing in a sound tool, and calls the same cases for the same seed', async () => {
  const ended = await fuzz('--call-read-only', '--seed', '7')
  expect(ended).toMatchObject({ code: 0 })
  const [tool] = reportOf(ended).tools
  expect(tool).toMatchObject({ name: 'sound', findings: [] })
  expect(tool?.valid).toBeGreaterThan(10)
  expect(tool?.invalid).toBeGreaterThan(5)
  expect(reportOf(await fuzz('--call-read-only', '--seed', '7'))).toEqual(reportOf(ended))
})

it('ends a run of a tool that never answers', async () => {
  const ended = await fuzz(
    '--call',
    'hangs',
    '--runs',
    '5000',
    '--answer-timeout',
    '300',
    '--duration',
    '600',
  )
  expect(reportOf(ended).tools[0]?.stopped).toMatch(/^(the time was over|4 cases cost the connection)$/)
})

it('calls server-everything', async () => {
  const words = [
    'fuzz',
    '--call',
    'echo',
    '--call',
    'get-sum',
    '--call',
    'get-structured-content',
    '--seed',
    '1',
  ]
  const ended = await runCli([...words, '--runs', '40', '--', process.execPath, EVERYTHING, 'stdio'], {
    cwd: folder,
  })
  const report = reportOf(ended)
  expect(report.calls).toBeGreaterThan(60)
  const found = report.tools.flatMap(({ findings }) => findings.map(({ property }) => property))
  expect(found.filter((property) => property === 'no-crash' || property === 'no-hang')).toEqual([])
})

it('calls nothing without permission', async () => {
  const none = await fuzz('--call', 'sond')
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('the server lists no tool "sond"; did you mean sound?')
})

it.each([
  [['--', 'x'], 'fuzz calls no tool without permission'],
  [['--call', 'a', '--call', 'b', '--input', '{}', '--', 'x'], '--input goes with one tool'],
  [['--call', 'a', '--input', '[]', '--', 'x'], '--input expects a JSON object'],
  [['--call', 'a', '--seed', '0.5', '--', 'x'], '--seed expects a number'],
])('rejects %j', (words, message) => {
  expect(() => readFuzz(words)).toThrow(message)
})
