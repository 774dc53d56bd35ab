import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { envelope, serveRegistry, connectTo, type RawClient, type Reply } from '../raw-client.test-support.ts'
import { createServer, type ServerOptions } from '../server.ts'

const ALL = { elicitation: {}, sampling: {}, roots: {} }
const form = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})
const accept = (content: JsonObject) => ({ action: 'accept', content })

function call(
  client: RawClient,
  name: string,
  more: JsonObject = {},
  capabilities: JsonObject = ALL,
): Promise<Reply> {
  return client.request('tools/call', { name, arguments: {}, ...more, _meta: envelope(capabilities) })
}

function stateOf(reply: Reply): string {
  const state = reply.result?.['requestState']
  if (typeof state !== 'string') throw new Error(`no requestState in ${JSON.stringify(reply)}`)
  return state
}

const text = (reply: Reply) => (reply.result?.['content'] as { text: string }[] | undefined)?.[0]?.text

/** A trip planner that asks twice, and counts how often it began. */
function trips(options: { reentrant?: boolean } = {}) {
  const registry = new Registry()
  const seen = { begun: 0 }
  registry.addTool({
    name: 'trip',
    ...options,
    run: async (_args, ctx) => {
      seen.begun += 1
      const from = await ctx.elicit('From?', form('city'), { key: 'from' })
      const to = await ctx.elicit('To?', form('city'), { key: 'to' })
      return `${String(from['city'])} to ${String(to['city'])}`
    },
  })
  return { registry, seen }
}

describe('2026-07-28 requests', () => {
  it('are served without any handshake and say who answers', async () => {
    const { client } = await serveRegistry(new Registry({ listStabilities: { tools: 'may-appear' } }), {
      instructions: 'hi',
    })
    const { result } = await client.request('server/discover', { _meta: envelope() })
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      instructions: 'hi',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } },
    })
    expect(await client.request('tools/list', { _meta: envelope() })).toMatchObject({
      result: { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    })
  })

  it('are unknown where nothing is declared for them', async () => {
    const registry = new Registry()
    const { client } = await serveRegistry(registry)
    const codeOf = async (method: string, params: JsonObject = {}) =>
      (await client.request(method, { ...params, _meta: envelope() })).error?.code
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect(await codeOf(method)).toBe(-32601)
    }
    const completion = { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: '' } }
    expect(await codeOf('completion/complete', completion)).toBe(-32601)
    registry.addPrompt({ name: 'a', get: () => 'a' })
    expect(await codeOf('prompts/list')).toBeUndefined()
    expect(await codeOf('completion/complete', completion)).toBeUndefined()
    expect(await codeOf('tools/list')).toBe(-32601)
  })

  it('name what is wrong with their envelope', async () => {
    const { client } = await serveRegistry(new Registry({ listStabilities: { tools: 'may-appear' } }))
    const codeOf = async (method: string, _meta: JsonObject) =>
      (await client.request(method, { _meta })).error
    const { 'io.modelcontextprotocol/clientInfo': _info, ...anonymous } = envelope()
    expect(await codeOf('tools/list', anonymous)).toBeUndefined()
    expect(
      await codeOf('tools/list', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }),
    ).toMatchObject({ code: -32602 })
    expect(await codeOf('tools/list', {})).toMatchObject({ code: -32602 })
    expect(
      await codeOf('tools/list', envelope({}, { 'io.modelcontextprotocol/logLevel': 'loud' })),
    ).toMatchObject({ code: -32602 })
    expect(
      await codeOf('tools/list', envelope({}, { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' })),
    ).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    })
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'elicitation/create',
    ]) {
      expect(await codeOf(method, envelope())).toMatchObject({ code: -32601 })
    }
  })

  it('tell a missing resource with -32602 and its URI', async () => {
    const { client } = await serveRegistry(new Registry({ listStabilities: { resources: 'may-appear' } }))
    const reply = await client.request('resources/read', { uri: 'note://none', _meta: envelope() })
    expect(reply.error).toMatchObject({ code: -32602, data: { uri: 'note://none' } })
  })

  it('get logs only if they ask for them, and progress only with their token', async () => {
    const registry = new Registry()
    registry.addTool({
      name: 'noisy',
      run: (_args, ctx) => {
        ctx.log.warning('careful')
        ctx.progress(1)
      },
    })
    const { client } = await serveRegistry(registry)
    await call(client, 'noisy')
    expect(client.messages).toHaveLength(1)
    const _meta = envelope({}, { 'io.modelcontextprotocol/logLevel': 'info', progressToken: 3 })
    await client.request('tools/call', { name: 'noisy', _meta })
    expect(client.messages.slice(1, -1).map(({ method }) => method)).toEqual([
      'notifications/message',
      'notifications/progress',
    ])
  })
})

describe('2026-07-28 rounds', () => {
  it('ask by input_required and go on where they asked', async () => {
    const { registry, seen } = trips()
    const { client } = await serveRegistry(registry)
    const first = await call(client, 'trip')
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { from: { method: 'elicitation/create', params: { message: 'From?' } } },
    })
    const second = await call(client, 'trip', {
      requestState: stateOf(first),
      inputResponses: { from: accept({ city: 'Oslo' }), unknown: { any: 1 } },
    })
    expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['to'])
    expect(stateOf(second)).not.toBe(stateOf(first))
    const third = await call(client, 'trip', {
      requestState: stateOf(second),
      inputResponses: { to: accept({ city: 'Rome' }) },
    })
    expect(third.result?.['resultType']).toBe('complete')
    expect(text(third)).toBe('Oslo to Rome')
    expect(seen.begun).toBe(1)
    expect(client.messages.some((message) => 'method' in message)).toBe(false)
  })

  it('send questions of one turn together, and ask the missing ones again', async () => {
    const registry = new Registry()
    registry.addTool({
      name: 'both',
      run: async (_args, ctx) => {
        const [name, roots] = await Promise.all([
          ctx.elicit('Name?', form('name'), { key: 'name' }),
          ctx.roots({ key: 'roots' }),
        ])
        return `${String(name['name'])} ${roots.length}`
      },
    })
    const { client } = await serveRegistry(registry)
    const first = await call(client, 'both')
    expect(Object.keys(first.result?.['inputRequests'] as object)).toEqual(['name', 'roots'])
    const partial = await call(client, 'both', {
      requestState: stateOf(first),
      inputResponses: { roots: { roots: [] }, name: accept({ name: 5 }) },
    })
    expect(Object.keys(partial.result?.['inputRequests'] as object)).toEqual(['name'])
    const done = await call(client, 'both', {
      requestState: stateOf(partial),
      inputResponses: { name: accept({ name: 'Ada' }) },
    })
    expect(text(done)).toBe('Ada 0')
  })

  it('take answers that come without a state', async () => {
    const { registry, seen } = trips()
    const { client } = await serveRegistry(registry)
    const done = await call(client, 'trip', {
      inputResponses: { from: accept({ city: 'A' }), to: accept({ city: 'B' }) },
    })
    expect(text(done)).toBe('A to B')
    expect(seen.begun).toBe(1)
  })

  it('answer a repeated retry as before, without running anything twice', async () => {
    const { registry } = trips()
    const { client } = await serveRegistry(registry)
    const retry = {
      requestState: stateOf(await call(client, 'trip')),
      inputResponses: { from: accept({ city: 'Oslo' }) },
    }
    const [once, again] = await Promise.all([call(client, 'trip', retry), call(client, 'trip', retry)])
    const later = await call(client, 'trip', retry)
    expect(again.result).toEqual(once.result)
    expect(later.result).toEqual(once.result)
  })

  it('keep a state good when its retry brought nothing usable', async () => {
    const { registry } = trips()
    const { client } = await serveRegistry(registry)
    const requestState = stateOf(await call(client, 'trip'))
    const useless = await call(client, 'trip', { requestState, inputResponses: { form: accept({}) } })
    expect(useless.result?.['resultType']).toBe('input_required')
    const next = await call(client, 'trip', { requestState, inputResponses: { from: accept({ city: 'X' }) } })
    expect(Object.keys(next.result?.['inputRequests'] as object)).toEqual(['to'])
  })

  it('refuse a state that was changed, or belongs to another request', async () => {
    const { registry } = trips()
    registry.addTool({ name: 'other', run: () => 'other' })
    const { client } = await serveRegistry(registry)
    const requestState = stateOf(await call(client, 'trip'))
    const flipped = `${requestState.startsWith('A') ? 'B' : 'A'}${requestState.slice(1)}`
    for (const state of [flipped, `${requestState}-TAMPERED`, `${requestState}=`, '', 7]) {
      expect((await call(client, 'trip', { requestState: state })).error).toMatchObject({ code: -32602 })
    }
    expect((await call(client, 'other', { requestState })).error).toMatchObject({ code: -32602 })
    expect((await call(client, 'trip', { requestState, arguments: { a: 1 } })).error).toMatchObject({
      code: -32602,
    })
    expect((await call(client, 'trip', { inputResponses: null })).error).toMatchObject({ code: -32602 })
  })

  it('run a reentrant handler from the top when its run no longer exists, with the answers so far', async () => {
    const sealKey = Buffer.alloc(32, 7)
    const { registry, seen } = trips({ reentrant: true })
    const one = await serveRegistry(registry, { sealKey })
    const first = await call(one.client, 'trip')
    const second = await call(one.client, 'trip', {
      requestState: stateOf(first),
      inputResponses: { from: accept({ city: 'Oslo' }) },
    })
    const other = await serveRegistry(registry, { sealKey })
    const done = await call(other.client, 'trip', {
      requestState: stateOf(second),
      inputResponses: { to: accept({ city: 'Rome' }) },
    })
    expect(text(done)).toBe('Oslo to Rome')
    expect(seen.begun).toBe(2)
  })

  it('ask for a key that a function gives when something is sealed first', async () => {
    let asked = 0
    const sealKey = () => {
      asked += 1
      return Promise.resolve(Buffer.alloc(32, 7))
    }
    const { registry } = trips({ reentrant: true })
    const one = await serveRegistry(registry, { sealKey })
    await one.client.request('tools/list', { _meta: envelope() })
    expect(asked).toBe(0)
    const requestState = stateOf(await call(one.client, 'trip'))
    const other = await serveRegistry(registry, { sealKey })
    const inputResponses = { from: accept({ city: 'Oslo' }) }
    expect((await call(other.client, 'trip', { requestState, inputResponses })).error).toBeUndefined()
    expect(asked).toBe(2)
  })

  it('keep the answers over one restart after another', async () => {
    const sealKey = Buffer.alloc(32, 7)
    const registry = new Registry()
    registry.addTool({
      name: 'three',
      reentrant: true,
      run: async (_args, ctx) => {
        const given: string[] = []
        for (const key of ['a', 'b', 'c']) {
          given.push(String((await ctx.elicit(`${key}?`, form('city'), { key }))['city']))
        }
        return given.join(' ')
      },
    })
    let reply = await call((await serveRegistry(registry, { sealKey })).client, 'three')
    for (const key of ['a', 'b', 'c']) {
      const { client } = await serveRegistry(registry, { sealKey })
      const inputResponses = { [key]: accept({ city: key.toUpperCase() }) }
      reply = await call(client, 'three', { requestState: stateOf(reply), inputResponses })
    }
    expect(text(reply)).toBe('A B C')
  })

  it('report a missing run whose handler cannot run again', async () => {
    const sealKey = Buffer.alloc(32, 7)
    const { registry } = trips()
    const requestState = stateOf(await call((await serveRegistry(registry, { sealKey })).client, 'trip'))
    const other = await serveRegistry(registry, { sealKey })
    const reply = await call(other.client, 'trip', { requestState })
    expect(reply.error).toMatchObject({ code: -32602, message: expect.stringContaining('has ended') })
  })

  it('keep no more waiting runs than allowed, and let go after the time allowed', async () => {
    const { registry } = trips()
    const limits = { ...DEFAULT_LIMITS, suspendedRuns: 1, suspendedRunMs: 60_000 }
    const { client } = await serveRegistry(registry, { limits })
    const first = await call(client, 'trip')
    const second = await call(client, 'trip')
    const inputResponses = { from: accept({ city: 'X' }) }
    expect(
      (await call(client, 'trip', { requestState: stateOf(first), inputResponses })).error?.message,
    ).toContain('has ended')
    expect(
      (await call(client, 'trip', { requestState: stateOf(second), inputResponses })).error,
    ).toBeUndefined()
  })

  it('do not ask a client that declares nothing, and name what is missing', async () => {
    const { registry } = trips()
    const { client } = await serveRegistry(registry)
    const reply = await call(client, 'trip', {}, { elicitation: { url: {} } })
    expect(reply.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    })
  })

  it('begin progress again in each round', async () => {
    const registry = new Registry()
    registry.addTool({
      name: 'steps',
      run: async (_args, ctx) => {
        ctx.progress(1)
        await ctx.elicit('Go on?', { type: 'object', properties: {} }, { key: 'go' })
        ctx.progress(2)
      },
    })
    const { client } = await serveRegistry(registry)
    const params = { name: 'steps', _meta: envelope(ALL, { progressToken: 'a' }) }
    const first = await client.request('tools/call', params)
    const rest = { requestState: stateOf(first), inputResponses: { go: accept({}) } }
    await client.request('tools/call', { ...params, ...rest, _meta: envelope(ALL, { progressToken: 'b' }) })
    expect(client.notifications('notifications/progress').map(({ params: sent }) => sent)).toEqual([
      { progressToken: 'a', progress: 1 },
      { progressToken: 'b', progress: 2 },
    ])
  })
})

describe('2026-07-28 subscriptions', () => {
  const listen = (client: RawClient, notifications: JsonObject, id: string | number) =>
    client.request('subscriptions/listen', { notifications, _meta: envelope() }, id)
  const tagOf = ({ params }: JsonObject) =>
    isJsonObject(params) && isJsonObject(params['_meta'])
      ? params['_meta']['io.modelcontextprotocol/subscriptionId']
      : undefined

  it('acknowledge what is supported, then tell only that, each tagged with its own id', async () => {
    const registry = new Registry({ listStabilities: { tools: 'may-appear', resources: 'may-appear' } })
    const { client } = await serveRegistry(registry)
    void listen(client, { toolsListChanged: true, promptsListChanged: true, nonsense: true }, 4)
    void listen(client, { resourceSubscriptions: ['note://1'] }, '4')
    await expect.poll(() => client.notifications('notifications/subscriptions/acknowledged')).toHaveLength(2)
    expect(client.messages[0]).toMatchObject({ params: { notifications: { toolsListChanged: true } } })
    expect(client.messages[0]).not.toHaveProperty('params.notifications.promptsListChanged')
    registry.addTool({ name: 'new', run: () => '' })
    registry.addPrompt({ name: 'new', get: () => '' })
    const told = await client.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(tagOf(told)).toBe(4)
    registry.addTool({
      name: 'touch',
      run: (_args, ctx) => {
        ctx.changed({ uri: 'note://1' })
      },
    })
    await call(client, 'touch')
    expect(tagOf(await client.seen(({ method }) => method === 'notifications/resources/updated'))).toBe('4')
    expect(client.notifications('notifications/prompts/list_changed')).toEqual([])
  })

  it('end at once when nothing is left, by cancel silently, and with their result when the server stops', async () => {
    const { client, server } = await serveRegistry(new Registry({ listStabilities: { tools: 'may-appear' } }))
    expect(await listen(client, { nonsense: true }, 1)).toMatchObject({
      result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    })
    void listen(client, { toolsListChanged: true }, 2)
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
    const third = listen(client, { toolsListChanged: true }, 3)
    await client.seen((message) => tagOf(message) === 3)
    await server.close()
    expect(await third).toMatchObject({ result: { resultType: 'complete' } })
    expect(client.messages.some((message) => message['id'] === 2)).toBe(false)
  })
})

describe('a duplex connection', () => {
  const open = async (options: Partial<ServerOptions> = {}) => {
    const server = createServer({
      registry: new Registry(),
      info: { name: 'test', version: '1' },
      ...options,
    })
    return (await connectTo(server)).client
  }

  it('is not decided by server/discover', async () => {
    const client = await open()
    await client.request('server/discover', { _meta: envelope() })
    expect(await client.initialize()).toHaveProperty('result')
    expect(await client.request('tools/list', { _meta: envelope() })).toMatchObject({
      error: { code: -32600 },
    })
  })

  it('is modern after an enveloped request, and tells a late initialize which versions it speaks', async () => {
    const client = await open()
    await client.request('tools/list', { _meta: envelope() })
    expect((await client.initialize()).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'] },
    })
    expect((await client.request('tools/list')).error).toMatchObject({ code: -32602 })
  })

  it('takes an initialize whose envelope names a legacy revision for a handshake', async () => {
    const client = await open()
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }
    expect(await client.request('initialize', { protocolVersion: '2025-11-25', _meta })).toHaveProperty(
      'result',
    )
  })

  it('is silent after a cancel', async () => {
    const registry = new Registry()
    const started = Promise.withResolvers<AbortSignal>()
    registry.addTool({
      name: 'wait',
      run: (_args, ctx) => {
        started.resolve(ctx.signal)
        return new Promise(() => undefined)
      },
    })
    const { client } = await serveRegistry(registry)
    void client.request('tools/call', { name: 'wait', _meta: envelope() }, 'w')
    const signal = await started.promise
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } })
    await client.request('tools/list', { _meta: envelope() })
    expect(signal.aborted).toBe(true)
    expect(client.messages.some((message) => message['id'] === 'w')).toBe(false)
  })

  it('never answers a notification', async () => {
    const client = await open()
    await client.send({ jsonrpc: '2.0', method: 'notifications/unknown' })
    await client.send({ jsonrpc: '2.0', id: 9, result: {} })
    await client.request('server/discover', { _meta: envelope() })
    expect(client.messages).toHaveLength(1)
  })
})
