import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTo } from '../../client/connect-to.ts'
import { ServerStore } from '../../profile/server-store.ts'
import { profileFiles, workspaceFile } from '../../profile/profile-files.ts'
import { PlainFileSecretStore } from '../../profile/secret-files.ts'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'

let folder = ''
const closing: (() => Promise<unknown>)[] = []

beforeAll(buildCli, 60_000)

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-proxy-'))
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

const NOTES = [process.execPath, patchbay, 'serve', '--stdio']

/** A client whose server is `patchbay proxy` over stdio. */
async function proxied(words: readonly string[]) {
  const connection = await connectTo(
    {
      transport: 'stdio',
      command: process.execPath,
      args: [patchbay, 'proxy', '--stdio', ...words],
      env: {},
      cwd: folder,
    },
    { identity: { name: 'in front', version: '1' } },
  )
  closing.push(() => connection.close())
  return connection
}

test('a command is served on as it is', async () => {
  const connection = await proxied(['--log-level', 'debug', '--', ...NOTES])
  expect(connection.serverInfo).toMatchObject({ name: 'notes' })
  const { items } = await connection.listTools()
  expect(items.map(({ name }) => name)).toContain('list_notes')
  const { result } = await connection.request('tools/call', { name: 'list_notes', arguments: {} })
  expect(result['structuredContent']).toMatchObject({ notes: expect.any(Array) as unknown })
  await connection.close()
  const { stderr = '' } = connection.evidence()
  expect(stderr).toMatch(/behind 1: .*tools\/call/)
  expect(stderr).not.toMatch(/error/i)
})

test('stored servers are served as one, as patchbay.json says', async () => {
  const files = profileFiles(folder)
  const storedServers = new ServerStore({
    file: workspaceFile(files.defaultWorkspace),
    approvalsFile: files.approvals,
    secretStore: new PlainFileSecretStore(files.secrets, () => undefined),
    folder: files.defaultWorkspace,
    onSetAside: () => undefined,
  })
  const [command = '', ...args] = NOTES
  for (const name of ['my notes', 'other']) {
    const target = { transport: 'stdio' as const, command, args, env: [] }
    const id = await storedServers.add({ name, target }, 'user')
    await storedServers.approve(id, (await storedServers.get(id)).hash)
  }
  const both = await proxied(['--server', 'my notes', '--server', 'other', '--profile', folder])
  const names = (await both.listTools()).items.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['my-notes__list_notes', 'other__list_notes']))
  await both.close()

  const servers = {
    mine: { server: 'my notes', only: ['list_*'], rename: { list_notes: 'all' } },
    // The names of these members in files of version 0.1.0.
    former: { server: 'other', include: ['list_*', 'add_*'], exclude: ['add_*'] },
  }
  await writeFile(path.join(folder, 'patchbay.json'), JSON.stringify({ proxy: { servers, pageItems: 5 } }))
  const chosen = await proxied(['--profile', folder, '--trust'])
  expect((await chosen.listTools()).items.map(({ name }) => name)).toEqual([
    'mine__all',
    'former__list_notes',
  ])
})

test('a file that switches the server off is an error', async () => {
  await writeFile(path.join(folder, 'patchbay.json'), '{"serve":{"enabled":false}}')
  const words = ['proxy', '--stdio', '--workspace', folder, '--', process.execPath, '-e', '']
  const off = await runCli(words, { cwd: folder })
  expect(off).toMatchObject({ code: 2, stdout: '' })
  expect(off.stderr).toContain('switches the server off: remove "enabled": false')
})

test('what cannot be served on is refused in words', async () => {
  const nothing = await runCli(['proxy', '--stdio'], { cwd: folder })
  expect(nothing).toMatchObject({ code: 2, stdout: '' })
  expect(nothing.stderr).toContain('name a server: --url URL, --server NAME, or -- COMMAND at the end')

  await writeFile(path.join(folder, 'patchbay.json'), '{"proxy":{"servers":{"a__b":{"tools":1}}}}')
  const odd = await runCli(['proxy', '--stdio', '--trust'], { cwd: folder })
  expect(odd.code).toBe(2)
  expect(odd.stderr).toContain('proxy.servers.a__b')
})

test('a client gets why the server is not there', async () => {
  const gone = proxied(['--', process.execPath, '-e', 'console.error("out of paper"); process.exit(3)'])
  await expect(gone).rejects.toThrow('The server behind the proxy is not there')
})

test('a client that sends nothing and hangs up ends the proxy', async () => {
  const ended = await runCli(['proxy', '--stdio', '--', ...NOTES], { cwd: folder, input: '' })
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
})
