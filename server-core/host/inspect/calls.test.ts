import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultSettingsSchema } from '../../faults/fault-settings.ts'
import type { ServerState } from '../contract/servers.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

/**
 * A server of 2025-11-25 whose tools are all there is to it: `hold` is answered when `release` is called, `ask` once its
 * question was answered, `die` by its end.
 */
const SERVER = `
  let held, asking
  const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const text = (id, text) => write({ id, result: { content: [{ type: 'text', text }] } })
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize')
      write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
    else if (method === undefined) { text(asking, 'answered') }
    else if (method === 'tools/call') {
      if (params.name === 'hold') held = id
      if (params.name === 'release') { text(id, 'released'); text(held, 'held') }
      if (params.name === 'die') { console.error('Error: the disk is full'); process.exit(3) }
      if (params.name === 'ask') {
        asking = id
        write({ id: 'q', method: 'elicitation/create', params: { message: 'Well?', requestedSchema: { type: 'object', properties: {} } } })
      }
    } else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } })
  })`

let test: TestHost
let server: ServerState
beforeAll(async () => {
  test = await startTestHost()
  server = await test.addApproved({
    name: 'holding',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', SERVER], env: [] },
  })
  await test.client.servers.connect({ id: server.id })
})
afterAll(() => test.close())

function call(name: string, callId: string, tab?: string, signal?: AbortSignal) {
  return test.client.inspect.request(
    {
      serverId: server.id,
      callId,
      method: 'tools/call',
      paramsText: JSON.stringify({ name, arguments: {} }),
      ...(tab !== undefined && { tab, argumentsText: `{ "of": "${callId}" }` }),
    },
    signal === undefined ? {} : { signal },
  )
}

/** The question that waits for a person. */
async function question(): Promise<string> {
  const batches = await watchUntil(
    test.client,
    ({ inbox = [] }) => inbox.some(({ state }) => state.type === 'open' && state.waitsFor === 'person'),
    'question',
  )
  const entry = batches.at(-1)?.inbox?.find(({ state }) => state.type === 'open')
  if (entry === undefined) throw new Error('there is no question')
  return entry.id
}

describe('a call', () => {
  it('goes on when the page that sent it goes away, and is found by the next one', async () => {
    const page = new AbortController()
    const sent = call('hold', 'held', 'tab 1', page.signal)
    const { running } = await test.client.inspect.calls({ tab: 'tab 1' })
    expect(running).toMatchObject([{ callId: 'held', argumentsText: '{ "of": "held" }' }])
    page.abort()
    expect((await test.client.inspect.calls({ tab: 'tab 1' })).running).toHaveLength(1)

    const outcome = test.client.inspect.outcome({ callId: 'held' })
    await call('release', 'release', 'tab 2')
    const held = await outcome
    expect(held).toMatchObject({ type: 'result' })
    await sent
    const after = await test.client.inspect.calls({ tab: 'tab 1' })
    expect(after).toMatchObject({
      running: [],
      ended: [{ callId: 'held', argumentsText: '{ "of": "held" }' }],
    })
    expect(after.ended[0]?.outcome).toEqual(held)
    expect(await test.client.inspect.outcome({ callId: 'held' })).toEqual(held)
    expect((await test.client.inspect.calls({ tab: 'tab 2' })).ended).toHaveLength(1)
    await expect(test.client.inspect.outcome({ callId: 'unknown' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('ends when the user cancels it', async () => {
    const sent = call('hold', 'cancelled', 'tab 3')
    expect(await test.client.inspect.cancel({ callId: 'cancelled' })).toEqual({ cancelled: true })
    expect(await sent).toMatchObject({ type: 'failure', code: 'cancelled' })
    expect(await test.client.inspect.cancel({ callId: 'cancelled' })).toEqual({ cancelled: false })
  })

  it('reports the time that its server waited for an answer separately, not as latency', async () => {
    // What earlier calls took goes with their connection.
    await test.client.servers.restart({ id: server.id })
    const sent = call('ask', 'asking')
    const id = await question()
    const answer = { type: 'result', resultText: '{ "action": "decline" }' } as const
    await test.client.inbox.answer({ id, answer })
    const outcome = await sent
    expect(outcome.waitedMs).toBeGreaterThan(0)
    expect(outcome.waitedMs).toBeLessThanOrEqual(outcome.durationMs)
    const batches = await watchUntil(test.client, ({ latencies }) => latencies !== undefined, 'latency')
    const latency = batches.at(-1)?.latencies?.find(({ serverId }) => serverId === server.id)
    expect(latency?.count).toBe(1)
    expect(latency?.p50Ms).toBeCloseTo(outcome.durationMs - (outcome.waitedMs ?? 0))
  })

  it('says what the server wrote if it died meanwhile', async () => {
    expect(await call('die', 'dying')).toMatchObject({
      type: 'failure',
      code: 'closed',
      connection: {
        title: 'exit 3 · Error: the disk is full',
        stderr: 'Error: the disk is full\n',
        exitCode: 3,
      },
    })
  })
})

it('a call of the server of this app names how many faults are on', async () => {
  const ping = { serverId: 'this-app', method: 'tools/list', paramsText: '{}' }
  const settings = faultSettingsSchema.parse({ rules: [{ id: 'slow', kind: 'delay', ms: 1 }] })
  expect((await test.client.inspect.request({ ...ping, callId: 'calm' })).faults).toBeUndefined()
  await test.client.faults.save({ settings })
  expect((await test.client.inspect.request({ ...ping, callId: 'slow' })).faults).toBe(1)
})
