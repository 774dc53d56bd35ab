import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { exchange, modern, openSession } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

const HOURS_6 = 6 * 60 * 60_000
const TASKS = 'io.modelcontextprotocol/tasks'
const ASKING = { capabilities: { elicitation: {} } }
const ACCEPTED = { sure: { action: 'accept', content: {} } }

beforeEach(() => {
  // The clock of the day is ours; timers, sockets and the clock that nobody sets go on.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Tools that wait for `gate`, ask, and run as tasks. */
function waitingTools() {
  const gate = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  const registry = new Registry()
  registry.addTool({
    name: 'wait',
    timeout: 60_000,
    run: () => {
      started.resolve()
      return gate.promise
    },
  })
  registry.addTool({ name: 'job', taskSupport: 'optional', run: () => gate.promise })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      await ctx.elicit('Sure?', { type: 'object', properties: {} }, { key: 'sure' })
      return 'sure'
    },
  })
  return { registry, gate, started: started.promise }
}

describe.each([
  ['forward', HOURS_6],
  ['back', -HOURS_6],
])('a clock that jumps six hours %s', (_direction, jumpMs) => {
  const jump = () => vi.setSystemTime(Date.now() + jumpMs)

  it('ends no session, no stream and no call in flight', async () => {
    const { registry, gate, started } = waitingTools()
    const limits = { ...DEFAULT_LIMITS, sessions: 1 }
    const { url } = await serve(registry, { limits })
    const session = await openSession(url)
    const stream = await session.listen()
    const call = session.request(1, 'tools/call', { name: 'wait', arguments: {} })
    await started
    jump()
    // Another client makes room for itself by ending idle sessions; no session here is idle.
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const other = await exchange(url, { body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } })
    expect(other.status).toBe(503)
    expect((await session.request(2, 'ping')).status).toBe(200)
    registry.addTool({ name: 'added', run: () => '' })
    await stream.seen(({ method }) => method === 'notifications/tools/list_changed')
    gate.resolve('answered')
    expect(await (await call).body()).toMatchObject({ result: { content: [{ text: 'answered' }] } })
    stream.drop()
  })

  it('ends no subscription and no task', async () => {
    const { registry, gate } = waitingTools()
    const { url } = await serve(registry)
    const stream = await modern(url, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    await stream.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    const tasks = { capabilities: { extensions: { [TASKS]: {} } } }
    const { result } = await (await modern(url, 'tools/call', { name: 'job' }, tasks)).body()
    const { taskId } = result as { readonly taskId: string }
    jump()
    const get = async () =>
      (await modern(url, 'tasks/get', { taskId }, { ...tasks, headers: { 'mcp-name': taskId } })).body()
    expect(await get()).toMatchObject({ result: { status: 'working' } })
    registry.addTool({ name: 'added', run: () => '' })
    await stream.seen(({ method }) => method === 'notifications/tools/list_changed')
    gate.resolve('answered')
    await expect.poll(get).toMatchObject({ result: { status: 'completed' } })
    stream.drop()
  })

  it('lets a call go on that waits for an answer', async () => {
    const { url } = await serve(waitingTools().registry)
    const { result } = await (await modern(url, 'tools/call', { name: 'ask' }, ASKING)).body()
    const { requestState } = result as { readonly requestState: string }
    jump()
    const retry = { name: 'ask', requestState, inputResponses: ACCEPTED }
    const answers = [
      await modern(url, 'tools/call', retry, ASKING),
      await modern(url, 'tools/call', retry, ASKING),
    ]
    for (const answer of answers) {
      expect(await answer.body()).toMatchObject({ result: { content: [{ text: 'sure' }] } })
    }
  })
})
