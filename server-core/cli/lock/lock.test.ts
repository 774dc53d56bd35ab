import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { buildCli, runCli, type Ended } from '../cli-process.test-support.ts'
import { DEFINITIONS_SERVER } from './definitions-server.test-support.ts'
import { readLock } from './lock-flags.ts'
import type { LockReport } from './lock-report.ts'

const EVERYTHING = path.resolve(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

let folder = ''
beforeAll(buildCli)
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-lock-'))
  await writeFile(path.join(folder, 'server.mjs'), DEFINITIONS_SERVER)
  return () => rm(folder, { recursive: true, force: true })
})

const sum = {
  name: 'sum',
  description: 'Adds.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
}
const offer = (definitions: object): Promise<void> =>
  writeFile(path.join(folder, 'offered.json'), JSON.stringify(definitions))
const lock = (...words: string[]): Promise<Ended> =>
  runCli(['lock', ...words, '--', process.execPath, 'server.mjs', 'offered.json'], { cwd: folder })
const reportOf = ({ stdout }: Ended): LockReport => JSON.parse(stdout) as LockReport
const stored = (): Promise<string> => readFile(path.join(folder, 'mcp.lock.json'), 'utf8')

it('writes a lock, finds what breaks callers, and accepts it', async () => {
  await offer({ tools: [sum] })
  const created = await lock()
  expect(created).toMatchObject({ code: 0 })
  expect(reportOf(created)).toMatchObject({ state: 'created', context: { tools: [{ name: 'sum' }] } })
  const first = await stored()

  await offer({ tools: [{ ...sum, inputSchema: { ...sum.inputSchema, required: ['a'] } }] })
  const checked = await lock('--check')
  expect(checked.code).toBe(1)
  expect(reportOf(checked)).toMatchObject({
    state: 'kept',
    passed: false,
    breaking: 1,
    drift: [{ type: 'tightened', kind: 'tools', name: 'sum', breaking: true }],
  })
  const refused = await lock()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('mcp.lock.json was not written; --update accepts these differences')
  expect(await stored()).toBe(first)

  expect(reportOf(await lock('--update'))).toMatchObject({ state: 'updated', passed: true, breaking: 1 })
  expect(await lock('--check')).toMatchObject({ code: 0 })
})

it('fails for the differences that --fail-on names', async () => {
  await offer({ tools: [sum] })
  await lock()
  await offer({ tools: [{ ...sum, description: 'Subtracts.' }], prompts: [{ name: 'new' }] })
  expect(await lock('--check')).toMatchObject({ code: 0 })
  expect(await lock('--check', '--fail-on', 'prose')).toMatchObject({ code: 1 })
  expect(await lock('--check', '--fail-on', 'removed,tightened')).toMatchObject({ code: 0 })
  expect(await lock('--check', '--fail-on', 'any')).toMatchObject({ code: 1 })
})

it('fails if the tools take more context than the budget', async () => {
  await offer({ tools: [sum] })
  expect(await lock('--budget', '1000')).toMatchObject({ code: 0 })
  const over = await lock('--check', '--budget', '10')
  expect(over.code).toBe(1)
  expect(over.stderr).toContain('more than --budget 10')
  expect(reportOf(over)).toMatchObject({ passed: false, drift: [] })
})

it('writes nothing over another file, or from a list that came in part', async () => {
  await offer({ tools: [sum] })
  expect((await lock('--check')).stderr).toContain('patchbay lock without --check writes it')
  await writeFile(path.join(folder, 'mcp.lock.json'), '{"tools": 1}')
  const foreign = await lock('--update')
  expect(foreign.code).toBe(4)
  expect(foreign.stderr).toContain('nothing was written')
  expect(await stored()).toBe('{"tools": 1}')
  await rm(path.join(folder, 'mcp.lock.json'))
  await offer({ tools: [sum, { name: 7 }] })
  const partial = await lock()
  expect(partial.code).toBe(5)
  expect(partial.stderr).toContain('entry 1 of tools/list cannot be read')
  await expect(stored()).rejects.toThrow('ENOENT')
})

it('locks server-everything the same twice', async () => {
  const everything = ['--', process.execPath, EVERYTHING, 'stdio']
  const made = await runCli(['lock', ...everything], { cwd: folder })
  expect(made).toMatchObject({ code: 0 })
  const { context } = reportOf(made)
  expect(context.tools.length).toBeGreaterThan(10)
  // o200k_base counts about 1,600.
  expect(context.tokens).toBeGreaterThan(1_400)
  expect(context.tokens).toBeLessThan(2_200)
  const again = await runCli(['lock', '--check', '--fail-on', 'any', ...everything], { cwd: folder })
  expect(again).toMatchObject({ code: 0 })
})

it.each([
  [['a.json', 'b.json', '--', 'x'], 'lock takes one file, got "b.json"'],
  [['--check', '--update', '--', 'x'], '--check and --update exclude each other'],
  [['--fail-on', 'changed', '--', 'x'], '--fail-on expects breaking, any, added, loosened'],
  [['--budget', 'none', '--', 'x'], '--budget expects a number from 1 on'],
])('rejects %j', (words, message) => {
  expect(() => readLock(words)).toThrow(message)
})
