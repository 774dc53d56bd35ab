import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { classifyMessage } from '../../protocol/messages.ts'
import { Registry } from '../../registry/registry.ts'
import { envelope, serveRegistry, type RawClient } from '../raw-client.test-support.ts'

function waiting() {
  const registry = new Registry()
  const started = Promise.withResolvers<void>()
  registry.addTool({
    name: 'wait',
    run: (_args, ctx) =>
      new Promise((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          resolve('late')
        })
        started.resolve()
      }),
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => (await ctx.roots()).map(({ uri }) => uri).join(' '),
  })
  return { registry, started: started.promise }
}

const request = (id: string | number, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

async function open(version = '2025-03-26') {
  const { registry, started } = waiting()
  const limits = { ...DEFAULT_LIMITS, batch: 3 }
  const { client } = await serveRegistry(registry, { limits })
  await client.initialize({ roots: {} }, version)
  return { client, started }
}

const send = (client: RawClient, value: unknown) => client.send(value as never)

describe('an array of messages', () => {
  it('is answered by an array of the answers, in which every request is found again by its id', async () => {
    const { client } = await open()
    await send(client, [
      request(11, 'ping'),
      { jsonrpc: '2.0', method: 'notifications/nothing' },
      request('b', 'nonsense'),
    ])
    await client.seen(({ id }) => id === 'b')
    expect(client.arrays).toHaveLength(1)
    expect(client.arrays[0]).toMatchObject([
      { id: 11, result: {} },
      { id: 'b', error: { code: -32601 } },
    ])
  })

  it('of notifications and answers alone is not answered', async () => {
    const { client } = await open()
    const call = client.request('tools/call', { name: 'ask' })
    const question = await client.seen(({ method }) => method === 'roots/list')
    await send(client, [
      { jsonrpc: '2.0', id: question['id'], result: { roots: [{ uri: 'file:///a' }] } },
      { jsonrpc: '2.0', method: 'notifications/nothing' },
    ])
    expect((await call).result).toMatchObject({ content: [{ text: 'file:///a' }] })
    expect(client.arrays).toEqual([])
  })

  it('is answered without the requests that were cancelled, and not at all if all were', async () => {
    const { client, started } = await open()
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } }
    await send(client, [request('w', 'tools/call', { name: 'wait' }), request('p', 'ping')])
    await started
    await send(client, cancel)
    await client.seen(({ id }) => id === 'p')
    expect(client.arrays).toMatchObject([[{ id: 'p' }]])
    await send(client, [request('w', 'tools/call', { name: 'wait' })])
    await send(client, cancel)
    await client.request('ping')
    expect(client.arrays).toHaveLength(1)
  })

  it.each([
    ['empty', []],
    ['too long', Array.from({ length: 4 }, (_, id) => request(id, 'ping'))],
    ['with initialize', [request(1, 'initialize', { protocolVersion: '2025-03-26' })]],
    ['in an array', [[request(1, 'ping')]]],
    ['with an invalid message', [request(1, 'ping'), 5]],
    ['with a request that names a revision', [request(1, 'tools/list', { _meta: envelope() })]],
  ])('is refused whole when it is %s', async (_name, array) => {
    const { client } = await open()
    const before = client.messages.length
    await send(client, array)
    const refusal = await client.seen((message) => 'error' in message)
    expect(refusal).toMatchObject({ id: null, error: { code: -32600 } })
    await client.request('ping')
    expect(client.messages.slice(before)).toHaveLength(2)
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused in %s', async (version) => {
    const { client } = await open(version)
    await send(client, [request(1, 'ping')])
    expect(await client.seen((message) => 'error' in message)).toMatchObject({
      error: { code: -32600, message: expect.stringContaining(version) },
    })
  })

  it('is answered to every request exactly once, or refused whole, whatever it holds', async () => {
    const message = fc.oneof(
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string()),
        method: fc.constantFrom('ping', 'tools/list', 'nonsense'),
      }),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        method: fc.constantFrom('notifications/x', 'notifications/cancelled'),
      }),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.string(), result: fc.constant({}) }),
      fc.jsonValue(),
    )
    const { client } = await serveRegistry(waiting().registry)
    await client.initialize({}, '2025-03-26')
    let asked = 0
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (array) => {
        const [messages, arrays] = [client.messages.length, client.arrays.length]
        await send(client, array)
        await client.request('ping', undefined, `after ${(asked += 1)}`)
        const told = client.messages.slice(messages, -1)
        const kinds = array.map((each) => classifyMessage(each).type)
        if (array.length === 0 || kinds.includes('invalid') || kinds.includes('batch')) {
          expect(told).toMatchObject([{ id: null, error: { code: -32600 } }])
          return
        }
        const ids = array.flatMap((each) =>
          isJsonObject(each) && 'method' in each && 'id' in each ? [each['id']] : [],
        )
        expect(told.map(({ id }) => id)).toEqual(ids)
        expect(client.arrays.length - arrays).toBe(ids.length === 0 ? 0 : 1)
      }),
    )
  })

  it('is refused before a handshake and in the modern era', async () => {
    const { client } = await serveRegistry(waiting().registry)
    await send(client, [request(1, 'ping')])
    expect(await client.seen((message) => 'error' in message)).toMatchObject({ error: { code: -32600 } })
    await client.request('tools/list', { _meta: envelope() })
    await send(client, [request(2, 'ping')])
    await client.request('server/discover', { _meta: envelope() })
    expect(client.messages.filter((message) => 'error' in message)).toHaveLength(2)
  })
})
