import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { readdir, readFile, readlink, writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startTestHost } from './host.test-support.ts'

/** The pids of this process and everything below it. */
function ourPids(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const below = (pid: number): number[] =>
    parents.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return [process.pid, ...below(process.pid)]
}

/** Addresses of all sockets that our processes have, as the kernel lists them: local and remote, in hex. */
async function ourSockets(): Promise<{ local: string; remote: string; state: string }[]> {
  const inodes = new Set<string>()
  for (const pid of ourPids()) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch((): string[] => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
      if (inode !== undefined) inodes.add(inode)
    }
  }
  const sockets = []
  for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const lines = (await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')).trim().split('\n').slice(1)
    for (const line of lines) {
      const fields = line.trim().split(/\s+/)
      if (inodes.has(fields[9] ?? ''))
        sockets.push({ local: fields[1] ?? '', remote: fields[2] ?? '', state: fields[3] ?? '' })
    }
  }
  return sockets
}

const LOOPBACK = /^(0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F):/
const NOBODY = /^0+:0000$/

it('a host that the user has connected nowhere opens no socket beyond loopback and starts no server', async () => {
  const before = new Set(ourPids())
  const test = await startTestHost()
  const everything = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  )
  const { drafts } = await test.client.servers.readPaste({
    text: JSON.stringify({
      mcpServers: {
        local: { command: process.execPath, args: [everything, 'stdio'] },
        remote: { url: 'http://192.0.2.1/mcp' },
        shell: { command: 'sh', args: ['-c', 'sleep 60'] },
      },
    }),
  })
  expect(drafts).toHaveLength(3)
  for (const draft of drafts) {
    const { id } = await test.client.servers.add({ draft, origin: 'imported' })
    await test.client.servers.approval({ id })
    await expect(test.client.servers.connect({ id })).rejects.toMatchObject({ code: 'NOT_APPROVED' })
    await expect(test.client.servers.restart({ id })).rejects.toMatchObject({ code: 'NOT_APPROVED' })
    await expect(test.client.servers.approve({ id, hash: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'APPROVAL_OUTDATED',
    })
  }
  const sockets = await ourSockets()
  // Other systems have no such tables to read.
  expect(sockets.some(({ state }) => state === '0A')).toBe(process.platform === 'linux')
  for (const { local, remote } of sockets) {
    expect(local).toMatch(LOOPBACK)
    expect(NOBODY.test(remote) || LOOPBACK.test(remote)).toBe(true)
  }
  // New are the process that runs the handlers of the embedded server, its guard, and `ps` itself.
  const names = ourPids()
    .filter((pid) => !before.has(pid))
    .map((pid) => commandOf(pid))
  const started = names.filter((name) => name !== '' && !name.startsWith('ps '))
  expect(started.filter((name) => !name.startsWith('/bin/sh -c'))).toEqual([
    expect.stringContaining('patchbay tool host'),
  ])
  expect(started.length).toBeLessThanOrEqual(2)
  await test.close()
})

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

it('starts with a corrupt settings file, keeps it aside and says so until that is dismissed', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-corrupt-'))
  await writeFile(path.join(profile, 'settings.json'), '{"version":1,"theme":')
  const test = await startTestHost({ profile })
  const { notices } = await test.client.app.info()
  expect(notices).toMatchObject([
    { tone: 'warning', title: 'settings.json could not be used and was set aside' },
  ])
  expect(await test.client.app.settings()).toEqual({ theme: 'system', layout: {} })
  const kept = (await readdir(profile)).find((name) => name.startsWith('settings.json.set-aside-')) ?? ''
  expect(await readFile(path.join(profile, kept), 'utf8')).toBe('{"version":1,"theme":')
  expect(notices[0]?.detail).toContain(kept)
  expect(await test.client.app.dismissNotice({ id: notices[0]?.id ?? '' })).toEqual({ dismissed: true })
  expect((await test.client.app.info()).notices).toEqual([])
  await test.close()
})

it('starts nothing from an entry that another program changed after it was approved', async () => {
  const test = await startTestHost()
  const mark = path.join(test.profile, 'ran')
  const { id } = await test.addApproved({
    name: 'changed',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', 'safe'], env: [] },
  })
  const file = path.join(test.profile, 'workspace', 'patchbay.json')
  const script = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x')`
  await writeFile(file, (await readFile(file, 'utf8')).replace('"safe"', JSON.stringify(script)))
  for (const start of [test.client.servers.connect, test.client.servers.restart]) {
    await expect(start({ id })).rejects.toMatchObject({
      code: 'NOT_APPROVED',
      message: expect.stringContaining('was changed after you approved it') as string,
    })
  }
  expect(await test.client.servers.list()).toMatchObject([
    {},
    { id, approval: 'changed', status: 'disconnected' },
  ])
  await test.close()
  expect(await readdir(test.profile)).not.toContain('ran')
})

it('ends every process that it started', async () => {
  const before = new Set(ourPids())
  const test = await startTestHost()
  const { id } = await test.addApproved({
    name: 'stays',
    target: {
      transport: 'stdio',
      command: process.execPath,
      args: ['-e', "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 60_000)"],
      env: [],
    },
  })
  const connecting = test.client.servers.connect({ id })
  await expect
    .poll(async () => (await test.client.servers.list()).find((each) => each.id === id)?.status)
    .toBe('connecting')
  await test.close()
  // A defunct process, or one in brackets without a command line, has ended but for its exit code.
  const left = ourPids().filter((pid) => !before.has(pid))
  expect(left.map(commandOf).filter((command) => !/^(ps |\[|$)|<defunct>$/.test(command))).toEqual([])
  expect(await connecting).toMatchObject({ status: 'disconnected' })
})
