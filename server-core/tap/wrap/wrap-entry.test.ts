import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientFile, type ClientFile } from '../../install/client-file.ts'
import { CLIENTS, clientOf } from '../../install/clients.ts'
import { editing } from '../../install/entry-editing.ts'
import { configs, jsonText, manners } from '../../install/formats/config-text-arbitrary.test-support.ts'
import type { Launcher } from '../../install/our-entry.ts'
import { replacedText, unwrapText } from './wrap-text.ts'
import { unwrapEntry, wrapEntry, wrapStates } from './wrap-entry.ts'
import { WrapStore } from './wrap-store.ts'
import { isStdioEntry, startsTap, wrappedEntry } from './wrapped-entry.ts'

let home = ''
let launcher: Launcher
let store: WrapStore

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-wrap-'))
  const program = path.join(home, 'patchbay.js')
  await writeFile(program, '')
  launcher = { command: process.execPath, program, env: {} }
  store = new WrapStore(path.join(home, 'profile', 'taps.json'), 'leave')
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** Files as people write them, by client: with comments, odd layouts and other entries. */
const TEXTS: Readonly<Record<string, string>> = {
  'claude-desktop': `{\r\n  "mcpServers" : { "notes": {"command":"npx",   "args":["-y","notes-server"], "env":{"NOTES_TOKEN":"s3cr3t"} },\r\n\t"other": { "command": "node" } },\r\n  "theme":"dark"\r\n}`,
  'claude-code': `{"numStartups":41,"mcpServers":{"notes":{"type":"stdio","command":"node","args":[]}},"projects":{}}\n`,
  cursor: `{\n  "mcpServers": {\n    "notes": {\n      "command": "uvx",\n      "args": [ "notes" ]\n    }\n  }\n}\n`,
  vscode: `{\n\t// servers of mine\n\t"servers": {\n\t\t"notes": { /* typed */ "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/n.js"], },\n\t},\n\t"inputs": [],\n}\n`,
  codex: `model = "o5"\n\n[mcp_servers.notes]  # mine\ncommand = "npx"\nargs = ["-y", 'notes-server']\nenv = { A = "1" }\n\n[mcp_servers.other]\ncommand = "x"\n`,
  gemini: `{"mcpServers":{"notes":{"command":"deno","args":["run","-A","notes.ts"],"timeout":3000,"trust":false}}}`,
  openclaw: `{\n  // JSON5\n  mcp: { servers: { notes: { command: 'npx', args: ['-y', 'notes'], }, }, },\n}\n`,
}

async function fixture(id: string): Promise<{ readonly where: ClientFile; readonly text: string }> {
  const client = CLIENTS.find((each) => each.id === id)
  if (client === undefined) throw new Error(id)
  const surroundings = { platform: 'linux', env: {}, home } as const
  const found = await clientFile(client, surroundings)
  const text = TEXTS[id] ?? ''
  await mkdir(path.dirname(found.file), { recursive: true })
  await writeFile(found.file, text)
  await chmod(found.file, 0o640)
  return { where: await clientFile(client, surroundings), text }
}

test.each(CLIENTS.map(({ id }) => id))('wraps one entry of %s and restores every byte', async (id) => {
  const { where, text } = await fixture(id)
  const { wrapped } = await wrapEntry(where, store, { name: 'notes', launcher })
  const after = await readFile(where.file, 'utf8')
  expect(after).not.toBe(text)
  expect(startsTap(wrapped)).toBe(true)
  expect(wrapped['args']).toEqual(
    expect.arrayContaining([launcher.program, 'tap', '--client', where.client.title, '--']),
  )
  expect(await wrapStates(where, store)).toContainEqual(
    expect.objectContaining({ name: 'notes', state: 'wrapped' }),
  )
  await expect(wrapEntry(where, store, { name: 'notes', launcher })).rejects.toMatchObject({
    code: 'wrapped',
  })
  expect(await unwrapEntry(where, store, 'notes')).toBe('restored')
  expect(await readFile(where.file, 'utf8')).toBe(text)
  expect((await stat(where.file)).mode & 0o777).toBe(0o640)
  expect((await stat(path.join(home, 'profile', 'taps.json'))).mode & 0o777).toBe(0o600)
  await expect(unwrapEntry(where, store, 'notes')).rejects.toMatchObject({ code: 'not-wrapped' })
})

test('restores the bytes of an entry when the rest of the file was changed', async () => {
  const { where, text } = await fixture('claude-desktop')
  await wrapEntry(where, store, { name: 'notes', launcher })
  await wrapEntry(where, store, { name: 'other', launcher })
  const edited = (await readFile(where.file, 'utf8')).replace('"theme":"dark"', '"theme":"light", "x": 1')
  await writeFile(where.file, edited)
  expect(await unwrapEntry(where, store, 'notes')).toBe('restored')
  expect(await unwrapEntry(where, store, 'other')).toBe('restored')
  expect(await readFile(where.file, 'utf8')).toBe(text.replace('"theme":"dark"', '"theme":"light", "x": 1'))
})

test('leaves an entry that somebody changed, and says what differs without the values of secrets', async () => {
  const { where } = await fixture('claude-desktop')
  await wrapEntry(where, store, { name: 'notes', launcher })
  const edited = (await readFile(where.file, 'utf8'))
    .replace('notes-server', 'notes-server@2')
    .replace('s3cr3t', 'n3w')
  await writeFile(where.file, edited)
  const failure = await unwrapEntry(where, store, 'notes').catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'changed' })
  expect(String(failure)).toMatch(/"notes-server" → "notes-server@2"|notes-server@2/)
  expect(String(failure)).not.toMatch(/n3w|s3cr3t/)
  expect(await readFile(where.file, 'utf8')).toBe(edited)
  const [state] = await wrapStates(where, store)
  expect(state).toMatchObject({ name: 'notes', state: 'changed' })
})

test('restores values when the client laid its file out again, and forgets entries that were removed', async () => {
  const { where, text } = await fixture('cursor')
  await wrapEntry(where, store, { name: 'notes', launcher })
  const value: unknown = JSON.parse(await readFile(where.file, 'utf8'))
  await writeFile(where.file, JSON.stringify(value))
  expect(await unwrapEntry(where, store, 'notes')).toBe('restored-values')
  expect(JSON.parse(await readFile(where.file, 'utf8'))).toEqual(JSON.parse(text))

  await wrapEntry(where, store, { name: 'notes', launcher })
  await writeFile(where.file, '{}')
  expect(await wrapStates(where, store)).toEqual([expect.objectContaining({ name: 'notes', state: 'gone' })])
  expect(await unwrapEntry(where, store, 'notes')).toBe('gone')
  expect(await readFile(where.file, 'utf8')).toBe('{}')
})

test('refuses entries without a command, entries that do not exist and files that cannot be read', async () => {
  const { where } = await fixture('cursor')
  await writeFile(where.file, '{"mcpServers":{"web":{"url":"https://example.com/mcp"}}}')
  await expect(wrapEntry(where, store, { name: 'web', launcher })).rejects.toMatchObject({
    code: 'not-stdio',
  })
  await expect(wrapEntry(where, store, { name: 'x', launcher })).rejects.toMatchObject({ code: 'no-entry' })
  await writeFile(where.file, '{"mcpServers":')
  await expect(wrapEntry(where, store, { name: 'x', launcher })).rejects.toMatchObject({ code: 'broken' })
  expect(await store.list()).toEqual([])
  const missing = { ...launcher, program: path.join(home, 'missing.js') }
  await expect(wrapEntry(where, store, { name: 'x', launcher: missing })).rejects.toMatchObject({
    code: 'not-built',
  })
})

test('a variable that only our own start needs does not reach the server', () => {
  const app = { command: '/app/patchbay', program: '/app/patchbay.js', env: { ELECTRON_RUN_AS_NODE: '1' } }
  const entry = { command: 'npx', env: { A: '1' } }
  expect(isStdioEntry(entry) && wrappedEntry(entry, app, { client: 'C', server: 'S' })).toEqual({
    command: '/app/patchbay',
    args: [
      '/app/patchbay.js',
      'tap',
      '--client',
      'C',
      '--name',
      'S',
      '--without',
      'ELECTRON_RUN_AS_NODE',
      '--',
      'npx',
    ],
    env: { A: '1', ELECTRON_RUN_AS_NODE: '1' },
  })
})

test('1,000 rounds of wrapping and unwrapping on files of any layout give the text back, also with an edit between', async () => {
  const tools = await editing(clientOf('vscode'), 'mcp.json')
  const serversPath = ['servers']
  fc.assert(
    fc.property(
      configs(serversPath),
      manners,
      fc.constantFrom('', ' ', '\n// end\n'),
      ({ value }, manner, edit) => {
        const servers = value['servers']
        const others = typeof servers === 'object' && servers !== null ? servers : {}
        const entry = { command: 'npx', args: ['-y', 'notes'], env: { T: 'x' } }
        const text = jsonText({ ...value, servers: { ...others, notes: entry } }, manner)
        const place = { path: serversPath, name: 'notes' }
        const wrapped = wrappedEntry(entry, launcher, { client: 'VS Code', server: 'notes' })
        const after = tools.change(text, place, wrapped)
        const wrap = { original: entry, wrapped, replaced: replacedText(text, after) }
        expect(unwrapText(tools, after + edit, place, wrap)).toEqual({
          type: 'restored',
          text: text + edit,
          isExact: true,
        })
      },
    ),
    { numRuns: 1_000 },
  )
})
