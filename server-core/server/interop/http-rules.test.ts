import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { unreadableIdIn } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { exchange, openSession, type RawResponse, type Sent } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
type Session = Awaited<ReturnType<typeof openSession>>

const BOTH = 'application/json, text/event-stream'
const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' }
const note = { jsonrpc: '2.0', method: 'notifications/nothing' }
const answer = { jsonrpc: '2.0', id: 'nobody-asked', result: {} }
const gone = { 'mcp-session-id': 'gone' }

type Rule = {
  readonly name: string
  readonly sent: (session: Session) => Sent
  readonly status: number
  readonly code?: number
  readonly body?: JsonObject
}

/** What a session's server answers to (Streamable HTTP of the handshake revisions). */
const RULES: readonly Rule[] = [
  { name: 'a request', sent: () => ({ body: ping }), status: 200, body: { id: 'p', result: {} } },
  {
    name: 'a request of an unknown method',
    sent: () => ({ body: { ...ping, method: 'nonsense' } }),
    status: 200,
    code: -32601,
  },
  { name: 'a notification', sent: () => ({ body: note }), status: 202, body: { text: '' } },
  { name: 'a response nobody waits for', sent: () => ({ body: answer }), status: 202, body: { text: '' } },
  {
    name: 'a second handshake',
    sent: () => ({ body: { ...ping, method: 'initialize' } }),
    status: 200,
    code: -32600,
  },
  { name: 'invalid JSON', sent: () => ({ body: '{' }), status: 400, code: -32700 },
  { name: 'nothing', sent: () => ({ body: '' }), status: 400, code: -32700 },
  { name: 'an invalid message', sent: () => ({ body: { id: 'x' } }), status: 400, code: -32600 },
  { name: 'an id that is null', sent: () => ({ body: { ...ping, id: null } }), status: 400, code: -32600 },
  { name: 'an id with a fraction', sent: () => ({ body: { ...ping, id: 1.5 } }), status: 400, code: -32600 },
  { name: 'no type', sent: () => ({ headers: { 'content-type': '' }, body: ping }), status: 415 },
  {
    name: 'a type of its own',
    sent: () => ({ headers: { 'content-type': 'text/json' }, body: ping }),
    status: 415,
  },
  {
    name: 'a type with parameters',
    sent: () => ({ headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body: ping }),
    status: 200,
  },
  {
    name: 'one type accepted',
    sent: () => ({ headers: { accept: 'application/json' }, body: ping }),
    status: 406,
  },
  {
    name: 'the other accepted',
    sent: () => ({ headers: { accept: 'text/event-stream' }, body: ping }),
    status: 406,
  },
  { name: 'all types accepted', sent: () => ({ headers: { accept: '*/*' }, body: ping }), status: 200 },
  {
    name: 'types with qualities',
    sent: () => ({ headers: { accept: 'text/event-stream;q=0.1 , application/json' }, body: ping }),
    status: 200,
  },
  {
    name: 'a request of a dead session',
    sent: () => ({ headers: gone, body: ping }),
    status: 404,
    code: -32600,
  },
  { name: 'a notification of a dead session', sent: () => ({ headers: gone, body: note }), status: 404 },
  { name: 'a response of a dead session', sent: () => ({ headers: gone, body: answer }), status: 404 },
  {
    name: 'a handshake of a dead session',
    sent: () => ({ headers: gone, body: { ...ping, method: 'initialize' } }),
    status: 404,
  },
  {
    name: 'a GET of a dead session',
    sent: () => ({ method: 'GET', headers: { ...gone, accept: BOTH } }),
    status: 404,
  },
  { name: 'a DELETE of a dead session', sent: () => ({ method: 'DELETE', headers: gone }), status: 404 },
  {
    name: 'a GET that reads no stream',
    sent: () => ({ method: 'GET', headers: { accept: 'application/json' } }),
    status: 406,
  },
  {
    name: 'a GET behind an unknown event',
    sent: () => ({ method: 'GET', headers: { accept: BOTH, 'last-event-id': 'x' } }),
    status: 400,
  },
  { name: 'another method', sent: () => ({ method: 'PUT', body: ping }), status: 405 },
  {
    name: 'a header of another revision',
    sent: () => ({ headers: { 'mcp-protocol-version': '1999-01-01' }, body: ping }),
    status: 400,
    code: -32600,
  },
  {
    name: 'a header in other letters',
    sent: ({ id }) => ({ headers: { 'MCP-Session-Id': id }, body: ping }),
    status: 200,
  },
  { name: 'a DELETE', sent: () => ({ method: 'DELETE' }), status: 204 },
]

describe.each(VERSIONS)('Streamable HTTP in a session of %s', (version) => {
  it.each(RULES.map((rule) => [rule.name, rule.status, rule] as const))(
    'answers %s with %i',
    async (_n, _s, rule) => {
      const { url } = await serve()
      const session = await openSession(url, {}, {}, version)
      const sent = rule.sent(session)
      const response = await exchange(url, { ...sent, headers: { ...session.headers, ...sent.headers } })
      expect(response.status).toBe(rule.status)
      const body = await response.body()
      if (rule.code !== undefined) expect(body).toMatchObject({ error: { code: rule.code } })
      if (rule.body !== undefined) expect(body).toMatchObject(rule.body)
      if (rule.status === 405) expect(response.headers.allow).toContain('POST')
    },
  )

  it('answers what has no readable id with an id of null where the revision requires one', async () => {
    const { url } = await serve()
    const session = await openSession(url, {}, {}, version)
    const expected = unreadableIdIn(version)
    for (const body of ['{', { id: {} }, { ...ping, id: 1.5 }]) {
      const answered = await (await exchange(url, { body, headers: session.headers })).body()
      expect(answered['error']).toBeDefined()
      expect(answered['id']).toBe(expected)
      expect('id' in answered).toBe(expected === null)
    }
    const unknown = await (await exchange(url, { body: '{' })).body()
    expect('id' in unknown).toBe(false)
  })

  it('puts each message on one stream: what belongs to a call on its own, the rest on the GET stream', async () => {
    const { registry, gate } = tools()
    const { url } = await serve(registry)
    const session = await openSession(url, {}, {}, version)
    const unasked = await session.listen()
    const gated = await session.request('g', 'tools/call', { name: 'gated', _meta: { progressToken: 'g' } })
    const counted = await session.request('c', 'tools/call', { name: 'count', _meta: { progressToken: 'c' } })
    await counted.ended
    expect((await (await session.request('p', 'ping')).body())['id']).toBe('p')
    registry.addTool({ name: 'new', run: () => '' })
    await unasked.seen(({ method }) => method === 'notifications/tools/list_changed')
    gate.resolve()
    await gated.ended
    await session.end()
    await unasked.ended
    const told = (response: RawResponse) =>
      response.messages.map(
        ({ id, method, params }) => id ?? (params as JsonObject | undefined)?.['progressToken'] ?? method,
      )
    expect(told(gated)).toEqual(['g', 'g'])
    expect(told(counted)).toEqual(['c', 'c', 'c'])
    expect(told(unasked)).toEqual(['notifications/tools/list_changed'])
    const ids = [unasked, gated, counted].flatMap(({ events }) => events.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keeps a log level for each session', async () => {
    const registry = new Registry()
    registry.addTool({
      name: 'log',
      run: (_args, ctx) => {
        ctx.log.debug('low')
        ctx.log.info('middle')
        ctx.log.error('high')
        return ''
      },
    })
    const { url } = await serve(registry)
    const [one, other] = await Promise.all([
      openSession(url, {}, {}, version),
      openSession(url, {}, {}, version),
    ])
    const logged = async (session: Session) => {
      const response = await session.request('l', 'tools/call', { name: 'log' })
      await response.ended
      return response.messages.flatMap(({ params }) => (params as JsonObject | undefined)?.['data'] ?? [])
    }
    expect(await logged(one)).toEqual(['middle', 'high'])
    await one.request('s', 'logging/setLevel', { level: 'error' })
    await other.request('s', 'logging/setLevel', { level: 'debug' })
    expect(await logged(one)).toEqual(['high'])
    expect(await logged(other)).toEqual(['low', 'middle', 'high'])
  })

  it('goes on when the GET stream is lost, and gives the rest of it to who comes back', async () => {
    const { registry } = tools()
    const { url } = await serve(registry)
    const session = await openSession(url, {}, {}, version)
    const first = await session.listen()
    registry.addTool({ name: 'new', run: () => '' })
    await first.seen(({ method }) => method === 'notifications/tools/list_changed')
    first.drop()
    await first.ended
    registry.addTool({ name: 'later', run: () => '' })
    const back = await session.listen({ 'last-event-id': first.events.at(-1)?.id ?? '' })
    await back.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(new Set(back.events.map(({ id }) => id)).has(first.events.at(-1)?.id)).toBe(false)
    await session.end()
    await back.ended
  })
})
