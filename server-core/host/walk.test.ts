import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerDraft } from './contract/servers.ts'
import { startTestHost, watchUntil, type TestHost } from './host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const draft: ServerDraft = {
  name: 'everything',
  target: { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'], env: [] },
}

let test: TestHost
beforeAll(async () => {
  test = await startTestHost()
})
afterAll(() => test.close())

describe('a server that nobody here wrote', () => {
  it('is added, approved, connected, called, killed, explained and restarted', async () => {
    const { client } = test
    const added = await client.servers.add({ draft, origin: 'user' })
    expect(added).toMatchObject({ approval: 'needed', status: 'disconnected', origin: 'user' })
    await expect(client.servers.connect({ id: added.id })).rejects.toMatchObject({ code: 'NOT_APPROVED' })

    const approval = await client.servers.approval({ id: added.id })
    expect(approval).toMatchObject({
      resolvesTo: process.execPath,
      loadsCode: [],
      target: { args: [everything, 'stdio'] },
    })
    expect(approval.inherited).toContain('PATH')
    expect(await client.servers.approve({ id: added.id, hash: approval.hash })).toMatchObject({
      approval: 'approved',
    })

    const connected = await client.servers.connect({ id: added.id })
    expect(connected).toMatchObject({ status: 'connected', revision: '2025-11-25' })
    expect(connected.serverInfo).toMatchObject({ name: expect.stringContaining('everything') as string })
    expect(connected.probe.length).toBeGreaterThan(0)
    const pid = connected.pid ?? 0
    expect(pid).toBeGreaterThan(0)

    const lists = await client.inspect.lists({ serverId: added.id })
    expect(lists.problems).toEqual([])
    expect(lists.tools.map(({ name }) => name)).toContain('get-sum')
    expect(lists.resources.length).toBeGreaterThan(0)
    expect(lists.prompts.length).toBeGreaterThan(0)

    const sum = await client.inspect.request({
      serverId: added.id,
      callId: 'sum',
      method: 'tools/call',
      paramsText: '{"name":"get-sum","arguments":{"a":40,"b":2}}',
    })
    expect(sum).toMatchObject({ type: 'result', revision: '2025-11-25' })
    expect('messageText' in sum ? sum.messageText : '').toContain('42')

    const lost = watchUntil(
      client,
      ({ servers }) => servers?.some(({ id, status }) => id === added.id && status === 'failed') ?? false,
    )
    process.kill(pid, 'SIGKILL')
    const batches = await lost
    const state = batches.at(-1)?.servers?.find(({ id }) => id === added.id)
    expect(state).toMatchObject({
      status: 'failed',
      failure: { code: 'process-exited', signal: 'SIGKILL', pid },
    })
    expect(state?.failure?.title).toContain('SIGKILL')
    expect(state?.failure?.explanation).toContain('Restart it')

    // The timeline still has the call, with its bytes.
    const rows = batches.flatMap(({ exchanges }) => exchanges ?? [])
    const row = rows.find(({ id }) => id === sum.exchangeId)
    expect(row).toMatchObject({
      method: 'tools/call',
      label: expect.stringContaining('get-sum') as string,
      outcome: 'ok',
    })
    const { frames } = await client.traffic.frames({ seqs: row?.frames ?? [] })
    expect(frames.map(({ text }) => text).join('\n')).toContain('"a":40')

    const restarted = await client.servers.restart({ id: added.id })
    expect(restarted).toMatchObject({ status: 'connected' })
    expect(restarted.pid).not.toBe(pid)
    expect(restarted.failure).toBeUndefined()
    expect(await client.servers.disconnect({ id: added.id })).toMatchObject({ status: 'disconnected' })
  })

  it('sends every number as it was typed', async () => {
    const { client } = test
    const { id } = await test.addApproved(draft)
    await client.servers.connect({ id })
    const outcome = await client.inspect.request({
      serverId: id,
      callId: 'exact',
      method: 'tools/call',
      paramsText: '{"name":"echo","arguments":{"message":"x","n":12345678901234567890,"one":1.0}}',
    })
    const rows = (await watchUntil(client, () => true, 'exact')).flatMap(({ exchanges }) => exchanges ?? [])
    const seqs = rows.find((row) => row.id === outcome.exchangeId)?.frames ?? []
    const { frames } = await client.traffic.frames({ seqs })
    expect(frames[0]?.text).toContain('"n":12345678901234567890,"one":1.0')
    await client.servers.remove({ id })
  })
})

it('makes nothing of a request without a connection or with text that is not an object', async () => {
  const { client } = test
  const { id } = await test.addApproved(draft)
  const call = { serverId: id, callId: 'c', method: 'ping', paramsText: '{}' }
  await expect(client.inspect.request(call)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
  await client.servers.connect({ id })
  await expect(client.inspect.request({ ...call, paramsText: '{"a":' })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  await expect(client.inspect.request({ ...call, paramsText: '[1]' })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
  expect(await client.inspect.request({ ...call, method: 'no/such' })).toMatchObject({
    type: 'error',
    code: -32601,
  })
  await client.servers.remove({ id })
})

it('reports progress of a call by its name, and cancels it', async () => {
  const { client } = test
  const { id } = await test.addApproved(draft)
  await client.servers.connect({ id })
  const progressed = watchUntil(
    client,
    ({ progress }) => progress?.some(({ callId }) => callId === 'long') ?? false,
  )
  const call = client.inspect.request({
    serverId: id,
    callId: 'long',
    method: 'tools/call',
    paramsText: '{"name":"trigger-long-running-operation","arguments":{"duration":30,"steps":300}}',
  })
  const batches = await progressed
  expect(batches.at(-1)?.progress?.find(({ callId }) => callId === 'long')).toMatchObject({ total: 300 })
  expect(await client.inspect.cancel({ callId: 'long' })).toEqual({ cancelled: true })
  expect(await call).toMatchObject({ type: 'failure', code: 'cancelled' })
  expect(await client.inspect.cancel({ callId: 'long' })).toEqual({ cancelled: false })
  await client.servers.remove({ id })
})
