import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestHost, type TestHost } from '../host.test-support.ts'

let test: TestHost
let folder: string
beforeEach(async () => {
  test = await startTestHost()
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-turns-'))
})
afterEach(() => test.close())

/** A server that never answers and stays until it is signalled. It notes its pid and how many of its kind live. */
const SILENT = `
  const fs = require('node:fs')
  const file = process.argv[1] + '/started'
  const isAlive = (pid) => { try { return process.kill(Number(pid), 0) } catch { return false } }
  const others = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\\n').filter(Boolean) : []
  const living = others.filter((line) => isAlive(line.split(' ')[0])).length
  fs.appendFileSync(file, process.pid + ' ' + living + '\\n')
  setInterval(() => undefined, 60_000)`

async function addSilent(): Promise<string> {
  const { id } = await test.addApproved({
    name: 'silent',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', SILENT, folder], env: [] },
  })
  return id
}

/** Processes of the silent server. */
function running(): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.endsWith(folder))
}

/** For each process that was started: how many others lived then. */
async function started(): Promise<number[]> {
  const file = path.join(folder, 'started')
  if (!existsSync(file)) return []
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => Number(line.split(' ')[1]))
}

async function statusOf(id: string): Promise<string | undefined> {
  return (await test.client.servers.list()).find((each) => each.id === id)?.status
}

it('removing a server in the moment it is connected leaves no process behind', async () => {
  const id = await addSilent()
  const connecting = test.client.servers.connect({ id })
  await test.client.servers.remove({ id })
  expect(running()).toEqual([])
  expect(await connecting).toMatchObject({ status: 'disconnected' })
  await expect(test.client.servers.connect({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('connects a server again that was removed and restored', async () => {
  const id = await addSilent()
  await test.client.servers.remove({ id })
  await test.client.servers.restore({ id })
  const connecting = test.client.servers.connect({ id })
  await expect.poll(() => statusOf(id)).toBe('connecting')
  await test.client.servers.disconnect({ id })
  expect(await connecting).toMatchObject({ status: 'disconnected' })
})

it('disconnecting in the moment it is connected is what counts', async () => {
  const id = await addSilent()
  const connecting = test.client.servers.connect({ id })
  expect(await test.client.servers.disconnect({ id })).toMatchObject({ status: 'disconnected' })
  expect(await connecting).toMatchObject({ status: 'disconnected' })
  expect(running()).toEqual([])
})

it('however often it is connected and restarted, one process runs at a time, and none after disconnecting', async () => {
  const id = await addSilent()
  const connecting = test.client.servers.connect({ id })
  await expect.poll(started).toEqual([0])
  const more = [
    test.client.servers.restart({ id }),
    test.client.servers.connect({ id }),
    test.client.servers.connect({ id }),
  ]
  await expect.poll(started).toEqual([0, 0])
  expect(running()).toHaveLength(1)
  await test.client.servers.disconnect({ id })
  expect(running()).toEqual([])
  await Promise.all([connecting, ...more])
  expect(await statusOf(id)).toBe('disconnected')
})

it('a change of what is run ends the attempt to connect to what it was', async () => {
  const id = await addSilent()
  const connecting = test.client.servers.connect({ id })
  await test.client.servers.update({
    id,
    draft: {
      name: 'other',
      target: { transport: 'stdio', command: process.execPath, args: ['-e', '0'], env: [] },
    },
  })
  expect(running()).toEqual([])
  expect(await connecting).toMatchObject({ status: 'disconnected' })
  expect((await test.client.servers.list()).find((each) => each.id === id)).toMatchObject({
    name: 'other',
    approval: 'changed',
    status: 'disconnected',
  })
})

it('nothing is connected any more once the host is closed', async () => {
  const id = await addSilent()
  // The host may be closed before or after the call has reached it.
  const connecting = test.client.servers
    .connect({ id })
    .then(({ status }) => status)
    .catch((error: unknown) => (error as { code: string }).code)
  await test.close()
  expect(running()).toEqual([])
  expect(['disconnected', 'NOT_CONNECTED']).toContain(await connecting)
  for (const start of [test.client.servers.connect, test.client.servers.restart]) {
    await expect(start({ id })).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
  }
  expect(running()).toEqual([])
})
