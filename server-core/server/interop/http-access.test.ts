import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { ListenError } from '../../listener/http-listener.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { envelope } from '../raw-client.test-support.ts'
import { exchange, modern, openSession } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

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
    expect(await statusOf(listener.port, head('Host: localhost\r\n', 'http://evil.example/mcp'))).toBe(403)
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

  it('ends what is open without the token once that is required, and nothing else', async () => {
    const secret: { token?: string } = {}
    const { registry } = tools()
    const { url, listener } = await serve(registry, { token: () => secret.token })
    const subscribe = (headers = {}) =>
      modern(url, 'subscriptions/listen', { notifications: { toolsListChanged: true } }, { headers })
    const session = await openSession(url)
    const stream = await session.listen()
    const subscription = await subscribe()
    await subscription.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    listener.endUnadmitted()
    expect(listener.clientCount()).toBe(2)

    secret.token = 'secret'
    const bearer = { authorization: 'Bearer secret' }
    const admitted = await (await openSession(url, {}, bearer)).listen()
    const admittedSubscription = await subscribe(bearer)
    listener.endUnadmitted()
    await Promise.all([stream.ended, subscription.ended])
    expect(subscription.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } })
    expect(listener.clientCount()).toBe(2)
    registry.addTool({ name: 'new', run: () => '' })
    await admitted.seen(({ method }) => method === 'notifications/tools/list_changed')
    await admittedSubscription.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(stream.messages).toEqual([])
  })

  it('wants the token on every method, read again each time', async () => {
    const secret: { token?: string } = {}
    const { url } = await serve(undefined, { token: () => secret.token })
    const attempt = (headers: Record<string, string>, method = 'POST') =>
      exchange(url, { method, headers, ...(method === 'POST' ? { body } : {}) })
    expect((await attempt({})).status).toBe(200)
    secret.token = 'secret'
    const bare = await attempt({})
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(await bare.body()).toEqual({ text: 'Unauthorized: a bearer token is required\n' })
    for (const method of ['POST', 'GET', 'DELETE']) {
      const wrong = await attempt({ authorization: 'Bearer secret2' }, method)
      expect([method, wrong.status, wrong.headers['www-authenticate']]).toMatchObject([
        method,
        401,
        expect.stringContaining('invalid_token'),
      ])
      expect(await wrong.body()).toEqual({
        text: 'Unauthorized: the bearer token is not the one that is expected\n',
      })
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
        `${frame.direction} ${frame.kind} ${'http' in frame ? `${frame.http.exchange} ${frame.http.status ?? ''}` : ''}`.trim(),
      ),
    ).toEqual([
      'received lifecycle',
      'received message 1',
      'sent message 1 200',
      'sent message 1 200',
      'sent message 1 200',
      'received http 2',
      'sent message 2 400',
      'received invalid 3',
      'sent message 3 400',
    ])
    expect(frames[1]).toMatchObject({
      http: { method: 'POST', url: '/mcp', headers: { 'mcp-method': 'tools/call' } },
    })
  })
})
