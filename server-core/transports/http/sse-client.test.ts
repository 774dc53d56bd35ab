import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { attached, cleanUp, httpServer, rejection, tokensInARow } from '../client-transport.test-support.ts'
import { encodeSseEvent } from './sse-codec.ts'
import { sseTransport, type SseOptions } from './sse-client.ts'

afterEach(cleanUp)

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const
const message = (value: unknown) => encodeSseEvent({ name: 'message', data: JSON.stringify(value) })
const streaming = (response: ServerResponse, endpoint?: string): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (endpoint !== undefined) response.write(encodeSseEvent({ name: 'endpoint', data: endpoint }))
  else response.flushHeaders()
  return response
}

/** A server that names `endpoint` and answers each POST by an event. */
const answering = async (endpoint = '/messages?session=1') => {
  let stream: ServerResponse | undefined
  const served = await httpServer((seen, response) => {
    if (seen.method === 'GET') stream = streaming(response, endpoint)
    else {
      response.writeHead(202).end('Accepted')
      const parsed: unknown = seen.body.startsWith('{') ? JSON.parse(seen.body) : {}
      if ((parsed as { id?: number }).id !== undefined)
        stream?.write(message({ jsonrpc: '2.0', id: (parsed as { id: number }).id, result: {} }))
    }
  })
  return { ...served, url: `${served.origin}/sse`, stream: () => stream }
}
const open = async (options: SseOptions) => {
  const client = attached((tap) => sseTransport({ tap, ...options }))
  await client.start()
  return client
}

describe('sseTransport', () => {
  it('takes the endpoint from the stream, posts to it, and gets the answers from the stream', async () => {
    const { url, seen } = await answering()
    const { transport, messages, count, frames, ends } = await open({ url, headers: { 'X-Team': 'a' } })
    await transport.send(ping(1))
    await transport.send(ping(2), { revision: '2024-11-05' })
    await transport.send(ping(3), { revision: '2025-06-18' })
    await count(3)
    expect(messages).toEqual([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
    expect(seen.map((each) => [each.method, each.url, each.headers['mcp-protocol-version']])).toEqual([
      ['GET', '/sse', undefined],
      ['POST', '/messages?session=1', undefined],
      ['POST', '/messages?session=1', undefined],
      ['POST', '/messages?session=1', '2025-06-18'],
    ])
    expect(seen.map(({ headers }) => headers['x-team'])).toEqual(['a', 'a', 'a', 'a'])
    expect(seen[0]?.headers.accept).toBe('text/event-stream')
    await transport.close()
    await transport.close()
    expect(ends.map(({ code }) => code)).toEqual(['closed'])
    const seenByTap = frames.map((frame) => `${frame.kind} ${frame.direction}`)
    expect(seenByTap.slice(0, 5)).toEqual([
      'lifecycle sent',
      'http sent',
      'http received',
      'http received',
      'message sent',
    ])
    expect(seenByTap.at(-1)).toBe('lifecycle sent')
  })

  it.each([
    [
      'https://elsewhere.test/messages',
      /another origin \(https:\/\/elsewhere\.test\); nothing is sent there/,
    ],
    ['http://[', /which is not an address/],
  ])('refuses the endpoint %s', async (endpoint, reason) => {
    const { url, seen } = await answering(endpoint)
    const { start, ends } = attached((tap) => sseTransport({ url, tap }))
    expect(await rejection(start())).toMatchObject({
      code: 'not-mcp',
      message: expect.stringMatching(reason) as string,
    })
    expect(seen).toHaveLength(1)
    expect(ends).toEqual([])
  })

  it('gives up a stream that names no endpoint', async () => {
    const { origin } = await httpServer((_seen, response) => void streaming(response))
    const { start } = attached((tap) => sseTransport({ url: origin, tap, openTimeoutMs: 30 }))
    expect(await rejection(start())).toMatchObject({
      code: 'connection-failed',
      message: 'the server named no endpoint on its event stream within 30 ms',
    })
  })

  it.each([
    [404, {}, 'http-status', /nothing answers MCP at/],
    [401, { 'www-authenticate': 'Bearer' }, 'unauthorized', /asks for authorization/],
    [200, { 'content-type': 'text/html' }, 'not-mcp', /expected the event stream of HTTP\+SSE, got HTTP 200/],
  ])('cannot be opened at HTTP %i %j', async (status, headers, code, reason) => {
    const { origin } = await httpServer((_seen, response) => response.writeHead(status, headers).end('x'))
    const { start } = attached((tap) => sseTransport({ url: origin, tap }))
    expect(await rejection(start())).toMatchObject({
      code,
      message: expect.stringMatching(reason) as string,
      evidence: { httpStatus: status, httpBody: 'x' },
    })
  })

  it.each([
    ['ends', (stream: ServerResponse | undefined) => stream?.end(), /ended the event stream, and with it/],
    ['is cut', (stream: ServerResponse | undefined) => stream?.destroy(), /stream was lost, and with it/],
  ])('is over, once, when the stream %s', async (_how, end, reason) => {
    const { url, stream, seen } = await answering()
    const { transport, ended, ends } = await open({ url })
    end(stream())
    expect(await ended).toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(reason) as string,
    })
    expect(await rejection(transport.send(ping(1)))).toBe(ends[0])
    await transport.close()
    expect(ends).toHaveLength(1)
    expect(seen).toHaveLength(1)
  })

  it('hands on an invalid message, and goes on', async () => {
    const { url, stream } = await answering()
    const { invalid, messages, count } = await open({ url })
    stream()?.write(encodeSseEvent({ name: 'message', data: '{"half' }))
    stream()?.write(encodeSseEvent({ name: 'hello', data: 'you' }))
    stream()?.write(message({ jsonrpc: '2.0', method: 'x' }))
    await count(3)
    expect(invalid.map(({ text }) => text)).toEqual(['{"half', 'you'])
    expect(messages).toEqual([{ jsonrpc: '2.0', method: 'x' }])
  })

  it('fails a message that the endpoint refuses, and no other', async () => {
    const { origin } = await httpServer((seen, response) => {
      if (seen.method === 'GET') streaming(response, '/m')
      else response.writeHead(seen.body.includes('"id":1') ? 413 : 202).end()
    })
    const { transport } = await open({ url: origin })
    expect(await rejection(transport.send(ping(1)))).toMatchObject({
      code: 'http-status',
      evidence: { httpStatus: 413 },
    })
    await transport.send(ping(2))
  })

  it('posts any bytes as they are', async () => {
    const { url, seen } = await answering()
    const { transport, frames } = await open({ url })
    const outcome = await transport.sendRaw(Buffer.from('no json'), {
      headers: { 'Content-Type': 'text/plain', 'x-one': '1' },
    })
    expect(outcome).toMatchObject({ httpStatus: 202 })
    expect(seen[1]).toMatchObject({
      body: 'no json',
      headers: { 'content-type': 'text/plain', 'x-one': '1' },
    })
    expect(frames.find((frame) => frame.kind === 'invalid' && frame.direction === 'sent')).toBeDefined()
  })

  it('asks its authorization for every request, and opens again after a challenge', async () => {
    const { origin } = await httpServer((seen, response) => {
      if (seen.headers.authorization !== 'Bearer good') response.writeHead(401).end()
      else if (seen.method === 'GET') streaming(response, '/m')
      else response.writeHead(202).end()
    })
    const { authorization, heard } = tokensInARow(['old', 'good'])
    const { transport } = await open({ url: `${origin}/sse`, authorization })
    await transport.send(ping(1))
    expect(heard).toEqual(['GET /sse', '-> 401', '401', 'GET /sse', '-> 200', 'POST /m', '-> 202'])
  })
})
