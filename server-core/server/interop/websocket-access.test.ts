import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { exchange, openSession } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'
import { RawWebSocket, type Upgrade } from './websocket-raw.test-support.ts'

const ROUTES = { routes: { ws: true } }

type Refusal = Upgrade & {
  readonly name: string
  readonly status: number
  readonly header?: readonly [string, string]
}

const REFUSALS: readonly Refusal[] = [
  { name: 'POST', method: 'POST', status: 405, header: ['allow', 'GET, OPTIONS'] },
  { name: 'a foreign Host', headers: { Host: 'evil.example' }, status: 403 },
  { name: 'a Host with a foreign port and name', headers: { Host: 'localhost.evil:1' }, status: 403 },
  { name: 'a foreign Origin', headers: { Origin: 'http://evil.example' }, status: 403 },
  { name: 'the Origin null', headers: { Origin: 'null' }, status: 403 },
  { name: 'an Origin on another port', headers: { Origin: 'http://localhost:1' }, status: 403 },
  { name: 'a page of another site without Origin', headers: { 'Sec-Fetch-Site': 'cross-site' }, status: 403 },
  { name: 'no subprotocol', headers: { 'Sec-WebSocket-Protocol': undefined }, status: 400 },
  { name: 'another subprotocol', headers: { 'Sec-WebSocket-Protocol': 'graphql-ws' }, status: 400 },
  { name: 'the subprotocol in capitals', headers: { 'Sec-WebSocket-Protocol': 'MCP' }, status: 400 },
  { name: 'no key', headers: { 'Sec-WebSocket-Key': undefined }, status: 400 },
  { name: 'a short key', headers: { 'Sec-WebSocket-Key': 'c2hvcnQ=' }, status: 400 },
  {
    name: 'no version',
    headers: { 'Sec-WebSocket-Version': undefined },
    status: 426,
    header: ['sec-websocket-version', '13'],
  },
  {
    name: 'an older version',
    headers: { 'Sec-WebSocket-Version': '8' },
    status: 426,
    header: ['sec-websocket-version', '13'],
  },
  { name: 'another Upgrade', headers: { Upgrade: 'h2c' }, status: 426, header: ['upgrade', 'websocket'] },
  {
    name: 'no Upgrade',
    headers: { Upgrade: undefined, Connection: 'keep-alive' },
    status: 426,
    header: ['upgrade', 'websocket'],
  },
  { name: 'another path', path: '/other', status: 404 },
  { name: 'a path below', path: '/ws/more', status: 404 },
  { name: 'a foreign target', path: 'http://evil.example/ws', status: 403 },
]

describe('the handshake of a WebSocket', () => {
  it.each(REFUSALS)(
    'is refused before anything is switched: $name',
    async ({ status, header, ...upgrade }) => {
      const { listener } = await serve(undefined, ROUTES)
      const client = await RawWebSocket.open(listener.port, upgrade)
      expect(client.status).toBe(status)
      if (header !== undefined) expect(client.header(header[0])).toBe(header[1])
      expect(listener.clientCount()).toBe(0)
      client.drop()
    },
  )

  it('selects mcp, whatever else is offered, and proves that it understood the key', async () => {
    const { listener } = await serve(undefined, ROUTES)
    for (const offered of ['mcp', 'mcp, other', 'other, mcp', ' mcp ,other']) {
      const client = await RawWebSocket.open(listener.port, {
        headers: { 'Sec-WebSocket-Protocol': offered },
      })
      expect([client.status, client.header('sec-websocket-protocol')]).toEqual([101, 'mcp'])
      expect(client.isAccepted).toBe(true)
      client.drop()
    }
  })

  it('takes the usual names, its own origin and a query', async () => {
    const { listener } = await serve(undefined, { ...ROUTES, allowedOrigins: ['https://tool.example'] })
    for (const upgrade of [
      { headers: { Host: 'localhost' } },
      { headers: { Host: '[::1]:80' } },
      { headers: { Origin: `http://localhost:${listener.port}` } },
      { headers: { Origin: 'https://tool.example' } },
      { path: '/ws?x=1' },
      { headers: { Connection: 'keep-alive, Upgrade', Upgrade: 'WebSocket' } },
    ]) {
      const client = await RawWebSocket.open(listener.port, upgrade)
      expect([upgrade, client.status]).toEqual([upgrade, 101])
      client.drop()
    }
  })

  it('compresses nothing, though it is offered', async () => {
    const { listener } = await serve(undefined, ROUTES)
    const client = await RawWebSocket.open(listener.port, {
      headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' },
    })
    expect([client.status, client.header('sec-websocket-extensions')]).toEqual([101, undefined])
    client.drop()
  })

  it('wants the token, read again each time', async () => {
    const secret: { token?: string } = { token: 'secret' }
    const { listener } = await serve(undefined, { ...ROUTES, token: () => secret.token })
    const attempt = (headers: Record<string, string>) => RawWebSocket.open(listener.port, { headers })
    const bare = await attempt({})
    expect([bare.status, bare.header('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(bare.body).toContain('token')
    const wrong = await attempt({ Authorization: 'Bearer other' })
    expect([wrong.status, wrong.header('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
    // A foreign page learns nothing of tokens.
    expect((await attempt({ Origin: 'http://evil.example' })).status).toBe(403)
    const offered = `mcp, bearer.${Buffer.from('secret').toString('base64url')}`
    expect((await attempt({ 'Sec-WebSocket-Protocol': offered })).status).toBe(401)
    const right = await attempt({ Authorization: 'Bearer secret' })
    expect(right.status).toBe(101)
    right.drop()
  })

  it('takes a token from a second subprotocol only when told to, and shows it to nobody', async () => {
    const { tap, frames } = recordingTap()
    const setup = { ...ROUTES, tap, token: () => 'a secret/+', tokensInSubprotocol: true }
    const { listener } = await serve(undefined, setup)
    const attempt = (token: string) =>
      RawWebSocket.open(listener.port, {
        headers: { 'Sec-WebSocket-Protocol': `mcp, bearer.${Buffer.from(token).toString('base64url')}` },
      })
    expect((await attempt('other')).status).toBe(401)
    // A bearer token holds no space (RFC 6750), so this one never fits.
    expect((await attempt('a secret/+')).status).toBe(401)
    const plain = await serve(undefined, { ...setup, token: () => 'secret/+=' })
    const client = await RawWebSocket.open(plain.listener.port, {
      headers: {
        'Sec-WebSocket-Protocol': `mcp, bearer.${Buffer.from('secret/+=').toString('base64url')}`,
      },
    })
    expect([client.status, client.header('sec-websocket-protocol')]).toEqual([101, 'mcp'])
    const heads = frames.flatMap((frame) =>
      frame.kind === 'http' ? [frame.http.headers['sec-websocket-protocol']] : [],
    )
    expect(heads.filter((value) => value?.includes('bearer'))).toEqual([])
    client.drop()
  })

  it('is not offered where the route is off', async () => {
    const { listener } = await serve()
    const client = await RawWebSocket.open(listener.port)
    expect(client.status).toBe(404)
  })

  it('is refused at once at the paths of other routes, and told where it is', async () => {
    for (const ws of [true, false]) {
      const { listener } = await serve(undefined, { routes: { mcp: true, sse: true, ws } })
      for (const path of ['/mcp', '/sse', '/mcp?x=1']) {
        const client = await RawWebSocket.open(listener.port, { path })
        const where = ws ? `open it at ${listener.urls.ws ?? ''}` : 'none is served on this port'
        expect([client.status, client.header('connection')]).toEqual([400, 'close'])
        expect(client.body).toContain(`No WebSocket is opened at ${path.slice(0, 4)}: ${where}`)
      }
      expect(listener.clientCount()).toBe(0)
    }
  })

  it('leaves requests alone that name an Upgrade of another kind', async () => {
    const { url } = await serve(undefined, { routes: { mcp: true, ws: true } })
    const session = await openSession(url, {}, { connection: 'Upgrade', upgrade: 'h2c' })
    expect(session.opened.status).toBe(200)
  })

  it('counts with the sessions of all kinds: one more than there may be gets 503', async () => {
    const limits = { ...DEFAULT_LIMITS, sessions: 2 }
    const { listener, url } = await serve(undefined, { routes: { mcp: true, sse: true, ws: true }, limits })
    const client = await RawWebSocket.open(listener.port)
    const session = await openSession(url)
    expect(listener.clientCount()).toBe(2)
    const full = await RawWebSocket.open(listener.port)
    expect([full.status, full.body]).toEqual([503, expect.stringContaining('limit sessions')])
    const sse = listener.urls.sse ?? ''
    expect((await exchange(sse, { method: 'GET' })).status).toBe(503)
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
    expect((await exchange(url, { body: initialize })).status).toBe(503)
    client.drop()
    await expect.poll(() => listener.clientCount()).toBe(1)
    const again = await RawWebSocket.open(listener.port)
    expect(again.status).toBe(101)
    again.drop()
    await session.end()
  })

  it('lets a client go that leaves while it is decided on', async () => {
    const decided = Promise.withResolvers<{ caller: string }>()
    const asked = Promise.withResolvers<undefined>()
    const authorization = {
      admit: () => {
        asked.resolve(undefined)
        return decided.promise
      },
      stillAdmits: () => true,
    }
    const { listener } = await serve(undefined, { ...ROUTES, authorization })
    const opening = RawWebSocket.open(listener.port)
    await asked.promise
    void opening.then((client) => client.drop())
    decided.resolve({ caller: 'late' })
    expect((await opening).status).toBe(101)
    await expect.poll(() => listener.clientCount()).toBe(0)
  })
})
