import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Approval } from '../../host/contract/servers.ts'
import { buildCli, runCli } from '../cli-process.test-support.ts'
import { describeApproval } from './describe-approval.ts'
import { personAt } from '../questions/person.ts'
import { confirmApproval } from './servers.ts'

vi.setConfig({ testTimeout: 60_000 })

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const folders: string[] = []
let profile = ''

beforeAll(() => buildCli(), 60_000)
beforeEach(async () => {
  profile = await mkdtemp(path.join(os.tmpdir(), 'patchbay-servers-'))
  folders.push(profile)
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(words, { cwd: profile, env })
/** With the flags that go before `--`. */
const servers = (action: string, words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  run(['servers', action, '--profile', profile, ...words], env)

async function json(action: string, words: readonly string[] = []): Promise<unknown> {
  const { code, stdout, stderr } = await servers(action, words)
  expect(stderr).not.toContain('patchbay:')
  expect(code).toBe(0)
  return JSON.parse(stdout) as unknown
}

test('a server is added, approved, used, renamed and removed without a terminal', async () => {
  const added = await json('add', [
    'all',
    '--env',
    'API_KEY=hunter2',
    '--',
    process.execPath,
    everything,
    'stdio',
  ])
  expect(added).toMatchObject({ name: 'all', approval: 'needed', transport: 'stdio' })
  const use = () => run(['list', 'tools', '--server', 'all', '--profile', profile])
  const early = await use()
  expect(early).toMatchObject({ code: 4, stdout: '' })
  expect(early.stderr).toContain('servers approve "all"')

  const refused = await servers('approve', ['all'])
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  const words = `    ${process.execPath} ${everything} stdio\n`
  for (const shown of [
    words,
    `in the folder ${profile}`,
    'API_KEY=•••',
    'Add --yes',
    'and of your environment: ',
  ]) {
    expect(refused.stderr).toContain(shown)
  }
  expect(await use()).toMatchObject({ code: 4 })

  const approved = await servers('approve', ['all', '--yes'])
  expect(approved.code).toBe(0)
  expect(approved.stderr).toContain(words)
  expect(JSON.parse(approved.stdout)).toMatchObject([{ name: 'all', approval: 'approved' }])
  expect(await use()).toMatchObject({ code: 0, stdout: expect.stringContaining('"get-sum"') as unknown })

  expect(await json('rename', ['all', 'every thing'])).toMatchObject({
    name: 'every thing',
    approval: 'approved',
  })
  const shown = await servers('show', ['every thing'])
  expect(JSON.parse(shown.stdout)).toMatchObject({
    approval: 'approved',
    target: { env: [{ name: 'API_KEY', value: '••••••••' }] },
  })
  for (const { stdout, stderr } of [refused, approved, shown])
    expect(stdout + stderr).not.toContain('hunter2')
  expect(await json('remove', ['every thing'])).toMatchObject([{ name: 'every thing' }])
  expect(await json('list')).toEqual([])
})

test('an approval is bound to what was shown', async () => {
  await json('add', ['web', '--url', 'http://127.0.0.1:9/mcp', '--header', 'Authorization: Bearer abc'])
  const { hash } = (await json('show', ['web'])) as { hash: string }
  const file = path.join(profile, 'workspace', 'patchbay.json')
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('abc')
  await writeFile(file, text.replace('127.0.0.1:9', '127.0.0.1:10'))
  const other = await servers('approve', ['web', '--hash', hash])
  expect(other).toMatchObject({ code: 4, stdout: '' })
  expect(other.stderr).toContain('http://127.0.0.1:10/mcp')
  expect(other.stderr).toContain('was changed since')
  await writeFile(file, text)
  expect(await servers('approve', ['web', '--hash', hash])).toMatchObject({ code: 0 })
})

test('a variable of the shell is stored with its value of now', async () => {
  const env = { MY_MODE: 'fast' }
  const { code } = await servers('add', ['one', '--env', 'MY_MODE', '--', 'node', 'server.js'], env)
  expect(code).toBe(0)
  expect(await json('show', ['one'])).toMatchObject({ target: { env: [{ name: 'MY_MODE', value: 'fast' }] } })
})

test.each([
  [['add', 'x'], 'servers add expects --url URL, or -- COMMAND'],
  [['add', '', '--url', 'http://a/'], 'the name of a server cannot be stored'],
  [['add', '--url', 'http://a/'], 'servers add expects the name of a server'],
  [['approve'], 'servers approve expects the name of a server'],
  [['approve', 'none', '--yes'], 'There is no server "none"'],
  [['approve', 'x', '--hash', '12'], '--hash expects'],
  [['rename', 'x'], 'and its new name'],
  [['list', 'x'], 'servers list does not take "x"'],
  [['lst'], 'did you mean list?'],
  [['add', 'x', '--urll', 'y'], 'did you mean --url'],
])('servers %j is an error that says why', async ([action = '', ...words], message) => {
  const ended = await servers(action, words)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(message)
})

test('a name is taken once', async () => {
  await json('add', ['one', '--url', 'http://127.0.0.1:9/mcp'])
  await json('add', ['two', '--url', 'http://127.0.0.1:9/mcp'])
  for (const words of [
    ['add', 'one', '--url', 'http://127.0.0.1:9/mcp'],
    ['rename', 'two', 'one'],
  ]) {
    const [action = '', ...rest] = words
    const ended = await servers(action, rest)
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain('there is a server "one" already')
  }
})

describe('on a terminal', () => {
  const details: Approval = {
    id: 'x',
    name: 'one\nline',
    target: { transport: 'stdio', command: 'sh', args: ['-c', 'a\nb', 'two words'], cwd: '/tmp', env: [] },
    inherited: [],
    loadsCode: [],
    warnings: ['The folder /tmp does not exist.'],
    hash: 'f00',
  }

  test.each([
    ['yes', true],
    ['', false],
    ['no', false],
  ])('what is typed decides: "%s"', async (typed, isApproved) => {
    const input = new PassThrough()
    const output = new PassThrough()
    const person = personAt({ input, output, interrupt: () => undefined })
    const confirmed = confirmApproval(details, person, new AbortController().signal).then(
      () => true,
      () => false,
    )
    input.write(`${typed}\n`)
    expect(await confirmed).toBe(isApproved)
    expect(String(output.read())).toContain('Warning: The folder /tmp does not exist.')
  })

  test('words are separate, and nothing adds a line', () => {
    expect(describeApproval(details).split('\n')).toEqual([
      '"one line" starts a program:',
      String.raw`    sh -c "a\nb" "two words"`,
      '  in the folder /tmp',
      '  Warning: The folder /tmp does not exist.',
      '  hash f00',
    ])
  })
})
