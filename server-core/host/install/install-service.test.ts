import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestHost, type TestHost } from '../host.test-support.ts'

let home = ''
let host: TestHost

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'patchbay-clients-')))
  host = await startTestHost({ surroundings: { platform: 'darwin', env: {}, home } })
})

afterEach(async () => {
  await host.close()
  await rm(home, { recursive: true, force: true })
})

test('the window installs, shows, tries and takes back, and imports what others have', async () => {
  const { client } = host
  const file = await put(
    'Library/Application Support/Claude/claude_desktop_config.json',
    '{ "mcpServers": { "docs": { "command": "npx", "args": ["docs"], "env": { "TOKEN": "t" } } } }',
  )
  const server = await host.addApproved({
    name: 'Echo server',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', 'process.exit(7)'], env: [] },
  })
  const states = await client.install.clients()
  expect(states.filter(({ state }) => state === 'ready').map(({ id }) => id)).toEqual(['claude-desktop'])

  const change = await client.install.install({ client: 'claude-desktop', server: server.id })
  expect(change).toMatchObject({ file, name: 'Echo-server', change: 'added' })
  expect((await client.install.clients())[0]).toMatchObject({
    entries: [{ name: 'Echo-server', state: 'current' }],
  })
  const trial = await client.install.test({ client: 'claude-desktop', name: 'Echo-server' })
  expect(trial).toMatchObject({ ok: false, failure: expect.stringContaining('exited with code 7') as string })
  await expect(client.install.test({ client: 'claude-desktop', name: 'docs' })).rejects.toThrow(
    'not written by Patchbay',
  )

  expect(await client.install.importable()).toMatchObject([
    { id: 'claude-desktop', servers: [{ name: 'docs', isThere: false }] },
  ])
  const both = { client: 'claude-desktop' as const, names: ['docs', 'Echo-server'] }
  expect(await client.install.import(both)).toEqual({ added: ['docs'] })
  expect(await client.install.import(both)).toEqual({ added: [] })
  const docs = (await client.servers.list()).find(({ name }) => name === 'docs')
  expect(docs).toMatchObject({ origin: 'imported', approval: 'needed', status: 'disconnected' })

  const before = await readFile(change.backup ?? '', 'utf8')
  await client.install.undo({ client: 'claude-desktop' })
  expect(await readFile(file, 'utf8')).toBe(before)
  await expect(client.install.uninstall({ client: 'cursor', name: 'x' })).rejects.toThrow('has no server "x"')
})

async function put(name: string, text: string): Promise<string> {
  const file = path.join(home, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
