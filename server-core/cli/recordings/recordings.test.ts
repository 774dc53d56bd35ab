import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-recordings-'))
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const cli = (...words: string[]) => runCli(words, { cwd: folder })

test('a command records, and its recording is shown, searched, exported and verified', async () => {
  const server = ['--', process.execPath, patchbay, 'serve', '--stdio']
  const listed = await cli('list', 'tools', '--record', 'calls.ndjson', ...server)
  expect(listed.code).toBe(0)
  expect(listed.stderr).toContain('calls.ndjson')
  const shown = await cli('recordings', 'show', 'calls.ndjson', '--method', 'tools/list')
  const { rows, isClosed } = JSON.parse(shown.stdout) as {
    rows: { method: string; outcome: string }[]
    isClosed: boolean
  }
  expect([isClosed, rows.map(({ method, outcome }) => [method, outcome])]).toEqual([
    true,
    [['tools/list', 'ok']],
  ])
  expect((await cli('recordings', 'verify', 'calls.ndjson')).code).toBe(0)
  expect((await cli('show', 'calls.ndjson', '--out', 'page.html')).code).toBe(0)
  expect(await readFile(path.join(folder, 'page.html'), 'utf8')).toContain('create_note')
  const har = await cli('recordings', 'export', 'calls.ndjson', '--out', 'calls.har')
  expect(har.stderr).toContain('are left out')
  const wrong = await cli('recordings', 'show', 'nowhere.ndjson')
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('nowhere.ndjson') as string])
  expect((await cli('recordings', 'list', '--profile', folder)).stdout.trim()).toBe('[]')
  expect((await cli('recordings', 'wipe')).code).toBe(2)
})
