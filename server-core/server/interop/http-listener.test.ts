import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS, type Limits } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { ListenError, startHttpListener, type HttpListenerOptions } from '../../transports/http-listener.ts'
import { recordingTap } from '../../transports/recording.test-support.ts'
import { envelope } from '../raw-client.test-support.ts'
import { createServer } from '../server.ts'
import { exchange, modern, openSession } from './http-raw.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Setup = Partial<HttpListenerOptions> & { readonly limits?: Limits }

async function serve(registry: Registry = tools().registry, setup: Setup = {}) {
  const limits = setup.limits ?? DEFAULT_LIMITS
  const server = createServer({ registry, info: { name: 'test', version: '1' }, limits })
  const listener = await startHttpListener({ server, port: 0, ...setup })
  closing.push(async () => {
    await listener.close()
    await server.close()
  })
  return { server, listener, url: listener.url }
}

function tools() {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<AbortSignal>()
  registry.addTool({
    name: 'echo',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => String(text),
  })
  registry.addTool({
    name: 'count',
    run: (_args, ctx) => {
      for (const value of [1, 2]) ctx.progress(value, 2)
      return 'counted'
    },
  })
  registry.addTool({
    name: 'gated',
    run: async (_args, ctx) => {
      started.resolve(ctx.signal)
      ctx.progress(1)
      await gate.promise
      return 'opened'
    },
  })
  registry.addTool({
    name: 'silent',
    run: async (_args, ctx) => {
      started.resolve(ctx.signal)
      await gate.promise
      return 'opened'
    },
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      const { city } = await ctx.elicit(
        'City?',
        { type: 'object', properties: { city: { type: 'string' } } },
        { key: 'city' },
      )
      return `to ${String(city)}`
    },
  })
  registry.addTool({
    name: 'region',
    input: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        size: { type: 'integer', 'x-mcp-header': 'Size' },
      },
    },
    run: () => 'ok',
  })
  return { registry, gate, started: started.promise }
}

describe('POST of 2026-07-28', () => {
  it('is answered by one JSON body with its length', async () => {
    const { url } = await serve()
    const response = await modern(url, 'tools/call', { name: 'echo', arguments: { text: 'é' } }, { id: 'x' })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(response.headers['content-length']).toBeDefined()
    expect(response.headers['mcp-session-id']).toBeUndefined()
    expect(await response.body()).toMatchObject({
      id: 'x',
      result: { content: [{ text: 'é' }], resultType: 'complete' },
    })
  })

  it('becomes a stream when something precedes the answer', async () => {
    const { url } = await serve()
    const response = await modern(url, 'tools/call', { name: 'count' }, { meta: { progressToken: 't' } })
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    await response.ended
    expect(response.messages.map((message) => message['method'] ?? 'answer')).toEqual([
      'notifications/progress',
      'notifications/progress',
      'answer',
    ])
    expect(response.events.every(({ id }) => id === undefined)).toBe(true)
  })

  it.each([
    ['no envelope', { headers: {} }, { params: {} }, 400, -32602],
    ['an unknown version', { headers: { 'mcp-protocol-version': 'v9' } }, { version: 'v9' }, 400, -32022],
    ['a version that the header contradicts', {}, { version: 'v9' }, 400, -32020],
    ['a method that the header contradicts', { headers: { 'mcp-method': 'tools/LIST' } }, {}, 400, -32020],
    ['a name that the header contradicts', { headers: { 'mcp-name': 'other' } }, {}, 400, -32020],
    ['a name whose base64 is broken', { headers: { 'mcp-name': '=?base64?x?=' } }, {}, 400, -32020],
    ['an unknown method', { headers: { 'mcp-method': 'ping' } }, { method: 'ping' }, 404, -32601],
  ] as const)(
    'refuses %s',
    async (
      _name,
      { headers }: { headers?: Record<string, string> },
      body: { version?: string; method?: string; params?: object },
      status,
      code,
    ) => {
      const { url } = await serve()
      const response = await exchange(url, {
        headers: {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
          ...headers,
        },
        body: {
          jsonrpc: '2.0',
          id: 5,
          method: body.method ?? 'tools/call',
          params: body.params ?? {
            name: 'echo',
            _meta: {
              'io.modelcontextprotocol/protocolVersion': body.version ?? '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        },
      })
      expect([response.status, await response.body()]).toMatchObject([status, { id: 5, error: { code } }])
    },
  )

  it('needs its headers, and takes a padded name', async () => {
    const { url } = await serve()
    const body = async (headers: Record<string, string>) => {
      const response = await modern(url, 'tools/call', { name: 'echo', arguments: {} }, { headers })
      return (await response.body())['error'] ?? response.status
    }
    expect(await body({ 'mcp-name': '  echo ' })).toBe(200)
    expect(await body({ 'mcp-name': '=?base64?ZWNobw==?=' })).toBe(200)
    const missing = await exchange(url, {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } },
    })
    expect([missing.status, await missing.body()]).toMatchObject([400, { error: { code: -32020 } }])
  })

  it('compares the headers that repeat arguments', async () => {
    const { url } = await serve()
    const call = async (args: object, headers: Record<string, string>) => {
      const response = await modern(
        url,
        'tools/call',
        { name: 'region', arguments: { ...args } },
        { headers },
      )
      return response.status
    }
    expect(
      await call(
        { region: 'Hello', size: 42 },
        { 'mcp-param-region': '=?base64?SGVsbG8=?=', 'mcp-param-size': '42.0' },
      ),
    ).toBe(200)
    expect(await call({}, {})).toBe(200)
    expect(await call({ region: 'Hello' }, {})).toBe(400)
    expect(await call({}, { 'mcp-param-region': 'Hello' })).toBe(400)
    expect(await call({ region: 'Hello' }, { 'mcp-param-region': 'hello' })).toBe(400)
    expect(await call({ size: 42 }, { 'mcp-param-size': '4.2e1' })).toBe(400)
  })

  it('gives the status of a missing capability, and 200 to what a handler says', async () => {
    const { url } = await serve()
    expect((await modern(url, 'tools/call', { name: 'ask' })).status).toBe(400)
    const unknown = await modern(url, 'tools/call', { name: 'none' })
    expect([unknown.status, await unknown.body()]).toMatchObject([200, { error: { code: -32602 } }])
  })

  it('asks by input_required, and takes the retry on another connection', async () => {
    const { url } = await serve()
    const capabilities = { elicitation: {} }
    const first = await (await modern(url, 'tools/call', { name: 'ask' }, { capabilities })).body()
    const { requestState } = first['result'] as { requestState: string }
    const inputResponses = { city: { action: 'accept', content: { city: 'Oslo' } } }
    const done = await modern(
      url,
      'tools/call',
      { name: 'ask', requestState, inputResponses },
      { capabilities, id: 2 },
    )
    expect(await done.body()).toMatchObject({ result: { content: [{ text: 'to Oslo' }] } })
  })

  it('is cancelled when its client goes', async () => {
    const { registry, started } = tools()
    const { url } = await serve(registry)
    const response = await modern(url, 'tools/call', { name: 'gated' }, { meta: { progressToken: 1 } })
    const signal = await started
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    response.drop()
    await aborted
  })

  it('keeps a subscription open, and ends it with its result when the listener closes', async () => {
    const { registry } = tools()
    const { url, listener } = await serve(registry)
    const response = await modern(
      url,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { id: 7 },
    )
    await response.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    registry.addTool({ name: 'new', run: () => '' })
    await response.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(listener.clientCount()).toBe(1)
    await listener.close()
    expect(await response.seen(({ id }) => id === 7)).toMatchObject({ result: { resultType: 'complete' } })
  })

  it('takes notifications and refuses arrays, responses and what is no message', async () => {
    const { url } = await serve()
    const statusOf = async (body: unknown) => (await exchange(url, { body })).status
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    const notified = await exchange(url, { headers, body: { jsonrpc: '2.0', method: 'notifications/any' } })
    expect([notified.status, await notified.body()]).toEqual([202, { text: '' }])
    expect(await statusOf([])).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0', id: 1, result: {} })).toBe(400)
    expect(await statusOf('{"jsonrpc":')).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0', id: null, method: 'x' })).toBe(400)
  })
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

  it('end by DELETE and are gone then', async () => {
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
    const limits = { ...DEFAULT_LIMITS, sessions: 1, sessionIdleMs: 50 }
    const { url, listener } = await serve(undefined, { limits })
    const first = await openSession(url)
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
    expect((await exchange(url, { body })).status).toBe(503)
    await expect.poll(() => listener.clientCount()).toBe(0)
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

describe('the door', () => {
  /** Sends a head as it is and gives the status line's number. */
  async function statusOf(port: number, head: string): Promise<number> {
    const socket = connect(port, '127.0.0.1')
    socket.end(head)
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  }
  const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
  const head = (hosts: string, target = '/mcp', version = '1.1') =>
    `POST ${target} HTTP/${version}\r\n${hosts}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`

  it('takes loopback names with any port, in any case', async () => {
    const { listener } = await serve()
    for (const host of [
      'localhost',
      'LOCALHOST:1',
      `127.0.0.1:${listener.port}`,
      '127.1.2.3',
      '[::1]:80',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ]) {
      expect([host, await statusOf(listener.port, head(`Host: ${host}\r\n`))]).toEqual([host, 200])
    }
  })

  it('refuses every other Host before it parses anything', async () => {
    const { tap, frames } = recordingTap()
    const { listener } = await serve(undefined, { tap })
    const hosts = [
      'evil.example',
      'localhost.evil',
      'evil.localhost.example:80',
      'localhost.',
      '127.0.0.1.evil',
      '127.evil',
      '10.0.0.1',
      '[::2]',
      '[::ffff:10.0.0.1]',
      'localhost@evil',
      'a,localhost',
      '0',
      'ｌocalhost',
      '',
    ]
    for (const host of hosts) {
      expect([host, await statusOf(listener.port, head(`Host: ${host}\r\n`))]).toEqual([host, 403])
    }
    expect(await statusOf(listener.port, head('Host: localhost\r\nHost: evil.example\r\n'))).toBe(403)
    expect(await statusOf(listener.port, head('Host: evil.example\r\nHost: localhost\r\n'))).toBe(403)
    expect(await statusOf(listener.port, head('', '/mcp', '1.0'))).toBe(403)
    expect(await statusOf(listener.port, head('Host: evil.example\r\n', 'http://localhost/mcp'))).toBe(403)
    expect(await statusOf(listener.port, head('Host: localhost\r\n', 'http://evil.example/mcp'))).toBe(404)
    expect(frames.some((frame) => frame.kind === 'message')).toBe(false)
  })

  it('takes listed names', async () => {
    const { listener } = await serve(undefined, { allowedHosts: ['Box.example'] })
    expect(await statusOf(listener.port, head('Host: box.example:8080\r\n'))).toBe(200)
  })

  it('takes its own origin and listed ones, and no other page', async () => {
    const { url, listener } = await serve(undefined, { allowedOrigins: ['https://tool.example'] })
    const statusFor = async (origin: string) => (await exchange(url, { headers: { origin }, body })).status
    expect(await statusFor(`http://localhost:${listener.port}`)).toBe(200)
    expect(await statusFor('https://tool.example')).toBe(200)
    for (const origin of [
      'null',
      'http://evil.example',
      'http://localhost:1',
      'https://tool.example.evil',
      'http://tool.example',
    ]) {
      expect([origin, await statusFor(origin)]).toEqual([origin, 403])
    }
    const preflight = await exchange(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://tool.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-param-region, x-evil',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('https://tool.example')
    expect(preflight.headers['access-control-allow-headers']).toContain('mcp-param-region')
    expect(preflight.headers['access-control-allow-headers']).not.toContain('x-evil')
    expect(
      (await exchange(url, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } })).status,
    ).toBe(403)
  })

  it('wants the token on every method, read anew each time', async () => {
    let token: string | undefined
    const { url } = await serve(undefined, { token: () => token })
    const attempt = (headers: Record<string, string>, method = 'POST') =>
      exchange(url, { method, headers, ...(method === 'POST' ? { body } : {}) })
    expect((await attempt({})).status).toBe(200)
    token = 'secret'
    const bare = await attempt({})
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    for (const method of ['POST', 'GET', 'DELETE']) {
      const wrong = await attempt({ authorization: 'Bearer secret2' }, method)
      expect([method, wrong.status, wrong.headers['www-authenticate']]).toMatchObject([
        method,
        401,
        expect.stringContaining('invalid_token'),
      ])
    }
    expect((await attempt({ authorization: 'Basic secret' })).status).toBe(401)
    expect((await attempt({ authorization: 'bearer secret' })).status).toBe(200)
  })

  it('serves its path and methods alone', async () => {
    const { url } = await serve()
    expect((await exchange(url.replace('/mcp', '/other'), { body })).status).toBe(404)
    const put = await exchange(url, { method: 'PUT', body })
    expect([put.status, put.headers.allow]).toEqual([405, 'POST, GET, DELETE, OPTIONS'])
    expect((await exchange(url, { method: 'GET', headers: { accept: 'text/event-stream' } })).status).toBe(
      405,
    )
  })

  it('wants JSON of a size it can bear, and a client that reads both kinds of answer', async () => {
    const { url } = await serve(undefined, { limits: { ...DEFAULT_LIMITS, messageBytes: 1_000 } })
    const statusFor = async (headers: Record<string, string>) =>
      (await exchange(url, { headers, body })).status
    expect(await statusFor({ 'content-type': 'text/plain' })).toBe(415)
    expect(await statusFor({ 'content-type': 'application/json; charset=utf-8' })).toBe(200)
    expect(await statusFor({ 'content-encoding': 'gzip' })).toBe(415)
    expect(await statusFor({ accept: 'application/json' })).toBe(406)
    expect(await statusFor({ accept: 'text/event-stream;q=0, application/json' })).toBe(406)
    expect(await statusFor({ accept: '*/*' })).toBe(200)
    expect(await statusFor({ accept: 'text/*, application/json;q=0.5' })).toBe(200)
    expect((await exchange(url, { body: ' '.repeat(1_001) })).status).toBe(413)
    const chunked = await exchange(url, {
      headers: { 'transfer-encoding': 'chunked' },
      body: ' '.repeat(5_000),
    })
    expect(chunked.status).toBe(413)
  })

  it('names the port that is taken', async () => {
    const { listener } = await serve()
    const attempt = serve(undefined, { port: listener.port })
    await expect(attempt).rejects.toBeInstanceOf(ListenError)
    await expect(attempt).rejects.toMatchObject({ code: 'port-taken', port: listener.port })
    await expect(attempt).rejects.toThrow(String(listener.port))
  })

  it('cuts off a reader that does not read, and serves the others', async () => {
    const registry = tools().registry
    const cut = Promise.withResolvers<void>()
    registry.addTool({
      name: 'flood',
      run: async (_args, ctx) => {
        ctx.signal.addEventListener('abort', () => {
          cut.resolve()
        })
        while (!ctx.signal.aborted) {
          for (let line = 0; line < 10; line += 1) ctx.log.error('x'.repeat(100_000))
          await new Promise((resolve) => setImmediate(resolve))
        }
        return 'flooded'
      },
    })
    const { url } = await serve(registry, { limits: { ...DEFAULT_LIMITS, outgoingBufferBytes: 1_000_000 } })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.pause()
    socket.on('error', () => undefined)
    const flood = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'flood', _meta: envelope({}, { 'io.modelcontextprotocol/logLevel': 'error' }) },
    })
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: flood\r\nContent-Length: ${flood.length}\r\n\r\n${flood}`,
    )
    await cut.promise
    socket.destroy()
    expect((await modern(url, 'tools/list')).status).toBe(200)
  })

  it('shows the tap every byte, with its HTTP facts', async () => {
    const { tap, frames } = recordingTap()
    const { url } = await serve(undefined, { tap })
    await (
      await modern(url, 'tools/call', { name: 'count' }, { meta: { progressToken: 1 } })
    ).ended
    await (
      await exchange(url, { method: 'DELETE' })
    ).ended
    await (
      await exchange(url, { body: 'no json' })
    ).ended
    expect(
      frames.map((frame) =>
        `${frame.direction} ${frame.kind} ${'http' in frame ? `${frame.http?.exchange} ${frame.http?.status ?? ''}` : ''}`.trim(),
      ),
    ).toEqual([
      'received life',
      'received message 1',
      'sent message 1 200',
      'sent message 1 200',
      'sent message 1 200',
      'received http 2',
      'sent message 2 400',
      'received noise 3',
      'sent message 3 400',
    ])
    expect(frames[1]).toMatchObject({
      http: { method: 'POST', url: '/mcp', headers: { 'mcp-method': 'tools/call' } },
    })
  })
})
