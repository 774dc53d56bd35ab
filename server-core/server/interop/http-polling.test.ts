import { describe, expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { exchange, openSession, type RawResponse } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

/** A tool that closes its connection, and continues on request. */
function letting() {
  const registry = new Registry()
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  registry.addTool({
    name: 'long',
    run: async (_args, ctx) => {
      ctx.progress(1)
      ctx.releaseStream(250)
      await gates[0]?.promise
      ctx.progress(2)
      ctx.releaseStream()
      await gates[1]?.promise
      return 'done'
    },
  })
  registry.addTool({
    name: 'early',
    run: async (_args, ctx) => {
      ctx.releaseStream(0)
      await gates[0]?.promise
      return 'done'
    },
  })
  return { registry, open: (gate: 0 | 1) => gates[gate]?.resolve() }
}

const lastId = (response: RawResponse) => ({
  'last-event-id': response.events.findLast(({ id }) => id)?.id ?? '',
})
const progress = (response: RawResponse): readonly unknown[] =>
  response.messages.map(({ method, params }) =>
    method === 'notifications/progress' ? (params as { progress: number }).progress : 'answer',
  )

describe('polling (2025-11-25)', () => {
  it('lets the connection go, says when to come back, and gives the rest to who does', async () => {
    const { registry, open } = letting()
    const { url } = await serve(registry)
    const session = await openSession(url)
    const call = await session.request(1, 'tools/call', { name: 'long', _meta: { progressToken: 't' } })
    await call.ended
    expect(call.events[0]).toMatchObject({ id: expect.any(String), data: Buffer.alloc(0) })
    expect(call.events.at(-1)).toMatchObject({ retry: 250 })
    expect(progress(call)).toEqual([1])

    const back = await session.listen(lastId(call))
    open(0)
    await back.ended
    expect(progress(back)).toEqual([2])
    expect(back.events.at(-1)).toMatchObject({ retry: 1_000 })

    open(1)
    const again = await session.listen(lastId(back))
    await again.ended
    expect(again.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'done' }] } }])
  })

  it('lets a connection go on which nothing was sent', async () => {
    const { registry, open } = letting()
    const { url } = await serve(registry)
    const session = await openSession(url)
    const call = await session.request('e', 'tools/call', { name: 'early' })
    await call.ended
    expect(call.messages).toEqual([])
    open(0)
    const back = await session.listen(lastId(call))
    await back.ended
    expect(back.messages).toMatchObject([{ id: 'e', result: { content: [{ text: 'done' }] } }])
  })

  it('keeps the connection where there is no session to come back to', async () => {
    const { registry, open } = letting()
    const { url } = await serve(registry, { sessions: 'none' })
    open(0)
    open(1)
    const headers = { 'mcp-protocol-version': '2025-11-25' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'early' } }
    expect(await (await exchange(url, { headers, body })).body()).toMatchObject({
      id: 1,
      result: { content: [{ text: 'done' }] },
    })
    const long = { ...body, params: { name: 'long', _meta: { progressToken: 't' } } }
    const streamed = await exchange(url, { headers, body: long })
    await streamed.ended
    expect(progress(streamed)).toEqual([1, 2, 'answer'])
  })

  it('cancels a call whose connection was let go', async () => {
    const { registry } = letting()
    const { url } = await serve(registry)
    const session = await openSession(url)
    const call = await session.request('c', 'tools/call', { name: 'long', _meta: { progressToken: 't' } })
    await call.ended
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
    const back = await session.listen(lastId(call))
    await back.ended
    expect(back.messages).toEqual([])
  })

  it.each(['2025-03-26', '2025-06-18'])(
    'leaves the connection of a client of %s open, and primes nothing',
    async (version) => {
      const { registry, open } = letting()
      const { url } = await serve(registry)
      const session = await openSession(url, {}, {}, version)
      open(0)
      open(1)
      const call = await session.request(1, 'tools/call', { name: 'long', _meta: { progressToken: 't' } })
      await call.ended
      expect(
        call.events.every(({ data, retry }) => data !== undefined && data.length > 0 && retry === undefined),
      ).toBe(true)
      expect(progress(call)).toEqual([1, 2, 'answer'])
    },
  )
})
