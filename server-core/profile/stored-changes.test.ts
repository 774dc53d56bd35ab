import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { profileFiles, workspaceFile } from './profile-files.ts'
import { MemorySecretStore } from './secret-store.ts'
import { startTestHost, watchUntil } from '../host/host.test-support.ts'
import { ServerStore } from './server-store.ts'

const SERVER = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
    const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

it('the window sees what another process stores, approves and removes', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-profile-'))
  const test = await startTestHost({ profile })
  const files = profileFiles(profile)
  const other = new ServerStore({
    file: workspaceFile(files.defaultWorkspace),
    approvalsFile: files.approvals,
    secretStore: new MemorySecretStore(),
    folder: files.defaultWorkspace,
    onSetAside: 'leave',
  })
  const until = (stream: string, approval: string | undefined) =>
    watchUntil(
      test.client,
      ({ servers }) =>
        servers !== undefined && servers.find(({ name }) => name === 'stored')?.approval === approval,
      stream,
    )
  const target = {
    transport: 'stdio' as const,
    command: process.execPath,
    args: ['-e', SERVER],
    env: [],
  }
  const id = await other.add({ name: 'stored', target }, 'user')
  await until('added', 'needed')
  await other.approve(id, (await other.get(id)).hash)
  await until('approved', 'approved')

  const { pid = 0, status } = await test.client.servers.connect({ id })
  expect(status).toBe('connected')
  await other.remove(id)
  await until('removed', undefined)
  // Its process is ended with its connection.
  await expect.poll(() => isAlive(pid)).toBe(false)
  await test.close()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
