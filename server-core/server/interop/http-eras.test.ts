import { describe, expect, it } from 'vitest'
import type { Revision } from '../../protocol/revisions.ts'
import { envelope } from '../raw-client.test-support.ts'
import { exchange, modern, openSession } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

const LEGACY: readonly Revision[] = ['2025-03-26', '2025-11-25']
const MODERN: readonly Revision[] = ['2026-07-28']
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

describe('HTTP of a server of 2026-07-28 alone', () => {
  it.each([
    ['a handshake', initialize('2025-06-18'), {}, { supported: MODERN, requested: '2025-06-18' }],
    [
      'a request',
      { jsonrpc: '2.0', id: 7, method: 'tools/list' },
      {},
      { supported: MODERN, requested: '2025-03-26' },
    ],
    [
      'a request with an old header',
      { jsonrpc: '2.0', id: 7, method: 'ping' },
      { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'x' },
      { supported: MODERN, requested: '2025-11-25' },
    ],
  ])('refuses %s with what it speaks', async (_name, body, headers, data) => {
    const { url } = await serve(undefined, { revisions: MODERN })
    const response = await exchange(url, { headers, body })
    expect([response.status, await response.body()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32022, message: expect.stringContaining('2026-07-28'), data },
      },
    ])
  })

  it('takes no notifications, responses or arrays of older ones, no GET and no DELETE', async () => {
    const { url, listener } = await serve(undefined, { revisions: MODERN })
    const bodies: [unknown, number, string?][] = [
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, -32022, '2025-03-26'],
      [{ jsonrpc: '2.0', id: 1, result: {} }, -32600],
      [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
      [[], -32600],
    ]
    for (const [body, code, requested] of bodies) {
      const response = await exchange(url, { body })
      const data = requested === undefined ? {} : { data: { supported: MODERN, requested } }
      expect([response.status, await response.body()]).toMatchObject([400, { error: { code, ...data } }])
    }
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': 'x' }
      const response = await exchange(url, { method, headers })
      expect([response.status, response.headers.allow]).toEqual([405, 'POST, OPTIONS'])
    }
    expect((await modern(url, 'tools/list')).status).toBe(200)
    expect(listener.clientCount()).toBe(0)
  })
})

describe('a listener', () => {
  it('opens no HTTP+SSE where nobody could shake hands on it', async () => {
    for (const routes of [{ sse: true }, { mcp: true, sse: true }]) {
      const refused = serve(undefined, { revisions: MODERN, routes })
      await expect(refused).rejects.toThrow('the route sse needs a server of a revision that opens')
    }
    const { listener } = await serve(undefined, { revisions: [...LEGACY, ...MODERN], routes: { sse: true } })
    expect(listener.urls).toHaveProperty('sse')
  })
})

describe('HTTP of a server of handshake revisions alone', () => {
  it('refuses requests that name a version, with what it speaks', async () => {
    const { url } = await serve(undefined, { revisions: LEGACY })
    const response = await modern(url, 'server/discover')
    expect([response.status, await response.body()]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: LEGACY, requested: '2026-07-28' } } },
    ])
    const header = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const bare = await exchange(url, {
      headers: header,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect([bare.status, await bare.body()]).toMatchObject([400, { error: { data: { supported: LEGACY } } }])
    const claimed = {
      ...initialize('2025-11-25'),
      params: { ...initialize('2025-11-25').params, _meta: envelope() },
    }
    expect((await exchange(url, { body: claimed })).status).toBe(400)
    expect((await openSession(url)).id).toHaveLength(32)
  })
})

describe('the version header of a session', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'may name %s, or nothing, and nothing else',
    async (version) => {
      const { url } = await serve()
      const session = await openSession(url, {}, {}, version)
      const statusFor = async (header: string | undefined) => {
        const { 'mcp-protocol-version': _own, ...headers } = session.headers
        const named = header === undefined ? headers : { ...headers, 'mcp-protocol-version': header }
        const response = await exchange(url, {
          headers: named,
          body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        })
        return [response.status, JSON.stringify(await response.body())] as const
      }
      expect((await statusFor(version))[0]).toBe(200)
      expect((await statusFor(undefined))[0]).toBe(200)
      for (const other of ['2024-11-05', '1999-01-01', 'x']) {
        const [status, body] = await statusFor(other)
        expect([other, status]).toEqual([other, 400])
        expect(body).toContain(version)
      }
    },
  )

  it('says nothing on the handshake', async () => {
    const { url } = await serve()
    for (const header of ['2025-03-26', '1999-01-01']) {
      const headers = { 'mcp-protocol-version': header }
      const response = await exchange(url, { headers, body: initialize('2025-06-18') })
      expect(await response.body()).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    }
  })
})
