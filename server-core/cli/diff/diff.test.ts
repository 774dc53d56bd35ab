import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'
import { readDiff } from './diff-flags.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-diff-'))
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const cli = (...words: string[]) => runCli(words, { cwd: folder })

type Report = {
  readonly same: number
  readonly changed: number
  readonly onlyBefore: number
  readonly onlyAfter: number
  readonly calls: readonly {
    readonly after?: { readonly method: string; readonly target: string }
    readonly changes?: readonly { readonly kind: string; readonly pointer: string }[]
  }[]
}

test('two runs of a server are compared call by call, and times and ids of a run do not count', async () => {
  const server = ['--', process.execPath, patchbay, 'serve', '--stdio']
  const record = async (file: string, text: string): Promise<void> => {
    const made = await cli(
      'call',
      'create_note',
      '--arg',
      'title=Milk',
      '--arg',
      `text=${text}`,
      '--record',
      file,
      ...server,
    )
    expect(made).toMatchObject({ code: 0 })
  }
  await record('before.ndjson', 'two bottles')
  await record('again.ndjson', 'two bottles')
  await record('after.ndjson', 'three bottles')

  const again = await cli('diff', 'before.ndjson', 'again.ndjson')
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: 0, onlyBefore: 0, onlyAfter: 0, calls: [] })
  expect(again.code).toBe(0)

  const changed = await cli('diff', 'before.ndjson', 'after.ndjson')
  const report = JSON.parse(changed.stdout) as Report
  expect(changed.code).toBe(1)
  expect(report).toMatchObject({ changed: 1, onlyBefore: 0, onlyAfter: 0 })
  expect(report.same).toBeGreaterThan(0)
  expect(report.calls).toHaveLength(1)
  expect(report.calls[0]?.after).toMatchObject({ method: 'tools/call', target: 'create_note' })
  expect(report.calls[0]?.changes).toContainEqual({
    kind: 'changed',
    pointer: '/params/arguments/text',
    before: 'two bottles',
    after: 'three bottles',
  })
  const ignored = await cli(
    'diff',
    'before.ndjson',
    'after.ndjson',
    '--ignore',
    '/params',
    '--ignore',
    '/result',
  )
  expect(ignored.code).toBe(0)
  const shown = await cli('diff', 'before.ndjson', 'after.ndjson', '--method', 'tools/list')
  expect(shown.code).toBe(0)
})

test('two files of JSON are compared, and what cannot be read is named', async () => {
  await writeFile(path.join(folder, 'one.json'), '{"tools":[{"name":"a","title":"A"}]}')
  await writeFile(path.join(folder, 'two.json'), '{"tools":[{"name":"b"},{"name":"a","title":"B"}]}')
  const { code, stdout } = await cli('diff', 'one.json', 'two.json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    changes: [
      { kind: 'added', pointer: '/tools/0' },
      { kind: 'changed', pointer: '/tools/1/title', before: 'A', after: 'B' },
    ],
  })
  await writeFile(path.join(folder, 'broken.json'), '{')
  for (const [words, named] of [
    [['one.json', 'broken.json'], 'broken.json'],
    [['one.json', 'missing.json'], 'missing.json'],
    [['missing.ndjson', 'missing.ndjson'], 'missing.ndjson'],
  ] as const)
    expect(await cli('diff', ...words)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(named) as string,
    })
})

test('words that make no sense are named', () => {
  expect(() => readDiff(['one.json'])).toThrow('diff expects two recordings')
  expect(() => readDiff(['one.json', 'x.ndjson'])).toThrow('got one of each')
  expect(() => readDiff(['a', 'b', 'c'])).toThrow('does not take "c"')
  expect(() => readDiff(['a', 'b', '--ignored', 'x'])).toThrow('did you mean --ignore?')
})
