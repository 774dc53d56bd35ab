import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { connectTo, serveRegistry } from '../raw-client.test-support.ts'

function notes(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'add',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    run: ({ a, b }) => String(Number(a) + Number(b)),
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      const { city } = await ctx.elicit('City?', {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      })
      return `to ${String(city)}`
    },
  })
  registry.addTool({
    name: 'throws',
    run: () => {
      throw new Error('broken')
    },
  })
  registry.addResource({ uri: 'note://1', name: 'one', read: 'text of one' })
  registry.addPrompt({
    name: 'greet',
    arguments: [{ name: 'who', required: true }],
    get: ({ who }) => `Hello ${who}`,
  })
  return registry
}

afterEach(() => {
  vi.useRealTimers()
})

describe('2025-11-25 session', () => {
  it('opens with initialize, answers with the version it speaks and what it offers', async () => {
    const { client } = await serveRegistry(notes(), { instructions: 'be kind' })
    const { result } = await client.initialize()
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'test', version: '1' },
      instructions: 'be kind',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        completions: {},
        logging: {},
      },
    })
  })

  it('answers a version it does not speak with its own newest legacy one', async () => {
    const { client } = await serveRegistry(notes())
    const reply = await client.request('initialize', {
      protocolVersion: '1900-01-01',
      capabilities: {},
      clientInfo: {},
    })
    expect(reply.result?.['protocolVersion']).toBe('2025-11-25')
  })

  it('serves nothing but ping before initialize, and initialize only once', async () => {
    const { client } = await serveRegistry(notes())
    expect(await client.request('tools/list')).toMatchObject({ error: { code: -32600 } })
    expect(await client.request('ping')).toMatchObject({ result: {} })
    await client.initialize()
    expect(await client.request('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      error: { code: -32600 },
    })
  })

  it('echoes ids with their type', async () => {
    const { client } = await serveRegistry(notes())
    await client.initialize()
    expect((await client.request('ping', undefined, '7')).id).toBe('7')
    expect((await client.request('ping', undefined, 7)).id).toBe(7)
  })

  it('lists and calls, without any member of 2026-07-28', async () => {
    const { client } = await serveRegistry(notes())
    await client.initialize()
    const list = await client.request('tools/list')
    expect(Object.keys(list.result ?? {})).toEqual(['tools'])
    const call = await client.request('tools/call', { name: 'add', arguments: { a: 40, b: 2 } })
    expect(call.result).toEqual({ content: [{ type: 'text', text: '42' }] })
    expect(await client.request('resources/read', { uri: 'note://1' })).toMatchObject({
      result: { contents: [{ uri: 'note://1', text: 'text of one' }] },
    })
    expect(await client.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })).toMatchObject({
      result: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }] },
    })
  })

  it('tells faults of the protocol as errors and faults of a tool as results', async () => {
    const { client } = await serveRegistry(notes())
    await client.initialize()
    const codeOf = async (method: string, params: object) =>
      (await client.request(method, { ...params })).error?.code
    expect(await codeOf('tools/call', { name: 'none' })).toBe(-32602)
    expect(await codeOf('tools/call', { name: 'add', arguments: [1] })).toBe(-32602)
    expect(await codeOf('resources/read', { uri: 'note://none' })).toBe(-32002)
    expect(await codeOf('prompts/get', { name: 'greet' })).toBe(-32602)
    expect(
      await codeOf('completion/complete', {
        ref: { type: 'ref/prompt', name: 'none' },
        argument: { name: 'a', value: '' },
      }),
    ).toBe(-32602)
    expect(await codeOf('tools/list', { cursor: 'zzz' })).toBe(-32602)
    expect(await codeOf('nonsense', {})).toBe(-32601)
    expect(await codeOf('server/discover', {})).toBe(-32601)
    expect(await client.request('tools/call', { name: 'throws' })).toMatchObject({
      result: { isError: true },
    })
    const wrong = await client.request('tools/call', { name: 'add', arguments: { a: 'x' } })
    expect(wrong.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/add.*"?b"?|a.*number/) }],
    })
  })

  it('asks a client that can answer, inside the call', async () => {
    const { client } = await serveRegistry(notes())
    client.answer = ({ method }) =>
      method === 'elicitation/create'
        ? { result: { action: 'accept', content: { city: 'Oslo' } } }
        : undefined
    await client.initialize({ elicitation: {} })
    const call = await client.request('tools/call', { name: 'ask' })
    expect(call.result).toMatchObject({ content: [{ type: 'text', text: 'to Oslo' }] })
  })

  it('does not ask a client that cannot answer: the tool says what is missing', async () => {
    const { client } = await serveRegistry(notes())
    await client.initialize({})
    const call = await client.request('tools/call', { name: 'ask' })
    expect(call.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('elicitation') }],
    })
    expect(client.messages.filter((message) => message['method'] === 'elicitation/create')).toEqual([])
  })

  it('says that the client refused to answer', async () => {
    const { client } = await serveRegistry(notes())
    client.answer = () => ({ error: { code: -1, message: 'not now' } })
    await client.initialize({ elicitation: {} })
    const call = await client.request('tools/call', { name: 'ask' })
    expect(call.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not now') }],
    })
  })

  it('sends rising progress only with a token and before the result', async () => {
    const registry = notes()
    registry.addTool({
      name: 'slow',
      run: (_args, ctx) => {
        for (const value of [1, 1, 0.5, 2]) ctx.progress(value, 2)
        return 'done'
      },
    })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    await client.request('tools/call', { name: 'slow' })
    expect(client.notifications('notifications/progress')).toEqual([])
    await client.request('tools/call', { name: 'slow', _meta: { progressToken: 'p' } })
    expect(client.notifications('notifications/progress').map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, total: 2 },
      { progressToken: 'p', progress: 2, total: 2 },
    ])
    expect(client.messages.at(-1)).toHaveProperty('result')
  })

  it('logs from the level that was set', async () => {
    const registry = notes()
    registry.addTool({
      name: 'log',
      run: (_args, ctx) => {
        ctx.log.debug('low')
        ctx.log.error('high', 'part')
      },
    })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    const logged = () => client.notifications('notifications/message').map(({ params }) => params)
    await client.request('tools/call', { name: 'log' })
    expect(logged()).toEqual([{ level: 'error', data: 'high', logger: 'part' }])
    expect(await client.request('logging/setLevel', { level: 'debug' })).toMatchObject({ result: {} })
    await client.request('tools/call', { name: 'log' })
    expect(logged()).toHaveLength(3)
    expect(await client.request('logging/setLevel', { level: 'loud' })).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('cancels: the signal fires and nothing is answered', async () => {
    const registry = notes()
    const started = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<unknown>()
    registry.addTool({
      name: 'wait',
      run: (_args, ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener('abort', () => {
            aborted.resolve(ctx.signal.reason)
            resolve('late')
          })
          started.resolve()
        }),
    })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    void client.request('tools/call', { name: 'wait' }, 'w')
    await started.promise
    await client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'w', reason: 'enough' },
    })
    expect(String(await aborted.promise)).toContain('enough')
    await client.request('ping')
    expect(client.messages.some((message) => message['id'] === 'w')).toBe(false)
  })

  it('ends a handler whose own time is up, not one that waits for the client', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const registry = notes()
    const stuck = Promise.withResolvers<void>()
    registry.addTool({
      name: 'stuck',
      timeout: 200,
      run: () => {
        stuck.resolve()
        return new Promise(() => undefined)
      },
    })
    registry.addTool({
      name: 'patient',
      timeout: 200,
      run: async (_args, ctx) => {
        await ctx.elicit('Well?', { type: 'object', properties: {} })
        return 'fine'
      },
    })
    const { client } = await serveRegistry(registry)
    await client.initialize({ elicitation: {} })
    const ended = client.request('tools/call', { name: 'stuck' })
    await stuck.promise
    // Timers of runs are set at the end of the turn in which they began.
    await nextTurn()
    vi.advanceTimersByTime(200)
    expect(await ended).toMatchObject({ result: { isError: true } })
    const call = client.request('tools/call', { name: 'patient' })
    const question = await client.seen((message) => message['method'] === 'elicitation/create')
    vi.advanceTimersByTime(400)
    await client.send({ jsonrpc: '2.0', id: question['id'], result: { action: 'accept', content: {} } })
    expect(await call).toMatchObject({ result: { content: [{ text: 'fine' }] } })
  })

  it('tells sessions what changed, and subscribers which resource', async () => {
    const registry = notes()
    const { client, server } = await serveRegistry(registry)
    const other = (await connectTo(server)).client
    await client.initialize()
    await other.initialize()
    await client.request('resources/subscribe', { uri: 'note://1' })
    registry.addTool({ name: 'new', run: () => 'new' })
    registry.addTool({ name: 'newer', run: () => 'newer' })
    const tool = {
      name: 'touch',
      run: (_args: object, ctx: { changed(change: { uri: string }): void }) => {
        ctx.changed({ uri: 'note://1' })
      },
    }
    registry.addTool(tool)
    await client.request('tools/call', { name: 'touch' })
    await client.seen(({ method }) => method === 'notifications/resources/updated')
    await other.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(client.notifications('notifications/tools/list_changed')).toHaveLength(1)
    expect(other.notifications('notifications/resources/updated')).toEqual([])
    await client.request('resources/unsubscribe', { uri: 'note://1' })
    await client.request('tools/call', { name: 'touch' })
    registry.addTool({ name: 'newest', run: () => 'newest' })
    await expect.poll(() => client.notifications('notifications/tools/list_changed').length).toBe(2)
    expect(client.notifications('notifications/resources/updated')).toHaveLength(1)
  })

  it('serves requests that come before notifications/initialized', async () => {
    const { client } = await serveRegistry(notes())
    expect(await client.request('tools/list')).toMatchObject({ error: { code: -32600 } })
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} })
    expect(await client.request('tools/list')).toHaveProperty('result.tools')
    expect(await client.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      result: { content: [{ text: '3' }] },
    })
  })

  it('tells nothing unasked before the client is ready', async () => {
    const registry = notes()
    const { client, server } = await serveRegistry(registry)
    const ready = (await connectTo(server)).client
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} })
    await ready.initialize()
    registry.addTool({ name: 'new', run: () => 'new' })
    await ready.seen(({ method }) => method === 'notifications/tools/list_changed')
    await client.request('ping')
    expect(client.notifications('notifications/tools/list_changed')).toEqual([])
  })

  it('wraps structured results that are not objects, and their schemas', async () => {
    const registry = notes()
    registry.addTool({
      name: 'many',
      output: { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } },
      run: () => [1, 2],
    })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    const list = await client.request('tools/list')
    const tools = list.result?.['tools'] as { name: string; outputSchema?: object }[]
    expect(tools.find(({ name }) => name === 'many')?.outputSchema).toEqual({
      type: 'object',
      properties: {
        result: {
          type: 'array',
          items: { $ref: '#/properties/result/$defs/n' },
          $defs: { n: { type: 'number' } },
        },
      },
      required: ['result'],
    })
    const call = await client.request('tools/call', { name: 'many' })
    expect(call.result?.['structuredContent']).toEqual({ result: [1, 2] })
  })

  it('refuses a result that breaks its own output schema', async () => {
    const registry = notes()
    registry.addTool({
      name: 'liar',
      output: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      run: () => ({ n: 'x' }),
    })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    expect(await client.request('tools/call', { name: 'liar' })).toMatchObject({ result: { isError: true } })
  })

  it('pages long lists in a stable order', async () => {
    const registry = new Registry()
    for (let index = 0; index < 2_500; index += 1) registry.addTool({ name: `tool-${index}`, run: () => '' })
    const { client } = await serveRegistry(registry)
    await client.initialize()
    const names: string[] = []
    let cursor: unknown
    do {
      const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor })
      const tools = result?.['tools'] as { name: string }[]
      names.push(...tools.map(({ name }) => name))
      cursor = result?.['nextCursor']
    } while (cursor !== undefined)
    expect(names).toEqual(Array.from({ length: 2_500 }, (_, index) => `tool-${index}`))
  })

  it('refuses a doubled id and more requests at once than allowed', async () => {
    const registry = new Registry()
    registry.addTool({ name: 'hang', run: () => new Promise(() => undefined) })
    const { client } = await serveRegistry(registry, { limits: { ...DEFAULT_LIMITS, inFlight: 2 } })
    await client.initialize()
    void client.request('tools/call', { name: 'hang' }, 'a')
    void client.request('tools/call', { name: 'hang' }, 'b')
    expect(await client.request('tools/call', { name: 'hang' }, 'a')).toMatchObject({
      error: { code: -32600 },
    })
    expect(await client.request('tools/call', { name: 'hang' }, 'c')).toMatchObject({
      error: { message: expect.stringContaining('inFlight') },
    })
  })

  it('rejects arrays and messages that are not JSON-RPC, without an id it could not read', async () => {
    const { client } = await serveRegistry(notes())
    await client.initialize()
    await client.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }] as never)
    expect(await client.seen((message) => 'error' in message)).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.any(String) },
    })
    await client.send({ jsonrpc: '2.0', id: 'x', method: 5 })
    expect(await client.seen((message) => message['id'] === 'x')).toMatchObject({ error: { code: -32600 } })
  })
})
