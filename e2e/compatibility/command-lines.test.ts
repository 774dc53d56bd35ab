import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli, patchbay, runCli } from '../../server-core/cli/cli-process.test-support.ts'
import { readRecording } from '../../server-core/capture/recording/recording-reader.ts'
import { copyOldFiles, type OldFiles } from './old-files.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const server = ['--', process.execPath, everything, 'stdio']

let files: OldFiles
let folder: string
beforeAll(async () => {
  files = await copyOldFiles()
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-old-lines-'))
  await buildCli()
})
afterAll(async () => {
  for (const each of [files.root, folder]) await rm(each, { recursive: true, force: true })
})

/** Command lines as version 0.1.0 documented them, with their exit code and a part of what they print. */
it.each([
  ['list as JSON', ['list', '--json', '--revision', '2025-06-18', ...server], 0, '"tools"'],
  ['call', ['call', 'get-sum', '--arg', 'a=40', '--arg', 'b=2', ...server], 0, '42'],
  ['read', ['read', 'demo://resource/dynamic/text/1', ...server], 0, 'demo://resource/dynamic/text/1'],
  ['complete', ['complete', 'completable-prompt', 'department', 'E', ...server], 0, 'Engineering'],
  ['discover', ['discover', ...server], 0, '2025-11-25'],
  ['raw', ['raw', '{"jsonrpc":"2.0","id":"1","method":"ping"}', ...server], 0, '"result"'],
  ['responders', ['list', '--responder', 'sampling=decline', ...server], 0, 'get-sum'],
  ['an unknown tool', ['call', 'nothing', ...server], 5, 'nothing'],
  ['an unknown flag', ['list', '--nothing', ...server], 2, '--nothing'],
  ['a proxy of an unknown server', ['proxy', '--stdio', '--server', 'nothing'], 2, 'nothing'],
])('%s', async (_name, words, code, part) => {
  const ended = await runCli(words, { cwd: folder, env: { PATCHBAY_PROFILE: files.profile } })
  expect({ ...ended, stdout: ended.stdout.slice(0, 2_000) }).toMatchObject({ code })
  expect(code === 0 ? ended.stdout : ended.stderr).toContain(part)
})

it('serves an old workspace over stdio, with its old options', async () => {
  const words = ['list', '--json', '--', process.execPath, patchbay, 'serve', files.workspace]
  const flags = ['--trust', '--stdio', '--profile', files.profile, '--log-level', 'error']
  const ended = await runCli([...words, ...flags], { cwd: folder })
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.stdout).toContain('"weather"')
})

it('makes a workspace, and installs and uninstalls a server in another client', async () => {
  const home = await mkdtemp(path.join(folder, 'home-'))
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') }
  expect(await runCli(['init', 'made'], { cwd: folder })).toMatchObject({ code: 0 })
  expect(await readdir(path.join(folder, 'made'))).toContain('patchbay.config.ts')
  const install = ['mcp', 'install', 'cursor', path.join(folder, 'made'), '--trust', '--create']
  expect(await runCli(install, { cwd: folder, env })).toMatchObject({ code: 0 })
  expect(await runCli(['mcp', 'status'], { cwd: folder, env })).toMatchObject({ code: 0 })
  expect(await runCli(['mcp', 'uninstall', 'cursor', '--name', 'made'], { cwd: folder, env })).toMatchObject({
    code: 0,
  })
})

it('reads a recording of format version 1', async () => {
  const entries = await Array.fromAsync(readRecording(files.recording))
  const messages = entries.flatMap((entry) =>
    entry.type === 'frame' && entry.kind === 'message' ? [Buffer.from(entry.bytes).toString()] : [],
  )
  expect(messages).toHaveLength(10)
  expect(messages.join()).toContain('create_note')
})
