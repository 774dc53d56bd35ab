import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootName, identityOf, listProcesses } from './process-table.ts'
import { reapLeftovers } from './reaper.ts'
import { alive } from './testing/alive.test-support.ts'
import { ALL_KINDS } from './testing/stubborn.test-support.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-killed-host-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Started = {
  readonly host: ChildProcess
  readonly pids: number[]
  readonly guards: number[]
  readonly journals: string
}

async function startHost(name: string, words: readonly string[]): Promise<Started> {
  const journals = path.join(folder, name)
  const file = path.join(import.meta.dirname, 'testing', 'host-to-kill.test-support.ts')
  const host = fork(file, [journals, ...words], { execArgv: [] })
  const [pids] = (await once(host, 'message')) as [number[]]
  const children = (await listProcesses()).filter(({ parent }) => parent === host.pid)
  const guards = children.flatMap(({ pid }) => (pid === pids[0] ? [] : [pid]))
  expect(guards).toHaveLength(1)
  return { host, pids, guards, journals }
}

async function kill(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL')
  await once(host, 'exit')
}

it('leaves nothing of its servers: their guards end them, then themselves', async () => {
  const { host, pids, guards } = await startHost('guarded', [...ALL_KINDS, 'stubborn'])
  expect(await alive(pids)).toEqual(pids)
  await kill(host)
  await expect.poll(() => alive([...pids, ...guards]), { interval: 100 }).toEqual([])
})

it('is called off, guard and journal, once a server was closed by us', async () => {
  const { host, pids, guards, journals } = await startHost('closed', ['child', 'orphan'])
  expect(await readdir(journals)).toHaveLength(1)
  host.send('close')
  await once(host, 'exit')
  expect(await alive([...pids, ...guards])).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('leaves what its next start ends, should the guards have been killed too', async () => {
  const { host, pids, guards, journals } = await startHost('reaped', ['child', 'orphan', 'stubborn'])
  // A host that lives keeps what is its own.
  expect(await reapLeftovers(journals)).toEqual([])
  expect(await alive(pids)).toEqual(pids)
  for (const guard of guards) process.kill(guard, 'SIGKILL')
  await kill(host)
  expect(await alive(pids)).toEqual(pids)
  const [reaped] = await reapLeftovers(journals)
  expect(reaped?.commands).toEqual([process.execPath])
  // Those that were asked to have children of their own.
  expect(reaped?.count).toBeGreaterThanOrEqual(pids.length)
  expect(await alive(pids)).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('never ends a process that has the pid of one that was written down, and passes over what was cut off', async () => {
  const { host, pids, journals } = await startHost('reused', ['child'])
  const [server = 0] = pids
  const mine = await identityOf(server)
  if (mine === undefined) throw new Error('expected the server to live')
  const other = path.join(folder, 'reused-journal')
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`
  const head = {
    run: 'f0b7c1de-0000-4000-8000-000000000000',
    boot: bootName(),
    host: { ...mine, startedAt: 1 },
  }
  const started = { started: { ...mine, startedAt: mine.startedAt - 1 }, command: 'a server of long ago' }
  await mkdir(other)
  for (const [name, text] of [
    ['reused.jsonl', line(head) + line(started) + '{"started":{"pi'],
    ['other-boot.jsonl', line({ ...head, boot: 'another' }) + line({ started: mine, command: 'x' })],
    ['ended.jsonl', line(head) + line({ started: mine, command: 'x' }) + line({ ended: mine })],
    ['empty.jsonl', ''],
    ['torn.jsonl', '{"run":"f0b'],
  ] as const)
    await writeFile(path.join(other, name), text)
  expect(await reapLeftovers(other)).toEqual([])
  expect(await alive(pids)).toEqual(pids)
  expect(await readdir(other)).toEqual([])
  expect(await readFile(path.join(journals, (await readdir(journals))[0] ?? ''), 'utf8')).toContain(
    `"pid":${server}`,
  )
  host.send('close')
  await once(host, 'exit')
})
