import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCli, patchbay, runCli } from '../../cli-process.test-support.ts'
import { readServeFlags } from '../serve-options.ts'

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-replay-'))
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const cli = (...words: string[]) => runCli(words, { cwd: folder })

test('a recorded server is served again, to clients of every revision', async () => {
  const recorded = await cli(
    ...['call', 'get-sum', '--arg', 'a=40', '--arg', 'b=2', '--record', 'sum.ndjson'],
    ...['--', process.execPath, EVERYTHING, 'stdio'],
  )
  expect(recorded.code).toBe(0)
  const mock = ['--', process.execPath, patchbay, 'serve', '--replay', 'sum.ndjson', '--stdio']
  for (const revision of ['2025-06-18', '2026-07-28']) {
    const again = await cli(
      'call',
      'get-sum',
      '--arg',
      'a=40',
      '--arg',
      'b=2',
      '--revision',
      revision,
      ...mock,
    )
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('The sum of 40 and 2 is 42')
  }
  const other = await cli('call', 'get-sum', '--arg', 'a=1', '--arg', 'b=2', ...mock)
  expect(other.code).toBe(5)
  expect(other.stderr + other.stdout).toContain('it differs at /a')
  const shaped = await cli('call', 'get-sum', '--arg', 'a=1', '--arg', 'b=2', ...mock, '--match', 'shape')
  expect(shaped.stdout).toContain('is 42')
  // What the recording has no answer for goes to a server.
  const real = `"${process.execPath}" "${EVERYTHING}" stdio`
  const forwarded = await cli('call', 'get-sum', '--arg', 'a=1', '--arg', 'b=2', ...mock, '--else', real)
  expect(forwarded.stdout).toContain('The sum of 1 and 2 is 3')
  const unreachable = await cli(
    'call',
    'get-sum',
    '--arg',
    'a=1',
    '--arg',
    'b=2',
    ...mock,
    '--else',
    'no-such-program',
  )
  expect(unreachable.stderr + unreachable.stdout).toContain('the server of --else cannot be reached')
  const missing = await cli('serve', '--replay', 'missing.ndjson', '--stdio')
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('missing.ndjson') as string])
})

test('flags of a replay that make no sense are named', () => {
  expect(
    readServeFlags(['--replay', 'a.ndjson', '--match', 'shape', '--once', '--latency', '0.5']),
  ).toMatchObject({
    replay: { recording: 'a.ndjson', match: 'shape', once: true, latency: 0.5 },
  })
  expect(() => readServeFlags(['--once'])).toThrow('--replay FILE --once')
  expect(() => readServeFlags(['--replay', 'a', '--match', 'near'])).toThrow('exact, shape, target')
  expect(() => readServeFlags(['--replay', 'a', '--latency', 'slow'])).toThrow('expects a factor')
  expect(() => readServeFlags(['--replay', 'a', '--else', '"node'])).toThrow('--else: ')
  expect(() => readServeFlags(['tools', '--replay', 'a'])).toThrow('a folder or --replay')
})
