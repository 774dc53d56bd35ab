import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Batch } from '../contract/events.ts'
import type { RunView } from '../contract/conformance.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  for (const each of hosts.splice(0)) await each.close()
})

const SERVER = path.join(import.meta.dirname, 'faulty-server.test-support.ts')
const CELL = { revision: '2025-11-25', transport: 'stdio' } as const
const UNKNOWN_METHOD = { ...CELL, id: 'jsonrpc.unknown-method.server' }

type Faulty = {
  readonly test: TestHost
  readonly serverId: string
  readonly fault: string
  /** The tools that were called. */
  readonly calls: () => Promise<string[]>
}

/** A host with an approved server that has a fault until its file is removed. */
async function startFaulty(): Promise<Faulty> {
  const test = await startTestHost()
  hosts.push(test)
  const calls = path.join(test.profile, 'calls.txt')
  const fault = path.join(test.profile, 'fault.txt')
  await writeFile(calls, '')
  await writeFile(fault, '')
  const { id } = await test.addApproved({
    name: 'faulty',
    target: { transport: 'stdio', command: process.execPath, args: [SERVER, calls, fault], env: [] },
  })
  return {
    test,
    serverId: id,
    fault,
    calls: async () => (await readFile(calls, 'utf8')).split('\n').filter((line) => line !== ''),
  }
}

const isOver = ({ conformance }: Batch): boolean =>
  conformance?.run !== undefined && !['starting', 'running'].includes(conformance.run.phase)

/** Waits for the end of the run and returns what pages saw of it. */
async function runOf(test: TestHost, stream: string): Promise<readonly RunView[]> {
  const batches = await watchUntil(test.client, isOver, stream)
  return batches.flatMap(({ conformance }) => (conformance?.run === undefined ? [] : [conformance.run]))
}

const none = { type: 'none' } as const

it('examines a server without calling a tool, shows its fault, and finds it repaired', async () => {
  const { test, serverId, fault, calls } = await startFaulty()
  const { conformance } = test.client
  const { number } = await conformance.start({
    serverId,
    revisions: [CELL.revision],
    permission: none,
    grep: 'jsonrpc.unknown',
    seed: 7,
  })
  const seen = await runOf(test, 'first')
  const ended = seen.at(-1)
  expect(number).toBe(1)
  expect(ended).toMatchObject({
    phase: 'ended',
    verdict: 'failed',
    seed: 7,
    peer: { name: 'faulty', version: '1.2.3' },
  })
  expect(
    seen.some(
      ({ phase, counts }) => phase === 'running' && (counts['queued'] ?? 0) + (counts['running'] ?? 0) > 0,
    ),
  ).toBe(true)
  expect(await calls()).toEqual([])

  const place = { serverId, number, ...UNKNOWN_METHOD }
  const detail = await conformance.check(place)
  expect(detail).toMatchObject({ status: 'failed', history: [{ number: 1, status: 'failed' }] })
  expect(detail.findings[0]?.actual).toContain('-32000')
  expect(detail.frames.map(({ from }) => from)).toContain('server')
  expect(detail.clauses[0]?.url).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\//)
  expect(detail.repeat).toContain('check --grep jsonrpc.unknown-method.server --revision 2025-11-25')
  expect(detail.repeat).toContain('--server faulty')

  await conformance.expectFailure({ ...place, expected: true })
  const rows = await conformance.checks({ serverId, number, ...CELL })
  expect(rows.find(({ id }) => id === UNKNOWN_METHOD.id)).toMatchObject({ baseline: 'known' })
  expect((await conformance.run({ serverId, number })).expected).toBe(1)
  const { text } = await conformance.report({ serverId, number, format: 'junit' })
  expect(text).toContain('<testsuite')

  await rm(fault)
  const again = await conformance.start({ serverId, permission: none, again: { type: 'failed' } })
  const repaired = (await runOf(test, 'again')).at(-1)
  expect(again.number).toBe(2)
  expect(repaired).toMatchObject({ phase: 'ended', newFailures: 0 })
  expect(repaired?.repeated).toBe(1)
  const fixed = (await conformance.checks({ serverId, number: 2, ...CELL })).find(
    ({ id }) => id === UNKNOWN_METHOD.id,
  )
  expect(fixed).toMatchObject({ status: 'passed', before: 'failed', baseline: 'fixed' })
  const { runs } = await conformance.runs({ serverId })
  expect(runs.map((run) => run.number)).toEqual([2, 1])
}, 60_000)

it('calls what is permitted alone, and remembers it until the command changes', async () => {
  const { test, serverId, calls } = await startFaulty()
  const { conformance } = test.client
  expect((await conformance.runs({ serverId })).permission).toBeUndefined()
  await conformance.start({
    serverId,
    revisions: [CELL.revision],
    permission: { type: 'readOnly' },
    grep: 'tools.server',
  })
  await runOf(test, 'read-only')
  expect(new Set(await calls())).toEqual(new Set(['look']))
  expect((await conformance.runs({ serverId })).permission).toEqual({ type: 'readOnly' })
  const { target } = await test.client.servers.draft({ id: serverId })
  if (target.transport !== 'stdio') throw new Error('expected a command')
  await test.client.servers.update({
    id: serverId,
    draft: { name: 'faulty', target: { ...target, args: [SERVER] } },
  })
  const { hash } = await test.client.servers.approval({ id: serverId })
  await test.client.servers.approve({ id: serverId, hash })
  expect((await conformance.runs({ serverId })).permission).toBeUndefined()
}, 60_000)

it('cancels a run, and refuses a second one while one is under way', async () => {
  const { test, serverId } = await startFaulty()
  const { conformance } = test.client
  await conformance.start({ serverId, permission: none })
  await expect(conformance.start({ serverId, permission: none })).rejects.toThrow('Cancel them first')
  expect(await conformance.cancel()).toEqual({ cancelled: true })
  expect((await runOf(test, 'cancelled')).at(-1)?.phase).toBe('cancelled')
  expect((await conformance.runs({ serverId })).runs).toEqual([])
  expect(await conformance.cancel()).toEqual({ cancelled: false })
}, 60_000)

it('says why a server could not be examined, and refuses one that is not approved', async () => {
  const { test } = await startFaulty()
  const { conformance } = test.client
  const draftOf = (name: string, ...args: string[]): ServerDraft => ({
    name,
    target: { transport: 'stdio', command: process.execPath, args, env: [] },
  })
  const { id: dead } = await test.addApproved(draftOf('dead', '-e', 'process.exit(3)'))
  await conformance.start({ serverId: dead, permission: none })
  const ended = (await runOf(test, 'dead')).at(-1)
  expect(ended).toMatchObject({ phase: 'ended', verdict: 'inconclusive', cells: [] })
  expect(ended?.problem).toContain('no revision that Patchbay knows could be agreed on')
  const { id } = await test.client.servers.add({ draft: draftOf('new'), origin: 'user' })
  await expect(conformance.start({ serverId: id, permission: none })).rejects.toThrow('approve it first')
}, 60_000)
