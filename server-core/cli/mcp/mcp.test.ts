import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ServerStore } from '../../profile/server-store.ts'
import { profileFiles, workspaceFile } from '../../profile/profile-files.ts'
import { PlainFileSecretStore } from '../../profile/secret-files.ts'
import { buildCli, patchbay, runCli, type Ended } from '../cli-process.test-support.ts'

let home = ''

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-mcp-')))
})

afterEach(() => rm(home, { recursive: true, force: true }))

function run(...words: readonly string[]): Promise<Ended> {
  // No variable of this machine moves a client out of the fixture.
  const none = Object.fromEntries(
    ['XDG_CONFIG_HOME', 'CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'GEMINI_CLI_HOME', 'VSCODE_PORTABLE'].map(
      (name) => [name, ''],
    ),
  )
  const env = { ...none, HOME: home, USERPROFILE: home, XDG_DATA_HOME: path.join(home, 'data') }
  return runCli(words, { cwd: home, env })
}

async function put(name: string, text: string): Promise<string> {
  const file = path.join(home, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

test('an installed entry is shown, started, called, removed and restored', { timeout: 60_000 }, async () => {
  const workspace = path.join(home, 'my notes')
  await put(
    'my notes/tools/hello.ts',
    `import { tool } from 'patchbay'
export default tool({ description: 'Says hello.', annotations: { readOnlyHint: true }, run: () => 'hello' })\n`,
  )
  const before =
    '{\n  // my servers\n  "servers": {\n    "docs": { "type": "http", "url": "https://docs.example/mcp" },\n  },\n}\n'
  const file = await put('.config/Code/User/mcp.json', before)

  const installed = await run('mcp', 'install', 'vscode', workspace, '--trust')
  expect(installed).toMatchObject({ code: 0, stderr: '' })
  const { backup = '' } = JSON.parse(installed.stdout) as { backup?: string }
  expect(JSON.parse(installed.stdout)).toEqual({
    client: 'vscode',
    file,
    name: 'my-notes',
    change: 'added',
    backup,
  })
  expect(await readFile(backup, 'utf8')).toBe(before)
  expect((await stat(backup)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toBe(
    before.replace(
      '  },\n}',
      `    "my-notes": {
      "type": "stdio",
      "command": ${JSON.stringify(process.execPath)},
      "args": [
        ${JSON.stringify(patchbay)},
        "serve",
        ${JSON.stringify(workspace)},
        "--stdio",
        "--trust",
        "--profile",
        ${JSON.stringify(path.join(home, 'data', 'patchbay'))}
      ]
    },
  },
}`,
    ),
  )
  expect(JSON.parse((await run('mcp', 'install', 'vscode', workspace, '--trust')).stdout)).toMatchObject({
    change: 'none',
  })

  const states = JSON.parse((await run('mcp', 'status')).stdout) as { client: string; state: string }[]
  expect(states.filter(({ state }) => state !== 'absent')).toMatchObject([
    { client: 'vscode', state: 'ready', entries: [{ name: 'my-notes', state: 'current' }] },
  ])

  const tested = await run('mcp', 'test', 'vscode')
  expect({ ...tested, stdout: JSON.parse(tested.stdout || '{}') as unknown }).toMatchObject({
    code: 0,
    stdout: { ok: true, tools: ['hello'], called: 'hello' },
  })

  await rm(workspace, { recursive: true })
  const stale = await run('mcp', 'test', 'vscode')
  expect(stale.code).toBe(2)
  expect(stale.stderr).toContain(`is stale: the folder ${workspace} does not exist`)

  expect(await run('mcp', 'uninstall', 'vscode')).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toBe(before)
  const undone = await run('mcp', 'undo', 'vscode')
  expect(undone.code).toBe(0)
  expect(JSON.parse(undone.stdout)).toEqual({ client: 'vscode', file, change: 'restored' })
  expect(await readFile(file, 'utf8')).toContain('my-notes')
})

test('what the file of a project says is started only after a look', { timeout: 60_000 }, async () => {
  const ran = path.join(home, 'ran')
  await put(
    'work/tools/hello.ts',
    `import { tool } from 'patchbay'\nexport default tool({ run: () => 'hello' })\n`,
  )
  const installed = await run('mcp', 'install', 'cursor', 'work', '--trust', '--project', 'work')
  expect(installed).toMatchObject({ code: 0, stderr: '' })
  const file = path.join(home, 'work/.cursor/mcp.json')
  const preload = await put('work/preload.cjs', `require('fs').writeFileSync(${JSON.stringify(ran)}, '')\n`)
  const config = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: { work: { env?: object } } }
  config.mcpServers.work.env = { NODE_OPTIONS: `--require ${preload}` }
  await writeFile(file, JSON.stringify(config))

  for (const where of [
    ['--project', 'work'],
    ['--file', file],
  ]) {
    const refused = await run('mcp', 'test', 'cursor', ...where)
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain(`${path.join(home, 'work')} --stdio --trust`)
    expect(refused.stderr).toContain(`NODE_OPTIONS="--require ${preload}"`)
    expect(refused.stderr).toContain('say so with --approve')
    await expect(stat(ran)).rejects.toThrow('ENOENT')
  }

  const approved = await run('mcp', 'test', 'cursor', '--project', 'work', '--approve')
  expect(approved).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(approved.stdout)).toMatchObject({ ok: true, tools: ['hello'] })
  await stat(ran)
})

test(
  'on a machine that Patchbay is new to, its first workspace is installed',
  { timeout: 60_000 },
  async () => {
    await mkdir(path.join(home, '.cursor'))
    expect(JSON.parse((await run('mcp', 'install', 'cursor')).stdout)).toMatchObject({
      name: 'patchbay',
      change: 'added',
    })
    const trial = JSON.parse((await run('mcp', 'test', 'cursor')).stdout) as { tools: string[] }
    expect(trial).toMatchObject({ ok: true, tools: expect.arrayContaining(['create_note']) as string[] })
  },
)

/** Stores an approved server in the profile of the fixture. */
async function store(name: string, args: readonly string[]): Promise<void> {
  const files = profileFiles(path.join(home, 'data', 'patchbay'))
  const storedServers = new ServerStore({
    file: workspaceFile(files.defaultWorkspace),
    approvalsFile: files.approvals,
    secretStore: new PlainFileSecretStore(files.secrets, () => undefined),
    folder: files.defaultWorkspace,
    onSetAside: () => undefined,
  })
  const target = { transport: 'stdio' as const, command: process.execPath, args: [...args], env: [] }
  const id = await storedServers.add({ name, target }, 'user')
  await storedServers.approve(id, (await storedServers.get(id)).hash)
}

test(
  'a stored server is installed by its proxy, started and called as it is written',
  { timeout: 60_000 },
  async () => {
    await put('.gemini/settings.json', '{ "theme": "dark" }')
    const profile = path.join(home, 'data', 'patchbay')
    await store('My notes', [patchbay, 'serve', '--stdio'])
    const installed = await run('mcp', 'install', 'gemini', '--server', 'My notes', '--profile', profile)
    expect(installed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(installed.stdout)).toMatchObject({ name: 'My-notes', change: 'added' })
    const settings = path.join(home, '.gemini/settings.json')
    const config = JSON.parse(await readFile(settings, 'utf8')) as {
      mcpServers: Record<string, { args: string[] }>
    }
    const args = config.mcpServers['My-notes']?.args ?? []
    expect(args.slice(1, 5)).toEqual(['proxy', '--server', 'My notes', '--workspace'])
    expect(args[5]).toBe(profileFiles(profile).defaultWorkspace)
    // The folder of the client's project has no effect.
    await put('patchbay.json', '{ "serve": { "port": 47611 }, "faults": { "rules": [] } }')
    const started = await runCli(args.slice(1), { cwd: home, input: '' })
    expect(started.stderr).not.toContain('patchbay.json')

    const tested = await run('mcp', 'test', 'gemini')
    expect(tested).toMatchObject({ code: 0, stderr: '' })
    const trial = JSON.parse(tested.stdout) as { tools: string[]; ms: number }
    expect(trial).toMatchObject({ client: 'gemini', name: 'My-notes', ok: true })
    expect(trial.tools.length).toBeGreaterThan(2)

    await store('Broken', ['-e', 'process.exit(3)'])
    await run('mcp', 'install', 'gemini', '--server', 'Broken', '--profile', profile)
    const failed = await run('mcp', 'test', 'gemini', '--name', 'Broken')
    expect(failed.code).toBe(4)
    expect(JSON.parse(failed.stdout)).toMatchObject({
      ok: false,
      failure: expect.stringContaining('exited with code 3') as string,
    })
    expect(failed.stderr).toMatch(/failed after \d+ ms/)
  },
)

test.each([
  [['mcp', 'install', 'cursor', 'nowhere'], 'is not a workspace folder'],
  [['mcp', 'install', 'cursor', '.'], 'Nobody has trusted'],
  [['mcp', 'install', 'codex', '--server', 'nobody', '--create'], 'There is no server "nobody"'],
])('%j is refused with what is missing', async (words, message) => {
  const ended = await run(...words)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(message)
})

test('servers of other clients are stored unapproved, once', { timeout: 30_000 }, async () => {
  await put(
    '.codex/config.toml',
    '[mcp_servers.docs]\nurl = "https://docs.example/mcp"\nhttp_headers = { "X-Key" = "k" }\n',
  )
  await put(
    '.openclaw/openclaw.yaml',
    'mcp:\n  servers:\n    files:\n      command: npx\n      args: [-y, files]\n      env: { TOKEN: secret }\n',
  )
  await put(
    '.cursor/mcp.json',
    '{ "mcpServers": { "bad": { "args": [] }, "asked": { "command": "x", "args": ["${input:key}"] } } }',
  )
  const first = await run('import')
  expect(JSON.parse(first.stdout)).toMatchObject(
    [
      { client: 'cursor', added: ['asked'] },
      { client: 'codex', added: ['docs'] },
      { client: 'openclaw', added: ['files'] },
    ].map((each) => expect.objectContaining(each) as object),
  )
  expect(first.stderr).toContain('bad: It has neither a "command" nor a "url".')
  expect(first.stderr).toContain('asked: ${input:key} is filled in by Cursor alone')
  const refused = await run('ping', '--server', 'files')
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('was never approved')
  const again = JSON.parse((await run('import', 'openclaw')).stdout) as unknown
  expect(again).toMatchObject([{ client: 'openclaw', added: [], there: ['files'] }])
})

test('a workspace is tested without any client, in any folder', { timeout: 60_000 }, async () => {
  const HELLO = `import { tool } from 'patchbay'
export default tool({ description: 'Says hello.', annotations: { readOnlyHint: true }, run: () => 'hello' })\n`
  await put('mine/tools/hello.ts', HELLO)
  await put(
    'mine/prompts/ask.ts',
    "import { prompt } from 'patchbay'\nexport default prompt({ get: () => '' })\n",
  )
  const untrusted = await run('mcp', 'test', 'mine')
  expect(untrusted.code).not.toBe(0)
  expect(untrusted.stderr).toContain('add --trust')
  const tested = await run('mcp', 'test', 'mine', '--trust')
  expect({ ...tested, stdout: JSON.parse(tested.stdout || '{}') as unknown }).toMatchObject({
    code: 0,
    stderr: '',
    stdout: { name: 'mine', ok: true, tools: ['hello'], prompts: 1, called: 'hello', faults: [] },
  })
  // No file of a client was made.
  expect((await readdir(home)).filter((name) => name !== 'data')).toEqual(['mine'])
  await put('mine/tools/broken.ts', 'export default {')
  const broken = await run('mcp', 'test', './mine', '--trust')
  expect(broken).toMatchObject({ code: 5, stderr: expect.stringMatching(/error: tools\/broken\.ts:1/) })
  expect(JSON.parse(broken.stdout)).toMatchObject({ ok: false, tools: ['hello'] })
  expect(await run('mcp', 'test', 'nowhere')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('test expects a workspace folder or a client (claude-desktop'),
  })
})

test(
  'the present folder is tested if it is a workspace, else the usual one',
  { timeout: 60_000 },
  async () => {
    const usual = await run('mcp', 'test')
    expect(usual).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(usual.stdout)).toMatchObject({
      ok: true,
      tools: expect.arrayContaining(['create_note']),
    })
    await put('tools/here.ts', "import { tool } from 'patchbay'\nexport default tool({ run: () => '' })\n")
    expect(JSON.parse((await run('mcp', 'test', '--trust')).stdout)).toMatchObject({
      ok: true,
      tools: ['here'],
    })
  },
)

test('all flags that are missing are named at once', { timeout: 60_000 }, async () => {
  await put('untrusted/tools/hello.ts', '')
  const refused = await run('mcp', 'install', 'cursor', path.join(home, 'untrusted'))
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('--trust')
  expect(refused.stderr).toContain('--create')
  const both = await run('mcp', 'install', 'cursor', path.join(home, 'untrusted'), '--trust', '--create')
  expect(both).toMatchObject({ code: 0, stderr: '' })
})
