import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { envelope } from '../raw-client.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

const ALL = { routes: { mcp: true, sse: true, ws: true } }

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'hi' }, _meta: envelope() },
})
const CALL_HEADERS = {
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'echo',
}

type Raw = {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Headers instead of, or beside, the usual ones; undefined leaves one out, a list repeats it. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: string
}

/** The bytes of a request. */
function bytesOf({ method = 'POST', target = '/mcp', version = '1.1', headers = {}, body }: Raw): string {
  const usual: Raw['headers'] = {
    Host: 'localhost',
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  }
  const lines = Object.entries(usual).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}\r\n`),
  )
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** A connection that sends bytes and keeps what comes. */
class Wire {
  readonly socket: Socket
  readonly ended: Promise<unknown>
  #text = ''

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.socket.on('error', () => undefined)
    this.socket.setEncoding('latin1').on('data', (text: string) => (this.#text += text))
    this.ended = new Promise((resolve) => this.socket.on('close', resolve))
  }

  get text(): string {
    return this.#text
  }

  /** The status lines so far, interim ones too. */
  get statuses(): number[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  header(name: string): string | undefined {
    return new RegExp(`^${name}: (.*?)\r$`, 'im').exec(this.#text)?.[1]
  }

  /** Resolves when so many answers came, or the server closed the connection. */
  async answers(count: number): Promise<number[]> {
    while (this.statuses.length < count && !this.socket.closed) {
      await Promise.race([once(this.socket, 'data'), this.ended])
    }
    return this.statuses
  }
}

type Case = Raw & {
  readonly name: string
  readonly status: number
  /** Headers of the answer. */
  readonly answer?: Readonly<Record<string, RegExp | string | undefined>>
  readonly says?: string
  /** The server closes the connection by itself. */
  readonly closes?: boolean
}

const MCP = 'POST, GET, DELETE, OPTIONS'
const notAllowed = (method: string, target: string, allow: string): Case => ({
  name: `${method} ${target}`,
  method,
  target,
  status: 405,
  answer: { allow },
})
const post = (name: string, status: number, more: Partial<Case> = {}): Case => ({
  name,
  status,
  body: INITIALIZE,
  ...more,
})

const METHODS: Case[] = [
  ...['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND'].map((method) => notAllowed(method, '/mcp', MCP)),
  ...['POST', 'DELETE', 'HEAD'].map((method) => notAllowed(method, '/sse', 'GET, OPTIONS')),
  ...['GET', 'DELETE', 'HEAD'].map((method) => notAllowed(method, '/messages', 'POST, OPTIONS')),
  ...['POST', 'DELETE', 'HEAD'].map((method) => notAllowed(method, '/ws', 'GET, OPTIONS')),
  { name: 'OPTIONS', method: 'OPTIONS', status: 204, answer: { 'content-length': '0' } },
  { name: 'a GET without a session', method: 'GET', headers: { Accept: 'text/event-stream' }, status: 405 },
  { name: 'a DELETE without a session', method: 'DELETE', status: 400 },
  {
    name: 'a DELETE of an unknown session',
    method: 'DELETE',
    headers: { 'Mcp-Session-Id': 'x' },
    status: 404,
  },
  { name: 'a plain GET of /ws', method: 'GET', target: '/ws', status: 426, answer: { upgrade: 'websocket' } },
]

const TARGETS: Case[] = [
  ...['/', '/mcp/', '/MCP', '/mcp/x', '//mcp', '/%6dcp', '/.well-known/nothing', '/mcp;x'].map((target) =>
    post(`the target ${target}`, 404, { target }),
  ),
  post('a query', 200, { target: '/mcp?x=1' }),
  post('an absolute target', 403, { target: 'http://localhost/mcp' }),
  post('an absolute target elsewhere', 403, { target: 'http://evil.example/mcp' }),
  { name: 'the target *', method: 'OPTIONS', target: '*', status: 403 },
]

const HEADS: Case[] = [
  post('no Host', 400, { headers: { Host: undefined }, closes: true }),
  post('a foreign Host', 403, { headers: { Host: 'evil.example' } }),
  post('two Hosts', 403, { headers: { Host: ['localhost', 'localhost'] } }),
  post('a foreign Origin', 403, { headers: { Origin: 'https://evil.example' } }),
  post('a foreign Host on an unknown path', 403, { target: '/other', headers: { Host: 'evil.example' } }),
  post('HTTP/1.0 without a Host', 403, { version: '1.0', headers: { Host: undefined }, closes: true }),
  post('HTTP/1.0', 200, { version: '1.0', closes: true }),
  post('HTTP/1.0 that keeps the connection', 200, { version: '1.0', headers: { Connection: 'keep-alive' } }),
  post('HTTP/2.0', 505, { version: '2.0', closes: true }),
  post('no HTTP version', 400, { version: 'x', closes: true }),
  post('a head of 20 KiB', 431, { headers: { 'X-Long': 'x'.repeat(20_000) }, closes: true }),
  post('many headers', 200, {
    headers: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`X-${index}`, 'x'])),
  }),
  post('a header without a name', 400, { headers: { '': 'x' }, closes: true }),
  post('a header with a space in its name', 400, { headers: { 'X Y': 'x' }, closes: true }),
  post('a header with NUL', 400, { headers: { 'X-Nul': 'a\0b' }, closes: true }),
  post('a header over two lines', 400, { headers: { 'X-Long': 'a\r\n b' }, closes: true }),
  post('a line feed alone in a header', 400, { headers: { 'X-Bad': 'a\nHost: evil.example' }, closes: true }),
  post('an unknown method', 400, { closes: true, method: 'NOTHING' }),
]

const BODIES: Case[] = [
  post('two different lengths', 400, { headers: { 'Content-Length': ['5', '6'] }, closes: true }),
  post('two equal lengths', 400, {
    headers: { 'Content-Length': [String(INITIALIZE.length), String(INITIALIZE.length)] },
    closes: true,
  }),
  post('a length and chunks', 400, { headers: { 'Transfer-Encoding': 'chunked' }, closes: true }),
  post('a length that is not a number', 400, { headers: { 'Content-Length': 'x' }, closes: true }),
  post('a negative length', 400, { headers: { 'Content-Length': '-1' }, closes: true }),
  post('a length with a sign', 400, { headers: { 'Content-Length': '+5' }, closes: true }),
  post('a length over what there can be', 400, {
    headers: { 'Content-Length': '9'.repeat(30) },
    closes: true,
  }),
  post('a length over the limit', 413, {
    headers: { 'Content-Length': '100000' },
    closes: true,
    says: 'messageBytes',
  }),
  post('a body over the limit', 413, { body: ' '.repeat(50_000), closes: true }),
  post('chunks over the limit', 413, {
    body: `c350\r\n${' '.repeat(50_000)}\r\n0\r\n\r\n`,
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
    closes: true,
  }),
  post('chunks', 200, {
    body: `${INITIALIZE.length.toString(16)}\r\n${INITIALIZE}\r\n0\r\n\r\n`,
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
  }),
  post('chunks of one byte, with extensions and trailers', 200, {
    body: `${[...INITIALIZE].map((byte) => `1;x=y\r\n${byte}\r\n`).join('')}0\r\nX-Trailer: x\r\n\r\n`,
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
  }),
  post('a chunk without a size', 400, {
    body: 'zz\r\n{}\r\n0\r\n\r\n',
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
    closes: true,
  }),
  post('an unknown transfer encoding', 400, {
    headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'gzip' },
    closes: true,
  }),
  post('no body', 400, { body: '', says: '-32700' }),
  post('no body and no length', 415, { body: undefined as never }),
  post('no type', 415, { headers: { 'Content-Type': undefined } }),
  post('another type', 415, { headers: { 'Content-Type': 'text/plain' } }),
  post('a type that only begins alike', 415, { headers: { 'Content-Type': 'application/jsonx' } }),
  post('a form', 415, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  post('a type with parameters', 200, { headers: { 'Content-Type': 'Application/JSON ; charset=utf-8' } }),
  post('a compressed body', 415, { headers: { 'Content-Encoding': 'gzip' } }),
  post('an identity encoding', 200, { headers: { 'Content-Encoding': 'identity' } }),
  post('no Accept', 406, { headers: { Accept: undefined } }),
  post('an Accept of one kind', 406, { headers: { Accept: 'application/json' } }),
  post('an Accept of the other kind', 406, { headers: { Accept: 'text/event-stream' } }),
  post('an Accept of everything', 200, { headers: { Accept: '*/*' } }),
  post('an Accept that takes one kind back', 406, {
    headers: { Accept: 'application/json, text/event-stream;q=0' },
  }),
  post('an Accept with weights', 200, {
    headers: { Accept: 'text/event-stream;q=0.1, application/json;q=0.9' },
  }),
  post('no JSON', 400, { body: '{', says: '-32700' }),
  post('bad UTF-8', 400, { body: '"\xff"', headers: { 'Content-Length': '3' }, says: '-32700' }),
  post('a number', 400, { body: '1', says: '-32600' }),
]

const EXPECTATIONS: Case[] = [
  post('an expectation that nobody knows', 417, { headers: { Expect: 'wonders' } }),
  post('an Upgrade to HTTP/2', 200, { headers: { Connection: 'Upgrade', Upgrade: 'h2c' } }),
  post('an Upgrade to WebSocket elsewhere', 200, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
  }),
  post('a request of 2026-07-28', 200, { body: CALL, headers: CALL_HEADERS, says: 'hi' }),
  post('a version header that is not the body\u2019s', 400, {
    body: CALL,
    headers: { ...CALL_HEADERS, 'MCP-Protocol-Version': '2025-11-25' },
    says: '-32020',
  }),
  post('a session id that nobody has', 404, {
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    headers: { 'Mcp-Session-Id': 'nobody' },
  }),
]

describe('the listener answers', () => {
  describe.each([
    ['methods', METHODS],
    ['targets', TARGETS],
    ['heads', HEADS],
    ['bodies', BODIES],
    ['expectations, upgrades and eras', EXPECTATIONS],
  ] as const)('%s', (_name, cases) => {
    it.each(cases)('$name: $status', async ({ status, answer = {}, says, closes = false, ...raw }) => {
      const { tap, frames } = recordingTap()
      const limits = { ...DEFAULT_LIMITS, messageBytes: 40_000 }
      const { listener } = await serve(undefined, { ...ALL, limits, tap })
      const wire = new Wire(listener.port)
      wire.socket.write(Buffer.from(bytesOf(raw), 'latin1'))
      expect(await wire.answers(1)).toEqual([status])
      for (const [name, value] of Object.entries(answer)) expect(wire.header(name)).toMatch(value ?? '')
      if (says !== undefined) {
        while (!wire.text.includes(says)) await once(wire.socket, 'data')
      }
      if (closes) await wire.ended
      else {
        // The connection is kept, and the next request on it is served.
        wire.socket.write(bytesOf({ body: CALL, headers: CALL_HEADERS }))
        expect(await wire.answers(2)).toEqual([status, 200])
      }
      if (status === 403) expect(frames.slice(0, 3).some(({ kind }) => kind === 'message')).toBe(false)
      wire.socket.destroy()
    })
  })

  it('nothing when no route is to be served', async () => {
    await expect(serve(undefined, { routes: {} })).rejects.toThrow(RangeError)
    await expect(serve(undefined, { routes: { mcp: false, sse: false } })).rejects.toThrow('route')
  })

  it('what is in flight when it closes, ends subscriptions with their results, and takes no more clients', async () => {
    const { registry, gate, started } = tools()
    const { listener } = await serve(registry)
    const call = (method: string, params: object, name?: string) =>
      bytesOf({
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope() } }),
        headers: { ...CALL_HEADERS, 'Mcp-Method': method, 'Mcp-Name': name },
      })
    const [calling, listening] = [new Wire(listener.port), new Wire(listener.port)]
    listening.socket.write(call('subscriptions/listen', { notifications: { toolsListChanged: true } }))
    await listening.answers(1)
    calling.socket.write(call('tools/call', { name: 'silent' }, 'silent'))
    await started
    const closed = listener.close()
    await listening.ended
    expect(listening.text).toContain('"resultType":"complete"')
    const late = new Wire(listener.port)
    await late.ended
    expect(late.statuses).toEqual([])
    gate.resolve()
    expect(await calling.answers(1)).toEqual([200])
    await Promise.all([calling.ended, closed])
    expect(calling.text).toContain('opened')
  })

  it('a HEAD without a body', async () => {
    const { listener } = await serve()
    const wire = new Wire(listener.port)
    wire.socket.end(bytesOf({ method: 'HEAD' }))
    await wire.ended
    expect(wire.text.endsWith('\r\n\r\n')).toBe(true)
  })

  it('100 before a body only when the head is in order', async () => {
    const { listener } = await serve(undefined, { token: () => 'secret' })
    const head = (headers: Raw['headers']) =>
      bytesOf({ body: INITIALIZE, headers: { Expect: '100-continue', ...headers } }).slice(
        0,
        -INITIALIZE.length,
      )
    for (const [headers, status] of [
      [{ Host: 'evil.example' }, 403],
      [{}, 401],
      [{ Authorization: 'Bearer secret', 'Content-Type': 'text/plain' }, 415],
      [{ Authorization: 'Bearer secret', 'Content-Length': '99999999999' }, 413],
    ] as const) {
      const wire = new Wire(listener.port)
      wire.socket.write(head(headers))
      expect([headers, await wire.answers(1)]).toEqual([headers, [status]])
      wire.socket.destroy()
    }
    const wire = new Wire(listener.port)
    wire.socket.write(head({ Authorization: 'Bearer secret' }))
    expect(await wire.answers(1)).toEqual([100])
    wire.socket.write(INITIALIZE)
    expect(await wire.answers(2)).toEqual([100, 200])
    wire.socket.destroy()
  })

  it('pipelined requests in their order, whichever is ready first', async () => {
    const { registry, gate } = tools()
    const { listener } = await serve(registry)
    const call = (name: string, id: number) => {
      const params = { name, arguments: { text: `text ${id}` }, _meta: envelope() }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
      return bytesOf({ body, headers: { ...CALL_HEADERS, 'Mcp-Name': name } })
    }
    const wire = new Wire(listener.port)
    wire.socket.write(call('silent', 1) + call('echo', 2) + call('echo', 3) + bytesOf({ method: 'PUT' }))
    gate.resolve()
    expect(await wire.answers(4)).toEqual([200, 200, 200, 405])
    expect(wire.text.indexOf('opened')).toBeLessThan(wire.text.indexOf('text 2'))
    expect(wire.text.indexOf('text 2')).toBeLessThan(wire.text.indexOf('text 3'))
    wire.socket.destroy()
  })

  it('a request whose bytes come one by one', async () => {
    const { listener } = await serve()
    const wire = new Wire(listener.port)
    for (const byte of bytesOf({ body: CALL, headers: CALL_HEADERS })) {
      wire.socket.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await wire.answers(1)).toEqual([200])
    wire.socket.destroy()
  })

  it('408 to a head or a body that does not come, and goes on', async () => {
    const limits = { ...DEFAULT_LIMITS, headMs: 2_000, requestMs: 3_000 }
    const { listener } = await serve(undefined, { limits })
    const slow = new Wire(listener.port)
    slow.socket.write('POST /mcp HTTP/1.1\r\nHost: loc')
    const bodiless = new Wire(listener.port)
    bodiless.socket.write(bytesOf({ body: INITIALIZE }).slice(0, -10))
    await Promise.all([slow.ended, bodiless.ended])
    expect([slow.statuses, bodiless.statuses]).toEqual([[408], [408]])
    const wire = new Wire(listener.port)
    wire.socket.write(bytesOf({ body: CALL, headers: CALL_HEADERS }))
    expect(await wire.answers(1)).toEqual([200])
    wire.socket.destroy()
  })

  it('nobody beyond the number of sockets there may be', async () => {
    const limits = { ...DEFAULT_LIMITS, sockets: 2 }
    const { listener } = await serve(undefined, { limits })
    const [first, second] = [new Wire(listener.port), new Wire(listener.port)]
    for (const wire of [first, second]) {
      wire.socket.write(bytesOf({ body: CALL, headers: CALL_HEADERS }))
      expect(await wire.answers(1)).toEqual([200])
    }
    const third = new Wire(listener.port)
    await third.ended
    expect(third.statuses).toEqual([])
    first.socket.destroy()
    second.socket.destroy()
  })

  it('rubbish behind an open stream by ending it, never inside it', async () => {
    const { registry } = tools()
    const { listener } = await serve(registry, ALL)
    const wire = new Wire(listener.port)
    wire.socket.write(bytesOf({ method: 'GET', target: '/sse' }))
    expect(await wire.answers(1)).toEqual([200])
    wire.socket.write('\x16\x03\x01rubbish\r\n\r\n')
    await wire.ended
    expect(wire.statuses).toEqual([200])
  })

  it('a CONNECT, TLS and nothing at all by closing the connection', async () => {
    const { listener } = await serve(undefined, ALL)
    for (const bytes of [
      'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01',
      '',
    ]) {
      const wire = new Wire(listener.port)
      wire.socket.end(Buffer.from(bytes, 'latin1'))
      await wire.ended
      expect([[], [400]]).toContainEqual(wire.statuses)
    }
  })

  it('a reader that does not take a long answer by cutting it off, visibly', async () => {
    const { tap, frames } = recordingTap()
    const limits = { ...DEFAULT_LIMITS, outgoingStallMs: 60 }
    const { listener } = await serve(undefined, { limits, tap })
    const wire = new Wire(listener.port)
    wire.socket.pause()
    const params = { name: 'echo', arguments: { text: 'x'.repeat(20_000_000) }, _meta: envelope() }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    wire.socket.write(bytesOf({ body, headers: CALL_HEADERS }))
    await expect.poll(() => listener.cutReaderCount()).toBe(1)
    const last = frames.at(-1)
    expect(Buffer.from(last?.bytes ?? []).toString()).toContain('outgoingStallMs')
    wire.socket.destroy()
  })

  it('a long answer whole to a reader that is only slow', async () => {
    const { listener } = await serve()
    const wire = new Wire(listener.port)
    const text = 'é'.repeat(3_000_000)
    const params = { name: 'echo', arguments: { text }, _meta: envelope() }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    wire.socket.write(bytesOf({ body, headers: { ...CALL_HEADERS, Connection: 'close' } }))
    await wire.ended
    const answer = Buffer.from(wire.text.slice(wire.text.indexOf('\r\n\r\n') + 4), 'latin1').toString()
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { content: [{ text }] } })
  })
})
