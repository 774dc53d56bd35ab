import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { atTheEnd, cleanUp, httpServer, rejection } from '../transports/client-transport.test-support.ts'
import { transportsFor } from '../transports/opener.ts'
import { encodeSseEvent } from '../transports/http/sse-codec.ts'
import { connect, type ConnectOptions } from './connect.ts'
import type { ConnectError } from './errors.ts'
import { INITIALIZED, scriptedServer } from './scripted-server.test-support.ts'

afterEach(cleanUp)

const identity = { name: 'patchbay', version: '0' }

/** A server of HTTP+SSE that refuses every POST to the address of its stream with a status. */
const olderServer = async (status: number, body = '') => {
  let stream: ServerResponse | undefined
  return httpServer((seen, response) => {
    if (seen.url !== '/messages') {
      if (seen.method === 'POST') return response.writeHead(status).end(body)
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return stream.write(encodeSseEvent({ name: 'endpoint', data: '/messages' }))
    }
    response.writeHead(202).end()
    const { id, method } = JSON.parse(seen.body) as { readonly id?: number; readonly method: string }
    const result = method === 'initialize' ? { ...INITIALIZED, protocolVersion: '2024-11-05' } : {}
    return stream?.write(encodeSseEvent({ data: JSON.stringify({ jsonrpc: '2.0', id, result }) }))
  })
}
const connectTo = async (url: string, options: Partial<ConnectOptions> = {}) => {
  const connection = await connect({ ...transportsFor({ transport: 'auto', url }), identity, ...options })
  atTheEnd(() => connection.close())
  return connection
}

describe('finding the transport at a URL', () => {
  it.each([400, 404, 405, 415])('takes HTTP %i for an answer of HTTP+SSE, if it is there', async (status) => {
    const { origin, seen } = await olderServer(status)
    const { revision, steps } = await connectTo(origin)
    expect(revision).toBe('2024-11-05')
    expect(steps.map(({ step, transport, verdict }) => [step, transport, verdict])).toEqual([
      ['server/discover (2026-07-28)', 'http', 'next'],
      ['initialize (2025-11-25)', 'http', 'failed'],
      ['HTTP+SSE', 'sse', 'next'],
      ['initialize (2025-11-25)', 'sse', 'agreed'],
    ])
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST', 'POST'])
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [408, 'http-status'],
    [429, 'http-status'],
    [500, 'http-status'],
    [503, 'http-status'],
  ])('takes HTTP %i for what it is, and asks no older transport', async (status, code) => {
    const { origin, seen } = await olderServer(status)
    expect(await rejection(connectTo(origin))).toMatchObject({ code, evidence: { httpStatus: status } })
    expect(seen.map(({ method }) => method)).not.toContain('GET')
  })

  it('asks no older transport for a revision that it does not have', async () => {
    const { origin, seen } = await olderServer(404)
    const error = await rejection(connectTo(origin, { protocol: '2026-07-28' }))
    expect(error).toMatchObject({ code: 'http-status', evidence: { httpStatus: 404 } })
    expect(seen.map(({ method }) => method)).toEqual(['POST'])
  })

  it('insists on an older revision over the older transport, without a question before', async () => {
    const { origin, seen } = await olderServer(404)
    const { revision } = await connectTo(origin, { protocol: '2024-11-05' })
    expect(revision).toBe('2024-11-05')
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2024-11-05' },
    })
  })

  it('tells the first refusal if there is no older transport either, and the second in its steps', async () => {
    const { origin } = await httpServer((seen, response) =>
      response.writeHead(seen.method === 'POST' ? 405 : 404).end(seen.method),
    )
    const error = (await rejection(connectTo(origin))) as ConnectError
    expect(error).toMatchObject({ code: 'http-status', evidence: { httpStatus: 405, httpBody: 'POST' } })
    expect(error.steps.at(-1)).toMatchObject({
      step: 'HTTP+SSE',
      transport: 'sse',
      verdict: 'failed',
      outcome: expect.stringMatching(/HTTP 404.*; the first refusal counts$/) as string,
    })
  })

  it('asks for authorization where the older transport does', async () => {
    const { origin } = await httpServer((seen, response) =>
      response.writeHead(seen.method === 'POST' ? 405 : 401).end(),
    )
    expect(await rejection(connectTo(origin))).toMatchObject({ code: 'unauthorized' })
  })

  it('can be given up while a stream names no endpoint', async () => {
    const controller = new AbortController()
    const { origin } = await httpServer((seen, response) => {
      if (seen.method === 'POST') response.writeHead(404).end()
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        controller.abort()
      }
    })
    const error = (await rejection(connectTo(origin, { signal: controller.signal }))) as ConnectError
    expect(error.name).toBe('ConnectError')
    await error.ended
  })
})

describe('a process that answers the first question and ends', () => {
  const attempt = (starts: number) =>
    scriptedServer((heard, side, connection) => {
      if (heard.method === 'server/discover') side.error(heard, -32601, 'Method not found')
      else if (heard.method !== 'initialize') return
      else if (connection < starts) side.end('process-exited')
      else side.result(heard, INITIALIZED)
    })

  it('is started afresh for the handshake, once', async () => {
    const second = attempt(2)
    expect(await connect({ open: second.open, identity })).toMatchObject({ revision: '2025-11-25' })
    expect([second.connections(), second.closed]).toEqual([2, [1]])
    const never = attempt(Infinity)
    expect(await rejection(connect({ open: never.open, identity }))).toMatchObject({ code: 'process-exited' })
    expect(never.connections()).toBe(2)
  })
})
