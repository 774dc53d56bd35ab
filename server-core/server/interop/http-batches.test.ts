import { describe, expect, it } from 'vitest'
import { envelope } from '../raw-client.test-support.ts'
import { exchange, openSession } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const V = '2025-03-26'

describe('an array of messages over Streamable HTTP', () => {
  it('is answered by one array', async () => {
    const { url } = await serve()
    const { post } = await openSession(url, {}, {}, V)
    const echo = { name: 'echo', arguments: { text: 'x' } }
    const call = { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: echo }
    const response = await post([ping(1), initialized, call, { jsonrpc: '2.0', id: 2, method: 'nonsense' }])
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json'])
    const answers = Object.values(await response.body()) as { id: unknown }[]
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 'c'])
  })

  it('is answered on a stream when something precedes the answers', async () => {
    const { url } = await serve()
    const { post } = await openSession(url, {}, {}, V)
    const count = { name: 'count', _meta: { progressToken: 't' } }
    const response = await post([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: count }, ping(2)])
    await response.ended
    expect(response.headers['content-type']).toBe('text/event-stream')
    const told = response.messages as { method?: string; id?: number }[]
    expect(told.map(({ method, id }) => method ?? id).sort()).toEqual([
      1,
      2,
      'notifications/progress',
      'notifications/progress',
    ])
  })

  it('carries answers to what the server asked on the stream of the array', async () => {
    const { registry } = tools()
    registry.addTool({ name: 'roots', run: async (_args, ctx) => String((await ctx.roots()).length) })
    const { url } = await serve(registry)
    const { post } = await openSession(url, { roots: {} }, {}, V)
    const call = await post([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'roots' } }])
    const question = await call.seen(({ method }) => method === 'roots/list')
    const answered = await post([{ jsonrpc: '2.0', id: question['id'], result: { roots: [] } }, initialized])
    expect([answered.status, await answered.body()]).toEqual([202, { text: '' }])
    await call.ended
    expect(call.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: '0' }] } })
  })

  it.each([
    ['empty', []],
    ['with initialize', [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: V } }]],
    ['with a request of the modern era', [{ ...ping(1), params: { _meta: envelope() } }]],
    ['with an invalid message', [ping(1), { id: 2 }]],
    ['too long', Array.from({ length: 101 }, (_, id) => ping(id))],
  ])('is refused when it is %s', async (_name, body) => {
    const { url } = await serve()
    const { post } = await openSession(url, {}, {}, V)
    const response = await post(body)
    expect([response.status, await response.body()]).toMatchObject([400, { error: { code: -32600 } }])
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused in a session of %s', async (version) => {
    const { url } = await serve()
    const { post } = await openSession(url, {}, {}, version)
    const response = await post([ping(1)])
    expect([response.status, await response.body()]).toMatchObject([
      400,
      { error: { code: -32600, message: expect.stringContaining(version) } },
    ])
  })

  it('needs a session', async () => {
    const { url } = await serve()
    expect((await exchange(url, { body: [ping(1)] })).status).toBe(400)
  })
})
