import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { Registry } from '../../registry/registry.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { envelope } from '../raw-client.test-support.ts'
import { exchange } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'
import { RawSse } from './sse-raw.test-support.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

afterEach(() => {
  vi.useRealTimers()
})

async function open(registry?: Registry, setup: Parameters<typeof serve>[1] = {}) {
  const served = await serve(registry, { routes: { sse: true }, ...setup })
  const url = served.listener.urls.sse ?? ''
  return { ...served, url, messages: url.replace('/sse', '/messages') }
}

describe('HTTP+SSE', () => {
  it('begins with the endpoint event, which names the session like the header does', async () => {
    const { url, listener } = await open()
    const client = await RawSse.open(url)
    const { headers, events } = client.stream
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'mcp-session-id': client.id,
    })
    expect(String(events[0]?.data)).toBe(`/messages?sessionId=${client.id}`)
    expect(client.id).toMatch(/^[\x21-\x7e]{32}$/)
    expect(listener.clientCount()).toBe(1)
    client.drop()
  })

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s: answers, questions and changes come as message events',
    async (version) => {
      const { registry } = tools()
      const { url } = await open(registry)
      const client = await RawSse.open(url)
      const answer = await client.initialize(version, { elicitation: {} })
      expect(answer).toMatchObject({ result: { protocolVersion: version } })
      const posted = await client.post({ ...ping, id: 'p' })
      expect([posted.status, (await posted.body()).text]).toEqual([202, 'Accepted\n'])
      const call = client.request('c', 'tools/call', { name: 'ask' })
      if (version >= '2025-06-18') {
        const question = await client.stream.seen(({ method }) => method === 'elicitation/create')
        const result = { action: 'accept', content: { city: 'Oslo' } }
        expect((await client.post({ jsonrpc: '2.0', id: question['id'], result })).status).toBe(202)
        expect(await call).toMatchObject({ result: { content: [{ text: 'to Oslo' }] } })
      } else expect(await call).toMatchObject({ result: { isError: true } })
      registry.addTool({ name: 'new', run: () => '' })
      await client.stream.seen(({ method }) => method === 'notifications/tools/list_changed')
      expect(new Set(client.stream.events.slice(1).map(({ name, id }) => `${name} ${id ?? ''}`))).toEqual(
        new Set(['message ']),
      )
      client.drop()
    },
  )

  it('mints a session for a POST without one too, and answers in its body until there is a stream', async () => {
    const { url, messages, listener } = await open()
    const first = await exchange(messages, { body: initialize })
    const id = String(first.headers['mcp-session-id'])
    expect([first.status, await first.body()]).toMatchObject([
      200,
      { id: 0, result: { protocolVersion: '2024-11-05' } },
    ])
    expect(listener.clientCount()).toBe(1)
    const own = { 'mcp-session-id': id }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await exchange(messages, { headers: own, body: initialized })).status).toBe(202)
    const second = await exchange(`${messages}?sessionId=${id}`, { body: ping })
    expect([second.status, second.headers['mcp-session-id'], await second.body()]).toEqual([
      200,
      id,
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
    const client = await RawSse.open(url, own)
    expect(client.id).toBe(id)
    expect((await client.post({ ...ping, id: 2 })).status).toBe(202)
    expect(await client.stream.seen((message) => message['id'] === 2)).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: {},
    })
    expect((await exchange(url, { method: 'GET', headers: own })).status).toBe(409)
    client.drop()
  })

  it('keeps what belongs to no answer until there is a stream', async () => {
    const { registry } = tools()
    const { url, messages } = await open(registry)
    const first = await exchange(messages, { body: initialize })
    const own = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
    const post = (body: unknown) => exchange(messages, { headers: own, body })
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    registry.addTool({ name: 'new', run: () => '' })
    const params = { name: 'count', _meta: { progressToken: 't' } }
    const counted = await post({ jsonrpc: '2.0', id: 5, method: 'tools/call', params })
    expect(await counted.body()).toMatchObject({ id: 5, result: { content: [{ text: 'counted' }] } })
    const client = await RawSse.open(url, own)
    await client.stream.until(() => client.stream.messages.length === 3)
    expect(client.stream.messages.map(({ method }) => method).sort()).toEqual([
      'notifications/progress',
      'notifications/progress',
      'notifications/tools/list_changed',
    ])
    client.drop()
  })

  it('answers what its client cannot mean with a status', async () => {
    const { url, messages } = await open(undefined, { limits: { ...DEFAULT_LIMITS, messageBytes: 2_000 } })
    const client = await RawSse.open(url)
    const statusOf = async (body: unknown, headers = {}) => (await client.post(body, headers)).status
    const to = async (target: string, sent: Parameters<typeof exchange>[1]) => {
      const response = await exchange(target, sent)
      return [response.status, response.headers.allow]
    }
    expect(await statusOf('no json')).toBe(400)
    expect(await statusOf('')).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0' })).toBe(400)
    expect(await statusOf([])).toBe(400)
    expect(await statusOf([ping])).toBe(400)
    expect(await statusOf(ping, { 'content-type': 'text/plain' })).toBe(415)
    expect(await statusOf(ping, { 'content-encoding': 'gzip' })).toBe(415)
    expect(await statusOf(' '.repeat(2_001))).toBe(413)
    expect(await statusOf(ping, { accept: 'text/html' })).toBe(202)
    expect(await to(url, { method: 'GET', headers: { accept: 'application/json' } })).toEqual([
      406,
      undefined,
    ])
    expect(await to(url, { body: ping })).toEqual([405, 'GET, OPTIONS'])
    expect(await to(messages, { method: 'GET' })).toEqual([405, 'POST, OPTIONS'])
    expect(await to(url, { method: 'DELETE' })).toEqual([405, 'GET, OPTIONS'])
    expect(await to(url.replace('/sse', '/mcp'), { body: initialize })).toEqual([404, undefined])
    const unknown = await exchange(`${messages}?sessionId=nobody`, { body: ping })
    expect([unknown.status, await unknown.body()]).toMatchObject([404, { id: 1, error: { code: -32600 } }])
    expect(await to(`${url}?sessionId=nobody`, { method: 'GET' })).toEqual([404, undefined])
    const lost = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await to(messages, { body: lost })).toEqual([400, undefined])
    client.drop()
  })

  it('answers invalid JSON with an id of null, unless the session agreed on a revision without one', async () => {
    const { url, messages } = await open()
    const before = await (await exchange(messages, { body: '{' })).body()
    expect(before).toMatchObject({ id: null, error: { code: -32700 } })
    const client = await RawSse.open(url)
    await client.initialize('2025-11-25')
    const after = await (await client.post('{')).body()
    expect(after).toMatchObject({ error: { code: -32700 } })
    expect('id' in after).toBe(false)
  })

  it('never speaks 2026-07-28', async () => {
    const { url, messages } = await open()
    const client = await RawSse.open(url)
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: envelope() } }
    const refused = await client.post(discover)
    expect([refused.status, await refused.body()]).toMatchObject([400, { id: 1, error: { code: -32600 } }])
    expect((await exchange(messages, { body: discover })).status).toBe(400)
    expect(await client.initialize('2026-07-28')).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
    client.drop()
  })

  it('compares the version header with what was agreed', async () => {
    const { url } = await open()
    const client = await RawSse.open(url)
    await client.initialize('2025-06-18')
    const statusOf = async (version: string) =>
      (await client.post(ping, { 'mcp-protocol-version': version })).status
    expect(await statusOf('2025-06-18')).toBe(202)
    expect(await statusOf('2025-03-26')).toBe(400)
    client.drop()
  })

  it('takes arrays where 2025-03-26 was agreed', async () => {
    const { url, messages } = await open()
    const client = await RawSse.open(url)
    await client.initialize('2025-03-26')
    const answers = expect.arrayContaining([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
    expect((await client.post([ping, { ...ping, id: 2 }])).status).toBe(202)
    // On a stream the answers may come one by one.
    const streamed = () => client.stream.messages.flat().slice(1)
    await client.stream.until(() => streamed().length === 2)
    expect(streamed()).toEqual(answers)
    client.drop()
    const params = { ...initialize.params, protocolVersion: '2025-03-26' }
    const first = await exchange(messages, { body: { ...initialize, params } })
    const own = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
    const both = await exchange(messages, { headers: own, body: [ping, { ...ping, id: 2 }] })
    expect([both.status, await both.body()]).toEqual([200, answers])
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await exchange(messages, { headers: own, body: [told] })).status).toBe(202)
  })

  it('ends with its only stream: requests in flight are cancelled, and the session ends', async () => {
    const { registry, started } = tools()
    const { url, listener } = await open(registry)
    const client = await RawSse.open(url)
    await client.initialize()
    const params = { name: 'silent' }
    await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const signal = await started
    client.drop()
    if (!signal.aborted) await once(signal, 'abort')
    await expect.poll(() => listener.clientCount()).toBe(0)
    expect((await client.post(ping)).status).toBe(404)
  })

  it('ends when it is idle; an open stream is not idle, a session that was never initialized is so sooner', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const limits = { ...DEFAULT_LIMITS, sessionIdleMs: 60 }
    const { url, messages, listener } = await open(undefined, { limits })
    const client = await RawSse.open(url)
    await exchange(messages, { body: initialize })
    await exchange(messages, { body: ping })
    expect(listener.clientCount()).toBe(3)
    vi.advanceTimersByTime(120)
    expect(listener.clientCount()).toBe(1)
    expect((await client.post(ping)).status).toBe(202)
    client.drop()
  })

  it('belongs to its caller: to another token it does not exist', async () => {
    const { url } = await open(undefined, {
      authorization: {
        admit: (header) => ({ caller: header ?? 'nobody' }),
        stillAdmits: (caller) => caller !== 'Bearer one',
      },
    })
    const client = await RawSse.open(url, { authorization: 'Bearer one' })
    expect((await client.post(ping, { authorization: 'Bearer two' })).status).toBe(404)
    const own = { authorization: 'Bearer two', 'mcp-session-id': client.id }
    expect((await exchange(url, { method: 'GET', headers: own })).status).toBe(404)
    expect((await client.post(ping, { authorization: 'Bearer one' })).status).toBe(202)
    client.drop()
  })

  it('wants the token on both paths, and Host and Origin before it', async () => {
    const { url, messages } = await open(undefined, { token: () => 'secret' })
    for (const [target, sent] of [
      [url, { method: 'GET' }],
      [messages, { body: initialize }],
    ] as const) {
      const statusOf = async (headers: Record<string, string>) =>
        (await exchange(target, { ...sent, headers })).status
      expect(await statusOf({})).toBe(401)
      expect(await statusOf({ origin: 'http://evil.example' })).toBe(403)
      expect(await statusOf({ host: 'evil.example' })).toBe(403)
    }
    const client = await RawSse.open(url, { authorization: 'Bearer secret' })
    expect((await client.post(ping)).status).toBe(401)
    client.drop()
  })

  it('ends the sessions of callers that are not admitted any more', async () => {
    const secret = { token: 'one' }
    const { url, listener } = await open(undefined, { token: () => secret.token })
    const client = await RawSse.open(url, { authorization: 'Bearer one' })
    secret.token = 'two'
    listener.endUnadmitted()
    await client.stream.ended
    expect(listener.clientCount()).toBe(0)
  })

  it('keeps a quiet stream open with comments', async () => {
    const limits = { ...DEFAULT_LIMITS, keepAliveMs: 30 }
    const { url } = await open(undefined, { limits })
    const response = await fetch(url)
    const reader = response.body?.getReader()
    let text = ''
    while (!text.includes(': keep-alive\n\n: keep-alive\n\n')) {
      text += Buffer.from((await reader?.read())?.value ?? []).toString()
    }
    await reader?.cancel()
    expect(text).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=\S+\n\n: keep-alive/)
  })

  it('answers what is in flight when the listener closes, then ends the streams', async () => {
    const { registry, gate, started } = tools()
    const { url, listener } = await open(registry)
    const [client, quiet] = await Promise.all([RawSse.open(url), RawSse.open(url)])
    await client.initialize()
    const call = client.request('c', 'tools/call', { name: 'silent' })
    await started
    const closed = listener.close()
    await quiet.stream.ended
    gate.resolve()
    expect(await call).toMatchObject({ result: { content: [{ text: 'opened' }] } })
    await Promise.all([client.stream.ended, closed])
  })

  it('cuts off a reader that does not read, visibly', async () => {
    const { tap, frames } = recordingTap()
    const registry = tools().registry
    const aborted = Promise.withResolvers<undefined>()
    registry.addTool({
      name: 'flood',
      run: async (_args, ctx) => {
        ctx.signal.addEventListener('abort', () => {
          aborted.resolve(undefined)
        })
        while (!ctx.signal.aborted) {
          for (let line = 0; line < 10; line += 1) ctx.log.error('x'.repeat(100_000))
          await new Promise((resolve) => setImmediate(resolve))
        }
        return 'flooded'
      },
    })
    const limits = { ...DEFAULT_LIMITS, outgoingBufferBytes: 1_000_000 }
    const { url, listener } = await open(registry, { limits, tap })
    const client = await RawSse.open(url)
    await client.initialize()
    client.stream.pause()
    await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'flood' } })
    await aborted.promise
    expect(listener.cutReaderCount()).toBe(1)
    const last = frames.findLast((frame) => frame.kind === 'http' && frame.http.status === undefined)
    expect(Buffer.from(last?.bytes ?? []).toString()).toContain('outgoingBufferBytes')
    client.drop()
  })

  it('shows each session to a tap of its own', async () => {
    const taps: ReturnType<typeof recordingTap>[] = []
    const root = recordingTap()
    const tap = {
      ...root.tap,
      fork: () => {
        const fork = recordingTap()
        taps.push(fork)
        return fork.tap
      },
    }
    const { url } = await open(undefined, { tap })
    for (const id of ['a', 'b']) {
      const client = await RawSse.open(url)
      await client.request(id, 'ping')
      client.drop()
    }
    const seen = taps.map(({ frames }) =>
      frames.map((frame) =>
        `${frame.direction} ${frame.kind} ${'http' in frame ? `${frame.http.exchange} ${frame.http.status ?? ''}` : ''}`.trim(),
      ),
    )
    expect(seen).toEqual([
      ['received http 1', 'sent http 1 200', 'received message 2', 'sent http 2 202', 'sent message 1 200'],
      ['received http 3', 'sent http 3 200', 'received message 4', 'sent http 4 202', 'sent message 3 200'],
    ])
    expect(root.frames.filter(({ kind }) => kind !== 'lifecycle')).toEqual([])
  })
})
