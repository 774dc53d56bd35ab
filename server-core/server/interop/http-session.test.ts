import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { exchange, openSession } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('sessions of 2025-11-25', () => {
  it('begin with an id of visible ASCII that every request needs', async () => {
    const { url } = await serve()
    const session = await openSession(url)
    expect(session.id).toMatch(/^[\x21-\x7e]{32}$/)
    expect(session.opened.headers['content-type']).toBe('application/json')
    expect((await session.request(1, 'ping')).status).toBe(200)
    const lost = await exchange(url, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    expect([lost.status, await lost.body()]).toMatchObject([400, { id: 1, error: { code: -32600 } }])
    const headers = { ...session.headers, 'mcp-session-id': 'x' }
    expect((await exchange(url, { headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status).toBe(
      404,
    )
  })

  it('compare the version header with what was agreed, and tolerate its absence', async () => {
    const { url } = await serve()
    const { id } = await openSession(url)
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const statusOf = async (headers: Record<string, string>) =>
      (await exchange(url, { headers: { 'mcp-session-id': id, ...headers }, body })).status
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ 'mcp-protocol-version': '2025-06-18' })).toBe(400)
  })

  it('end by DELETE and no longer exist then', async () => {
    const { url, listener } = await serve()
    const session = await openSession(url)
    expect(listener.clientCount()).toBe(1)
    expect((await session.end()).status).toBe(204)
    expect((await session.request(1, 'ping')).status).toBe(404)
    expect((await session.end()).status).toBe(404)
    expect(listener.clientCount()).toBe(0)
  })

  it('stream a call with progress after a priming event, on ids of its own', async () => {
    const { url } = await serve()
    const session = await openSession(url)
    const response = await session.request(1, 'tools/call', { name: 'count', _meta: { progressToken: 't' } })
    await response.ended
    expect(response.events[0]).toMatchObject({ id: expect.any(String), data: Buffer.alloc(0) })
    expect(response.messages.map((message) => message['method'] ?? message['id'])).toEqual([
      'notifications/progress',
      'notifications/progress',
      1,
    ])
    expect(new Set(response.events.map(({ id }) => id)).size).toBe(4)
  })

  it('go on when a stream is lost, and give the rest of that stream alone to who comes back', async () => {
    const { registry, gate } = tools()
    const { url } = await serve(registry)
    const session = await openSession(url)
    const lost = await session.request('lost', 'tools/call', { name: 'gated', _meta: { progressToken: 1 } })
    await lost.seen(({ method }) => method === 'notifications/progress')
    lost.drop()
    await lost.ended
    const other = await session.request('other', 'tools/call', { name: 'count', _meta: { progressToken: 2 } })
    await other.ended
    gate.resolve()
    const back = await session.listen({ 'last-event-id': lost.events.at(-1)?.id ?? '' })
    await back.ended
    expect(back.messages).toMatchObject([{ id: 'lost', result: { content: [{ text: 'opened' }] } }])
    expect((await session.listen({ 'last-event-id': '99-1' })).status).toBe(400)
  })

  it('ask on the stream of the call, and take the answer by POST', async () => {
    const { url } = await serve()
    const session = await openSession(url, { elicitation: {} })
    const call = await session.request(1, 'tools/call', { name: 'ask' })
    const question = await call.seen(({ method }) => method === 'elicitation/create')
    const result = { action: 'accept', content: { city: 'Rome' } }
    expect((await session.post({ jsonrpc: '2.0', id: question['id'], result })).status).toBe(202)
    expect(await call.seen(({ id }) => id === 1)).toMatchObject({
      result: { content: [{ text: 'to Rome' }] },
    })
  })

  it('tell what is unasked on the GET stream, what came before it too, and only there', async () => {
    const { registry } = tools()
    registry.addPrompt({ name: 'first', get: () => '' })
    const { url } = await serve(registry)
    const session = await openSession(url)
    registry.addTool({ name: 'early', run: () => '' })
    const stream = await session.listen()
    await stream.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect((await session.listen()).status).toBe(409)
    registry.addPrompt({ name: 'late', get: () => '' })
    await stream.seen(({ method }) => method === 'notifications/prompts/list_changed')
    await session.end()
    await stream.ended
  })

  it('end a cancelled call without an answer', async () => {
    const { registry, started } = tools()
    const { url } = await serve(registry)
    const session = await openSession(url)
    const call = session.request('c', 'tools/call', { name: 'silent' })
    const signal = await started
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
    const response = await call
    await response.ended
    expect(signal.aborted).toBe(true)
    expect(response.messages).toEqual([])
  })

  it('are not opened by a handshake that fails', async () => {
    const { url, listener } = await serve()
    const response = await exchange(url, {
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    })
    expect(response.headers['mcp-session-id']).toBeUndefined()
    expect(await response.body()).toMatchObject({ error: { code: -32602 } })
    expect(listener.clientCount()).toBe(0)
  })

  it('are bounded in number, and end when they are idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const limits = { ...DEFAULT_LIMITS, sessions: 1, sessionIdleMs: 50 }
    const { url, listener } = await serve(undefined, { limits })
    const first = await openSession(url)
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
    expect((await exchange(url, { body })).status).toBe(503)
    vi.advanceTimersByTime(100)
    expect(listener.clientCount()).toBe(0)
    expect((await first.request(1, 'ping')).status).toBe(404)
  })

  it('belong to their caller: to another token they do not exist', async () => {
    let token = 'one'
    const { url } = await serve(undefined, { token: () => token })
    const session = await openSession(url, {}, { authorization: 'Bearer one' })
    token = 'two'
    expect((await session.request(1, 'ping')).status).toBe(401)
    const headers = { ...session.headers, authorization: 'Bearer two' }
    expect((await exchange(url, { headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status).toBe(
      404,
    )
  })

  it('serve many clients that use the same ids', async () => {
    const { url } = await serve()
    const clients = await Promise.all(Array.from({ length: 20 }, () => openSession(url)))
    const wrong: unknown[] = []
    await Promise.all(
      clients.flatMap((client, which) =>
        Array.from({ length: 10 }, async (_, id) => {
          const text = `${which}/${id}`
          const reply = await (
            await client.request(id, 'tools/call', { name: 'echo', arguments: { text } })
          ).body()
          const { content } = reply['result'] as { content: { text: string }[] }
          if (reply['id'] !== id || content[0]?.text !== text) wrong.push(reply)
        }),
      ),
    )
    expect(wrong).toEqual([])
  })
})
