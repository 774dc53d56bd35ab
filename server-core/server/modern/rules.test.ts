import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { HandlerContext } from '../../registry/context.ts'
import { Registry } from '../../registry/registry.ts'
import { connectTo, envelope, serveRegistry, type RawClient, type Reply } from '../raw-client.test-support.ts'
import type { RequestOrigin } from '../../ports/server-port.ts'
import type { McpServer } from '../server.ts'

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ALL = { elicitation: {}, sampling: {}, roots: {} }
const accept = { city: { action: 'accept', content: { city: 'Oslo' } } }

/** A handler that asks, one that fails and one that talks. */
function registry(): Registry {
  const made = new Registry()
  const run = async (_args: unknown, ctx: HandlerContext) =>
    String((await ctx.elicit('City?', CITY, { key: 'city' }))['city'])
  for (const name of ['ask', 'ask-too']) made.addTool({ name, run })
  made.addTool({
    name: 'talk',
    run: (_args, ctx) => {
      for (const level of ['debug', 'info', 'warning', 'emergency'] as const) ctx.log[level](level)
      for (const progress of [1, 1, 0.5, 2, Number.NaN, 3]) ctx.progress(progress)
      return 'talked'
    },
  })
  return made
}

const call = (
  client: RawClient,
  name: string,
  more: JsonObject = {},
  meta: JsonObject = {},
): Promise<Reply> => client.request('tools/call', { name, ...more, _meta: envelope(ALL, meta) })

/** One request of a caller of one's own choice, on a connection that ends with it. */
function requestOf(server: McpServer, caller: string, params: JsonObject): Promise<Reply> {
  const origin: RequestOrigin = { caller, headers: {}, checksHeaders: false }
  return new Promise((resolve) => {
    server.modernRequest(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: envelope(ALL) } },
      origin,
      {
        emit: () => undefined,
        abandon: () => undefined,
        answer: (bytes) => {
          resolve(JSON.parse(Buffer.from(bytes).toString()) as Reply)
        },
      },
    )
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the filter of subscriptions/listen', () => {
  it.each([
    ['resourceSubscriptions', 'x'],
    ['resourceSubscriptions', { 0: 'note://1' }],
    ['resourceSubscriptions', ['note://1', 1]],
    ['resourceSubscriptions', null],
    ['toolsListChanged', 'yes'],
    ['promptsListChanged', 1],
    ['resourcesListChanged', null],
  ])('is refused with %s of the wrong type: %j', async (member, value) => {
    const registry = new Registry()
    registry.addResource({ uri: 'note://1', name: 'one', read: '1' })
    const { client } = await serveRegistry(registry)
    const notifications = { [member]: value }
    const { error } = await client.request('subscriptions/listen', { notifications, _meta: envelope() })
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(member) as unknown })
    expect(client.notifications('notifications/subscriptions/acknowledged')).toEqual([])
  })
})

describe('requestState', () => {
  it('is worth nothing with any character changed, left out or added', async () => {
    const { client } = await serveRegistry(registry())
    const { result } = await call(client, 'ask')
    const state = String(result?.['requestState'])
    const spoiled = new Set<string>()
    for (let at = 0; at < state.length; at += 7) {
      const other = state[at] === 'A' ? 'B' : 'A'
      spoiled.add(state.slice(0, at) + other + state.slice(at + 1))
      spoiled.add(state.slice(0, at) + state.slice(at + 1))
      spoiled.add(`${state.slice(0, at)}A${state.slice(at)}`)
    }
    spoiled.delete(state)
    for (const requestState of spoiled) {
      const reply = await call(client, 'ask', { requestState, inputResponses: accept })
      expect([requestState, reply.error?.code]).toEqual([requestState, -32602])
    }
    const good = await call(client, 'ask', { requestState: state, inputResponses: accept })
    expect(good.result).toMatchObject({ resultType: 'complete' })
  })

  it('is of its caller, its tool and its arguments alone', async () => {
    const { server } = await serveRegistry(registry())
    const first = await requestOf(server, 'alice', { name: 'ask', arguments: { a: 1, b: [{ c: 2, d: 3 }] } })
    const requestState = first.result?.['requestState']
    const retry = (caller: string, name: string, args: JsonObject) =>
      requestOf(server, caller, { name, arguments: args, requestState, inputResponses: accept })
    for (const [caller, name, args] of [
      ['bob', 'ask', { a: 1, b: [{ c: 2, d: 3 }] }],
      ['alice', 'ask-too', { a: 1, b: [{ c: 2, d: 3 }] }],
      ['alice', 'ask', { a: 2, b: [{ c: 2, d: 3 }] }],
      ['alice', 'ask', { a: 1, b: [{ c: 2 }] }],
      ['alice', 'ask', {}],
    ] as const) {
      expect((await retry(caller, name, args)).error).toMatchObject({ code: -32602 })
    }
    // The order of members is not part of a request.
    const again = await retry('alice', 'ask', { b: [{ d: 3, c: 2 }], a: 1 })
    expect(again.result).toMatchObject({ content: [{ text: 'Oslo' }] })
  })

  it('expires where the run is not any more that had a timer', async () => {
    const sealKey = Buffer.alloc(32, 7)
    const { client } = await serveRegistry(registry(), { sealKey })
    const { result } = await call(client, 'ask')
    const retry = { requestState: result?.['requestState'], inputResponses: accept }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DEFAULT_LIMITS.suspendedRunMs + 1 })
    const restarted = await serveRegistry(registry(), { sealKey })
    const late = await call(restarted.client, 'ask', retry)
    expect(late.error).toMatchObject({ code: -32602, message: expect.stringContaining('expired') as string })
  })

  it('that was answered gets the same answer for a minute, and none after', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { client } = await serveRegistry(registry())
    const { result } = await call(client, 'ask')
    const retry = () =>
      call(client, 'ask', { requestState: result?.['requestState'], inputResponses: accept })
    const answered = (await retry()).result
    vi.advanceTimersByTime(59_000)
    expect((await retry()).result).toEqual(answered)
    vi.advanceTimersByTime(1_001)
    expect((await retry()).error).toMatchObject({ code: -32602 })
  })
})

describe('logs and progress of 2026-07-28', () => {
  it('go to their own request only, from the level that it asks for', async () => {
    const { client, server } = await serveRegistry(registry())
    const { client: listener } = await connectTo(server)
    const listen = { notifications: { toolsListChanged: true }, _meta: envelope(ALL) }
    void listener.request('subscriptions/listen', listen)
    await listener.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    await call(client, 'talk')
    expect(client.notifications('notifications/message')).toEqual([])
    expect(client.notifications('notifications/progress')).toEqual([])
    await call(client, 'talk', {}, { 'io.modelcontextprotocol/logLevel': 'warning', progressToken: 0 })
    expect(client.notifications('notifications/message').map(({ params }) => params)).toEqual([
      { level: 'warning', data: 'warning' },
      { level: 'emergency', data: 'emergency' },
    ])
    expect(client.notifications('notifications/progress').map(({ params }) => params)).toEqual([
      { progressToken: 0, progress: 1 },
      { progressToken: 0, progress: 2 },
      { progressToken: 0, progress: 3 },
    ])
    expect(listener.messages).toHaveLength(1)
  })
})

describe('subscriptions of 2026-07-28', () => {
  it('are refused beyond their number, and there is room again when one ends', async () => {
    const { client } = await serveRegistry(registry(), { limits: { ...DEFAULT_LIMITS, listens: 2 } })
    const listen = (id: number) =>
      client.request(
        'subscriptions/listen',
        { notifications: { toolsListChanged: true }, _meta: envelope() },
        id,
      )
    for (const id of [1, 2]) {
      void listen(id)
      await client.seen(({ params }) => isTagged(params, id))
    }
    expect((await listen(3)).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('limit listens') as string,
    })
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    void listen(4)
    await client.seen(({ params }) => isTagged(params, 4))
  })

  it.each([undefined, null, [], 'tools', 7])('need an object of filters, not %j', async (notifications) => {
    const { client } = await serveRegistry(registry())
    const reply = await client.request('subscriptions/listen', { notifications, _meta: envelope() })
    expect(reply.error).toMatchObject({ code: -32602 })
  })

  it('name no more resources than there may be', async () => {
    const made = registry()
    made.addResource({ uri: 'note://1', name: 'one', read: '1' })
    const { client } = await serveRegistry(made, { limits: { ...DEFAULT_LIMITS, listens: 2 } })
    const notifications = { resourceSubscriptions: ['note://1', 'note://2', 'note://3'] }
    const reply = await client.request('subscriptions/listen', { notifications, _meta: envelope() })
    expect(reply.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('names 3 resources; expected at most 2 (limit listens)') as string,
    })
  })

  it('take only filters that are switched on', async () => {
    const { client } = await serveRegistry(registry())
    const notifications = {
      toolsListChanged: false,
      promptsListChanged: false,
      resourceSubscriptions: [],
      taskIds: undefined,
    }
    const reply = await client.request('subscriptions/listen', { notifications, _meta: envelope() })
    expect(reply.result).toMatchObject({ resultType: 'complete' })
    const [acknowledged] = client.notifications('notifications/subscriptions/acknowledged')
    expect(acknowledged?.['params']).toMatchObject({ notifications: {} })
  })
})

describe('a server of 2026-07-28', () => {
  it('says of every result what it is and who gave it', async () => {
    const made = registry()
    made.addResource({ uri: 'note://1', name: 'one', read: '1' })
    made.addResourceTemplate({ uriTemplate: 'note://{id}/x', name: 'any', read: () => 'x' })
    made.addPrompt({ name: 'write', arguments: [{ name: 'about' }], get: () => 'Write.' })
    const { client } = await serveRegistry(made)
    const ref = { type: 'ref/prompt', name: 'write' }
    for (const [method, params, resultType] of [
      ['server/discover', {}, 'complete'],
      ['tools/list', {}, 'complete'],
      ['tools/call', { name: 'talk' }, 'complete'],
      ['tools/call', { name: 'ask' }, 'input_required'],
      ['resources/list', {}, 'complete'],
      ['resources/templates/list', {}, 'complete'],
      ['resources/read', { uri: 'note://1' }, 'complete'],
      ['prompts/list', {}, 'complete'],
      ['prompts/get', { name: 'write' }, 'complete'],
      ['completion/complete', { ref, argument: { name: 'about', value: '' } }, 'complete'],
      ['subscriptions/listen', { notifications: {} }, 'complete'],
    ] as const) {
      const { result } = await client.request(method, { ...params, _meta: envelope(ALL) })
      expect([method, result?.['resultType'], result?.['_meta']]).toMatchObject([
        method,
        resultType,
        { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } },
      ])
    }
  })

  it('asks for input only where the revision lets it', async () => {
    const made = new Registry()
    const ask = (ctx: HandlerContext) => ctx.elicit('City?', CITY, { key: 'city' })
    made.addResourceTemplate({
      uriTemplate: 'note://{id}',
      name: 'any',
      complete: { id: async (_value, ctx) => [String((await ask(ctx))['city'])] },
      list: async (ctx) => {
        await ask(ctx)
        return []
      },
      read: async (_variables, ctx) => String((await ask(ctx))['city']),
    })
    made.addPrompt({ name: 'write', get: async (_args, ctx) => String((await ask(ctx))['city']) })
    const { client } = await serveRegistry(made)
    const outcomeOf = async (method: string, params: JsonObject = {}) => {
      const { result, error } = await client.request(method, { ...params, _meta: envelope(ALL) })
      return result?.['resultType'] ?? error?.code
    }
    const ref = { type: 'ref/resource', uri: 'note://{id}' }
    expect(await outcomeOf('resources/read', { uri: 'note://1' })).toBe('input_required')
    expect(await outcomeOf('prompts/get', { name: 'write' })).toBe('input_required')
    expect(await outcomeOf('resources/list')).toBe(-32603)
    expect(await outcomeOf('completion/complete', { ref, argument: { name: 'id', value: '' } })).toBe(-32603)
  })

  it('gives every client the same lists in the same order, whatever they did before', async () => {
    const { client, server } = await serveRegistry(registry())
    await call(client, 'ask')
    await call(client, 'talk')
    const { client: other } = await connectTo(server)
    const list = async (each: RawClient) =>
      (await each.request('tools/list', { _meta: envelope(each === client ? ALL : {}) })).result
    expect(await list(other)).toEqual(await list(client))
  })

  it('refuses an id that is in flight on the same connection, not one on another', async () => {
    const { client, server } = await serveRegistry(registry())
    const listen = { notifications: { toolsListChanged: true }, _meta: envelope() }
    void client.request('subscriptions/listen', listen, 'x')
    await client.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    await client.send({ jsonrpc: '2.0', id: 'x', method: 'tools/list', params: { _meta: envelope() } })
    expect(await client.seen(({ error }) => error !== undefined)).toMatchObject({
      id: 'x',
      error: { code: -32600 },
    })
    const { client: other } = await connectTo(server)
    expect((await other.request('tools/list', { _meta: envelope() }, 'x')).result).toBeDefined()
  })

  it('never asks by a request, only inside a result', async () => {
    const { client } = await serveRegistry(registry())
    const { result } = await call(client, 'ask')
    expect(result?.['inputRequests']).toEqual({
      city: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'City?', requestedSchema: CITY },
      },
    })
    expect(client.messages.filter((message) => 'method' in message)).toEqual([])
  })
})

function isTagged(params: unknown, id: number): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && meta['io.modelcontextprotocol/subscriptionId'] === id
}
