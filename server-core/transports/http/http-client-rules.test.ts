import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { attached, cleanUp, httpServer, rejection, tokensInARow } from '../client-transport.test-support.ts'
import { httpTransport, type HttpOptions } from './http-client.ts'
import { encodeSseEvent } from './sse-codec.ts'

afterEach(cleanUp)

const LEGACY = { revision: '2025-11-25' }
const MODERN = { revision: '2026-07-28' }
const ask = (id: number, method = 'tools/list') => ({ jsonrpc: '2.0', id, method, params: {} }) as const
const result = (id: number) => ({ jsonrpc: '2.0', id, result: {} })
const json = (response: ServerResponse, value: unknown, status = 200, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const said = (pattern: RegExp) => expect.stringMatching(pattern) as string
const open = async (options: HttpOptions) => {
  const client = attached((tap) => httpTransport({ tap, ...options }))
  await client.start()
  return client
}

describe('a redirect', () => {
  it.each([307, 308])(
    'with %i within the origin is followed, with method, body and headers',
    async (status) => {
      const { origin, seen } = await httpServer((each, response) => {
        if (each.url === '/mcp') response.writeHead(status, { location: '/v2?x=1' }).end()
        else json(response, result(1))
      })
      const { transport, messages } = await open({
        url: `${origin}/mcp`,
        headers: { authorization: 'Bearer t' },
      })
      await transport.send(ask(1), MODERN)
      expect(messages).toEqual([result(1)])
      expect(seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
        ['POST', '/mcp', 'Bearer t'],
        ['POST', '/v2?x=1', 'Bearer t'],
      ])
      expect(seen[1]?.body).toBe(seen[0]?.body)
    },
  )

  it.each([
    [307, ['/mcp', '/v2', '/mcp', '/v2']],
    [308, ['/mcp', '/v2', '/v2']],
  ])('with %i is remembered only if it is for good', async (status, paths) => {
    const { origin, seen } = await httpServer((each, response) => {
      if (each.url === '/mcp') response.writeHead(status, { location: '/v2' }).end()
      else json(response, result((JSON.parse(each.body) as { id: number }).id))
    })
    const { transport, messages } = await open({ url: `${origin}/mcp` })
    await transport.send(ask(1), MODERN)
    await transport.send(ask(2), MODERN)
    expect(messages).toEqual([result(1), result(2)])
    expect(seen.map(({ url }) => url)).toEqual(paths)
  })

  it('to another origin is not followed: neither message nor credentials go there', async () => {
    const other = await httpServer((_each, response) => json(response, result(1)))
    const { origin } = await httpServer((_each, response) =>
      response.writeHead(307, { location: `${other.origin}/mcp` }).end(),
    )
    const { transport } = await open({ url: origin, headers: { authorization: 'Bearer t' } })
    expect(await rejection(transport.send(ask(1), MODERN))).toMatchObject({
      code: 'http-status',
      message: said(/redirects to http:.*not followed to another origin.*use that address if you trust it/),
    })
    expect(other.seen).toEqual([])
  })

  it.each([301, 302, 303])('with %i would change the method and is not followed', async (status) => {
    const { origin, seen } = await httpServer((_each, response) =>
      response.writeHead(status, { location: '/v2' }).end(),
    )
    const { transport } = await open({ url: origin })
    expect(await rejection(transport.send(ask(1), MODERN))).toMatchObject({ code: 'http-status' })
    expect(seen).toHaveLength(1)
  })

  it('without end is given up', async () => {
    const { origin, seen } = await httpServer((_each, response) =>
      response.writeHead(307, { location: '/again' }).end(),
    )
    const { transport } = await open({ url: origin })
    expect(await rejection(transport.send(ask(1), MODERN))).toMatchObject({ evidence: { httpStatus: 307 } })
    expect(seen).toHaveLength(6)
  })
})

describe('an authorization', () => {
  it('gives headers to every request, gets refusals, and has it sent again', async () => {
    const { origin, seen } = await httpServer((each, response) => {
      if (each.headers.authorization === 'Bearer old')
        response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
      else if (each.headers.authorization === 'Bearer narrow') response.writeHead(403).end()
      else json(response, result(1))
    })
    const { authorization, heard } = tokensInARow(['old', 'narrow', 'good'])
    const { transport, messages } = await open({ url: `${origin}/mcp`, authorization })
    await transport.send(ask(1), MODERN)
    expect(messages).toEqual([result(1)])
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
    expect(heard).toEqual([
      'POST /mcp',
      '-> 401',
      '401 Bearer error="invalid_token"',
      'POST /mcp',
      '-> 403',
      '403',
      'POST /mcp',
      '-> 200',
    ])
  })

  it('that gives up leaves the refusal, one that fails tells why, and challenges come to an end', async () => {
    const { origin, seen } = await httpServer((_each, response) => response.writeHead(401).end('go away'))
    const { authorization } = tokensInARow(['one'])
    const givesUp = await open({ url: origin, authorization })
    expect(await rejection(givesUp.transport.send(ask(1), MODERN))).toMatchObject({
      code: 'unauthorized',
      evidence: { httpStatus: 401, httpBody: 'go away' },
    })
    const cause = new Error('the person said no')
    const failing = { ...authorization, challenged: () => Promise.reject(cause) }
    const fails = await open({ url: origin, authorization: failing })
    expect(await rejection(fails.transport.send(ask(1), MODERN))).toMatchObject({
      code: 'unauthorized',
      message: 'the person said no',
      cause,
      evidence: { httpStatus: 401 },
    })
    seen.length = 0
    const stubborn = { ...authorization, challenged: () => Promise.resolve(true) }
    const ends = await open({ url: origin, authorization: stubborn })
    expect(await rejection(ends.transport.send(ask(1), MODERN))).toMatchObject({ code: 'unauthorized' })
    expect(seen).toHaveLength(4)
  })
})

describe('a stream that is polled', () => {
  const primed = (id: string, retry = 5) => encodeSseEvent({ id, retry, data: '' })

  it('is asked for by the last event of its own, whatever other streams had', async () => {
    const { origin, seen } = await httpServer((each, response) => {
      const { id } = (each.body === '' ? {} : JSON.parse(each.body)) as { id?: number }
      if (each.method === 'POST') stream(response).end(primed(`s${id}`))
      else {
        const last = String(each.headers['last-event-id'])
        stream(response).end(encodeSseEvent({ data: JSON.stringify(result(Number(last.slice(1)))) }))
      }
    })
    const { transport, messages, count } = await open({ url: origin })
    await Promise.all([transport.send(ask(1), LEGACY), transport.send(ask(2), LEGACY)])
    await count(2)
    expect(messages).toEqual(expect.arrayContaining([result(1), result(2)]))
    const asked = seen.filter(({ method }) => method === 'GET').map(({ headers }) => headers['last-event-id'])
    expect(asked.toSorted()).toEqual(['s1', 's2'])
  })

  it.each([
    ['refuses at once', 400, 1],
    ['fails three times', 503, 3],
  ])('fails its request when the server %s', async (_how, status, attempts) => {
    const { origin, seen } = await httpServer((each, response) => {
      if (each.method === 'POST') stream(response).end(primed('1'))
      else response.writeHead(status).end()
    })
    const { transport, failures, count } = await open({ url: origin })
    await transport.send(ask(1), LEGACY)
    await count(1)
    expect(failures[0]?.[1]).toMatchObject({
      code: 'http-status',
      message: said(/^the stream ended before the answer came and could not be resumed: /),
      evidence: { httpStatus: status },
    })
    expect(seen).toHaveLength(1 + attempts)
  })

  it('of 2026-07-28 is not: its request fails', async () => {
    const { origin, seen } = await httpServer((_each, response) => stream(response).end(primed('1')))
    const { transport, failures, count } = await open({ url: origin })
    await transport.send(ask(1), MODERN)
    await count(1)
    expect(failures[0]?.[1]).toMatchObject({ message: 'the stream ended before the answer came' })
    expect(seen).toHaveLength(1)
  })

  it('is let go when its request is abandoned while it waits', async () => {
    const { origin, seen } = await httpServer((_each, response) => stream(response).end(primed('1', 60_000)))
    const { transport, failures, ended } = await open({ url: origin })
    await transport.send(ask(1), LEGACY)
    transport.abandon?.(1)
    await transport.close()
    expect(await ended).toMatchObject({ code: 'closed' })
    expect(failures).toEqual([])
    expect(seen).toHaveLength(1)
  })
})

describe('a session', () => {
  it('that is begun again carries nothing of the old one', async () => {
    let sessions = 0
    const { origin, seen } = await httpServer((each, response) => {
      if (each.body.includes('initialize'))
        json(response, result(1), 200, { 'mcp-session-id': `s${(sessions += 1)}` })
      else if (each.headers['mcp-session-id'] === 's1') response.writeHead(404).end()
      else json(response, result(1))
    })
    const { transport } = await open({ url: origin })
    await transport.send(ask(1, 'initialize'))
    expect(await rejection(transport.send(ask(1), LEGACY))).toMatchObject({ evidence: { httpStatus: 404 } })
    await transport.send(ask(1, 'initialize'))
    await transport.send(ask(1), LEGACY)
    expect(seen.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']])).toEqual([
      [undefined, undefined],
      ['s1', '2025-11-25'],
      [undefined, undefined],
      ['s2', '2025-11-25'],
    ])
  })

  it('that cannot be ended by DELETE is left to itself', async () => {
    const { origin, seen } = await httpServer((each, response) => {
      if (each.method === 'DELETE') response.writeHead(405).end()
      else json(response, result(1), 200, { 'mcp-session-id': 's' })
    })
    const { transport, ends } = await open({ url: origin })
    await transport.send(ask(1, 'initialize'))
    await transport.close()
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    expect(ends.map(({ code }) => code)).toEqual(['closed'])
  })
})

describe('bytes that are sent as they are', () => {
  it('are a POST of their own, with our headers, others in their place, or without', async () => {
    const { origin, seen } = await httpServer((_each, response) => response.writeHead(202).end())
    const { transport, frames } = await open({ url: origin, headers: { 'X-Team': 'a' } })
    const outcome = await transport.sendRaw(Buffer.from('{"half'), {
      revision: '2026-07-28',
      headers: { Accept: null, 'Content-Type': 'text/plain', 'x-new': '1' },
    })
    expect(outcome).toMatchObject({ httpStatus: 202 })
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"half' })
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-team': 'a',
      'x-new': '1',
      'mcp-protocol-version': '2026-07-28',
    })
    expect(seen[0]?.headers.accept).toBeUndefined()
    expect(frames[1]).toMatchObject({
      kind: 'invalid',
      direction: 'sent',
      reason: said(/^sent as it is: Parse/),
    })
  })

  it('bring back everything: a message, text, and what is on a stream, valid or not', async () => {
    const { origin } = await httpServer((each, response) => {
      if (each.body === 'json') json(response, { any: 'thing' }, 400)
      else if (each.body === 'text') response.writeHead(500).end('Internal Error')
      else {
        stream(response).write(encodeSseEvent({ data: '{"half' }))
        response.end(encodeSseEvent({ data: '{"jsonrpc":"2.0"}' }))
      }
    })
    const { transport, messages, invalid, count } = await open({ url: origin })
    for (const text of ['json', 'text', 'stream']) await transport.sendRaw(Buffer.from(text))
    await count(4)
    expect(messages).toEqual([{ any: 'thing' }, { jsonrpc: '2.0' }])
    expect(invalid.map(({ text }) => text)).toEqual(['Internal Error', '{"half'])
  })

  it('that no HTTP request can carry say so', async () => {
    const { origin } = await httpServer((_each, response) => response.end())
    const { transport } = await open({ url: origin })
    expect(await rejection(transport.sendRaw(Buffer.from('x'), { headers: { a: 'b\n' } }))).toMatchObject({
      code: 'connection-failed',
      message: said(/cannot be sent: invalid a header/),
    })
  })
})
