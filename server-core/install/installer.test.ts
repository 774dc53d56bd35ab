import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clientFile, type Surroundings } from './client-file.ts'
import { CLIENTS, clientOf, type ClientId } from './clients.ts'
import {
  entryToStart,
  fileState,
  installEntry,
  readEntries,
  undoInstall,
  uninstallEntry,
  type InstallOptions,
} from './installer.ts'
import { entryName, ourEntry, type Launcher } from './our-entry.ts'

let home = ''
let launcher: Launcher
let options: InstallOptions

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-install-'))
  const program = path.join(home, 'patchbay', 'dist', 'cli', 'patchbay.js')
  await mkdir(path.dirname(program), { recursive: true })
  await writeFile(program, '')
  await writeFile(path.join(home, 'patchbay', 'package.json'), '{ "version": "9.8.7" }')
  launcher = { command: process.execPath, program, env: {} }
  options = {
    name: 'notes',
    launcher,
    installed: { served: { type: 'workspace', folder: home } },
  }
})

afterEach(() => rm(home, { recursive: true, force: true }))

/** Where each client's file is on each system, in a home that has all of them. */
const PLACES: Readonly<Record<ClientId, Readonly<Record<'linux' | 'darwin' | 'win32', string>>>> = {
  'claude-desktop': {
    linux: '.config/Claude/claude_desktop_config.json',
    darwin: 'Library/Application Support/Claude/claude_desktop_config.json',
    win32: 'AppData/Roaming/Claude/claude_desktop_config.json',
  },
  'claude-code': { linux: '.claude.json', darwin: '.claude.json', win32: '.claude.json' },
  cursor: { linux: '.cursor/mcp.json', darwin: '.cursor/mcp.json', win32: '.cursor/mcp.json' },
  vscode: {
    linux: '.config/Code/User/mcp.json',
    darwin: 'Library/Application Support/Code/User/mcp.json',
    win32: 'AppData/Roaming/Code/User/mcp.json',
  },
  codex: { linux: '.codex/config.toml', darwin: '.codex/config.toml', win32: '.codex/config.toml' },
  gemini: { linux: '.gemini/settings.json', darwin: '.gemini/settings.json', win32: '.gemini/settings.json' },
  openclaw: {
    linux: '.openclaw/openclaw.json',
    darwin: '.openclaw/openclaw.json',
    win32: '.openclaw/openclaw.json',
  },
}

const FOREIGN: Readonly<Record<string, string>> = {
  '.json': '{\n\t// mine\n\t"theme": "dark",\n}\n',
  '.toml': 'model = "gpt" # mine\n\n[mcp_servers.docs]\nurl = "https://docs.example/mcp"\n',
}

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (platform) => {
  test.each(CLIENTS.map(({ id }) => id))('%s gets an entry, shows it, and loses it again', async (id) => {
    const file = path.join(home, PLACES[id][platform])
    const text = FOREIGN[path.extname(file)] ?? ''
    await put(file, text)
    const where = await clientFile(clientOf(id), { platform, env: {}, home })
    expect(where).toMatchObject({ file, isHere: true })

    const { change, backup = '' } = await installEntry(where, options)
    expect(change).toBe('added')
    expect(ourEntry((await readEntries(where))['notes'])).toMatchObject({
      command: process.execPath,
      args: [launcher.program, 'serve', home, '--stdio'],
    })
    expect(await readFile(backup, 'utf8')).toBe(text)
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
    expect(await fileState(where, launcher)).toMatchObject({
      state: 'ready',
      entries: [{ name: 'notes', state: 'current' }],
    })
    expect(await installEntry(where, options)).toMatchObject({ change: 'none' })

    await undoInstall(where)
    expect(await readFile(file, 'utf8')).toBe(text)
    await installEntry(where, options)
    await uninstallEntry(where, 'notes')
    expect(await fileState(where, launcher)).toEqual({ state: 'ready', entries: [] })
    expect((await readFile(file, 'utf8')).startsWith(text.slice(0, 20))).toBe(true)
  })

  test('a client that is not there is not made up', async () => {
    for (const client of CLIENTS) {
      const where = await clientFile(client, { platform, env: {}, home })
      expect(where).toMatchObject({ file: path.join(home, PLACES[client.id][platform]), isHere: false })
      expect(await fileState(where, launcher)).toEqual({ state: 'absent' })
      await expect(installEntry(where, options)).rejects.toMatchObject({ code: 'no-client' })
    }
    expect(await readdir(home)).toEqual(['patchbay'])
  })
})

test('variables move a client, and its file is made where it has none', async () => {
  const codex = path.join(home, 'elsewhere')
  const where = await clientFile(clientOf('codex'), { platform: 'linux', env: { CODEX_HOME: codex }, home })
  expect(where).toMatchObject({ file: path.join(codex, 'config.toml'), isHere: false })
  await installEntry(where, { ...options, create: true })
  expect(await readFile(where.file, 'utf8')).toMatch(/^\[mcp_servers\.notes\]\ncommand = /)
  expect((await stat(where.file)).mode & 0o777).toBe(0o600)
  await undoInstall(where)
  expect(await readdir(codex)).toEqual([])
})

test('places that the system names are taken, those of no use are not', async () => {
  const file = async (id: ClientId, surroundings: Omit<Surroundings, 'home'>) =>
    (await clientFile(clientOf(id), { ...surroundings, home })).file
  expect(await file('vscode', { platform: 'linux', env: { XDG_CONFIG_HOME: '/x' } })).toBe(
    '/x/Code/User/mcp.json',
  )
  expect(await file('vscode', { platform: 'linux', env: { XDG_CONFIG_HOME: 'x' } })).toBe(
    path.join(home, '.config/Code/User/mcp.json'),
  )
  expect(await file('vscode', { platform: 'win32', env: { APPDATA: '/roaming' } })).toBe(
    '/roaming/Code/User/mcp.json',
  )
  await mkdir(path.join(home, 'local/Packages/Claude_abc'), { recursive: true })
  expect(
    await file('claude-desktop', { platform: 'win32', env: { LOCALAPPDATA: path.join(home, 'local') } }),
  ).toBe(path.join(home, 'local/Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json'))
  await put(path.join(home, 'gateway.yaml'), 'port: 1\n')
  expect(await file('openclaw', { platform: 'linux', env: { OPENCLAW_CONFIG_PATH: '~/gateway.yaml' } })).toBe(
    path.join(home, 'gateway.yaml'),
  )
})

test('OpenClaw in YAML gets a block and keeps its comments', async () => {
  const file = path.join(home, '.openclaw/openclaw.yaml')
  const text =
    'gateway:\n  port: 18789 # local\nmcp:\n  servers:\n    docs:\n      url: https://docs.example/mcp\n'
  await put(file, text)
  const where = await clientFile(clientOf('openclaw'), { platform: 'linux', env: {}, home })
  await installEntry(where, options)
  expect(await readFile(file, 'utf8')).toBe(
    `${text.trimEnd()}\n    notes:\n      command: ${process.execPath}\n      args:\n        - ${launcher.program}\n        - serve\n        - ${home}\n        - --stdio\n`,
  )
  await uninstallEntry(where, 'notes')
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('files of projects are those of the folder', async () => {
  const surroundings: Surroundings = { platform: 'linux', env: {}, home }
  const project = { type: 'project', folder: home } as const
  const where = await clientFile(clientOf('vscode'), surroundings, project)
  await installEntry(where, options)
  expect(JSON.parse(await readFile(path.join(home, '.vscode/mcp.json'), 'utf8'))).toEqual({
    servers: {
      notes: {
        type: 'stdio',
        command: process.execPath,
        args: [launcher.program, 'serve', home, '--stdio'],
      },
    },
  })
  await expect(clientFile(clientOf('claude-desktop'), surroundings, project)).rejects.toMatchObject({
    code: 'no-client',
  })
})

describe('a file that is there', () => {
  const file = () => path.join(home, '.cursor', 'mcp.json')
  const cursor = () => clientFile(clientOf('cursor'), { platform: 'linux', env: {}, home })

  test('keeps its mode, and stays a symbolic link', async () => {
    const real = path.join(home, 'dotfiles', 'mcp.json')
    await put(real, '{ "mcpServers": {} }')
    await chmod(real, 0o640)
    await mkdir(path.dirname(file()))
    await symlink('../dotfiles/mcp.json', file())
    const { backup } = await installEntry(await cursor(), options)
    expect((await lstat(file())).isSymbolicLink()).toBe(true)
    expect((await stat(real)).mode & 0o777).toBe(0o640)
    expect(path.dirname(backup ?? '')).toBe(path.dirname(real))
    expect(await readEntries(await cursor())).toHaveProperty('notes')
  })

  test('that is broken is named with its place and never touched', async () => {
    const broken = '{\n  "mcpServers": {\n    "a": {,}\n  }\n}\n'
    await put(file(), broken)
    await expect(installEntry(await cursor(), options)).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringContaining(`${file()}:3:11: it is not JSON`) as string,
    })
    expect(await readFile(file(), 'utf8')).toBe(broken)
    expect(await readdir(path.dirname(file()))).toEqual(['mcp.json'])
    expect(await fileState(await cursor(), launcher)).toMatchObject({
      state: 'broken',
      problem: expect.stringContaining(':3:11') as string,
    })
    await writeFile(file(), Buffer.from([0xff, 0xfe, 0x7b, 0]))
    await expect(installEntry(await cursor(), options)).rejects.toMatchObject({ code: 'broken' })
  })

  test("leaves somebody else's server of the name, unless it is to be replaced", async () => {
    await put(file(), '{ "mcpServers": { "notes": { "url": "https://notes.example/" } } }')
    await expect(installEntry(await cursor(), options)).rejects.toMatchObject({ code: 'foreign' })
    await expect(uninstallEntry(await cursor(), 'notes')).rejects.toMatchObject({ code: 'foreign' })
    await expect(entryToStart(await cursor(), 'notes', launcher)).rejects.toMatchObject({ code: 'foreign' })
    expect(await fileState(await cursor(), launcher, 'notes')).toMatchObject({
      entries: [{ name: 'notes', state: 'foreign', summary: 'https://notes.example/' }],
    })
    expect(await installEntry(await cursor(), { ...options, replace: true })).toMatchObject({
      change: 'changed',
    })
    expect(await fileState(await cursor(), launcher)).toMatchObject({ entries: [{ state: 'current' }] })
  })

  test('keeps what somebody added to one of our entries', async () => {
    await put(file(), '{}')
    await installEntry(await cursor(), {
      ...options,
      launcher: { ...launcher, env: { ELECTRON_RUN_AS_NODE: '1' } },
    })
    const data = JSON.parse(await readFile(file(), 'utf8')) as { mcpServers: Record<string, object> }
    data.mcpServers['notes'] = { ...data.mcpServers['notes'], env: { TZ: 'UTC' }, timeout: 5 }
    await writeFile(file(), JSON.stringify(data))
    const other = { ...launcher, env: { ELECTRON_RUN_AS_NODE: '1' } }
    await installEntry(await cursor(), { ...options, launcher: other })
    expect((await readEntries(await cursor()))['notes']).toMatchObject({
      env: { TZ: 'UTC', ELECTRON_RUN_AS_NODE: '1' },
      timeout: 5,
    })
  })

  test('is not restored when somebody changed it since', async () => {
    await put(file(), '{ "mcpServers": {} }')
    await installEntry(await cursor(), options)
    await writeFile(file(), '{ "mcpServers": {}, "mine": 1 }')
    await expect(undoInstall(await cursor())).rejects.toMatchObject({ code: 'no-undo' })
    expect(await readFile(file(), 'utf8')).toBe('{ "mcpServers": {}, "mine": 1 }')
  })

  test('an entry says why it is stale', async () => {
    await put(file(), '{}')
    await installEntry(await cursor(), options)
    const newer = path.join(home, 'newer', 'dist', 'cli', 'patchbay.js')
    await put(newer, '')
    const reasons = async (now: Launcher) => {
      const state = await fileState(await cursor(), now)
      return state.state === 'ready' ? state.entries.map(({ reason }) => reason) : []
    }
    expect(await reasons({ ...launcher, program: newer })).toEqual([
      `it starts another Patchbay, version 9.8.7, ${launcher.program}`,
    ])
    await expect(
      entryToStart(await cursor(), 'notes', { ...launcher, program: newer }),
    ).rejects.toMatchObject({ code: 'no-target' })
    const old = { command: process.execPath, args: [launcher.program, 'proxy', '--server', 'a', '--stdio'] }
    await writeFile(file(), JSON.stringify({ mcpServers: { notes: old } }))
    expect(await reasons(launcher)).toEqual([
      'it names no workspace, so it reads options of the folder that it is started in',
    ])
    await installEntry(await cursor(), options)
    await rm(launcher.program)
    expect(await reasons(launcher)).toEqual([`${launcher.program} does not exist`])
    expect(
      await installEntry(await cursor(), { ...options, launcher: { ...launcher, program: newer } }),
    ).toMatchObject({
      change: 'changed',
    })
  })
})

test.each([
  ['my notes', 'my-notes'],
  ['Übung/2', 'bung-2'],
  ['***', 'patchbay'],
])('the name of an entry is made of %s', (text, name) => {
  expect(entryName(text)).toBe(name)
})

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
