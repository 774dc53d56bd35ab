import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { RequestId } from '../../protocol/messages.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { httpTransport, type HttpOptions } from './http-client.ts'
import { encodeSseEvent } from './sse-codec.ts'
import type { Frame } from '../../ports/tap.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.test-support.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

/** A request as the server saw it. */
type Seen = { method: string; headers: IncomingMessage['headers']; body: unknown; at: number }

/** A server that answers as the test says. */
const serve = async (answer: (seen: Seen, response: ServerResponse, request: IncomingMessage) => void) => {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const one = {
        method: request.method ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
        at: performance.now(),
      }
      seen.push(one)
      answer(one, response, request)
    })
  }
  const server = createServer(listener)
  const port = await listening(server)
  cleanups.push(() => {
    server.closeAllConnections()
    return Promise.resolve()
  })
  return { url: `http://127.0.0.1:${port}/mcp`, seen }
}

const connectionTo = async (url: string, options: Partial<HttpOptions> = {}) => {
  const frames: Frame[] = []
  const messages: unknown[] = []
  const failures: [RequestId, TransportError][] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const closed = Promise.withResolvers<TransportError>()
  const wake = (): void => {
    for (const each of waiting) if (messages.length + failures.length >= each.count) each.resolve()
  }
  const receiver: ClientReceiver = {
    message: ({ value }) => {
      messages.push(value)
      wake()
    },
    invalid: () => undefined,
    requestFailed: (id, error) => {
      failures.push([id, error])
      wake()
    },
    closed: closed.resolve,
  }
  const transport: ClientTransport = httpTransport({
    url,
    tap: { record: (frame) => frames.push(frame) },
    ...options,
  })
  cleanups.push(() => transport.close())
  await transport.start(receiver)
  /** Resolves once so many messages came or requests failed. */
  const outcomes = (count: number): Promise<void> =>
    new Promise((resolve) =>
      messages.length + failures.length >= count ? resolve() : waiting.push({ count, resolve }),
    )
  return { transport, frames, messages, failures, closed: closed.promise, outcomes }
}

const json = (response: ServerResponse, value: unknown, status = 200, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const request = (id: RequestId, method = 'tools/list', params = {}) =>
  ({ jsonrpc: '2.0', id, method, params }) as const
const result = (id: RequestId, value = {}) => ({ jsonrpc: '2.0', id, result: value }) as const
const LEGACY = { revision: '2025-11-25' }
const MODERN = { revision: '2026-07-28' }
const INITIALIZE = request(0, 'initialize')

describe('httpTransport', () => {
  it('posts to a legacy server: session and version on everything after the handshake, DELETE at the end', async () => {
    const { url, seen } = await serve((each, response) => {
      if (each.method === 'DELETE') response.writeHead(204).end()
      else if (each.method === 'GET') response.writeHead(405).end()
      else if ((each.body as { method: string }).method === 'initialize')
        json(response, result(0), 200, { 'Mcp-Session-Id': 's-1' })
      else if ('id' in (each.body as object)) json(response, result(1))
      else response.writeHead(202).end()
    })
    const { transport, outcomes, frames, closed } = await connectionTo(url, {
      headers: { Authorization: 'Bearer t' },
    })
    await transport.send(INITIALIZE)
    await outcomes(1)
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, LEGACY)
    transport.openStream?.()
    await transport.send(request(1), LEGACY)
    await outcomes(2)
    await transport.close()
    const facts = seen.map(({ method, headers }) => [
      method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
      headers.authorization,
    ])
    expect(facts).toEqual([
      ['POST', undefined, undefined, 'Bearer t'],
      ['POST', 's-1', '2025-11-25', 'Bearer t'],
      expect.arrayContaining(['s-1', '2025-11-25']),
      expect.arrayContaining(['s-1', '2025-11-25']),
      ['DELETE', 's-1', '2025-11-25', 'Bearer t'],
    ])
    expect(seen[0]?.headers.accept).toBe('application/json, text/event-stream')
    expect((await closed).code).toBe('closed')
    const kinds = frames.flatMap((frame) =>
      'http' in frame
        ? [`${frame.kind} ${frame.direction} ${frame.http.method} ${frame.http.status ?? ''}`.trim()]
        : [],
    )
    expect(kinds).toEqual(
      expect.arrayContaining([
        'message sent POST',
        'message received POST 200',
        'http received POST 202',
        'http sent GET',
        'http received GET 405',
        'http sent DELETE',
        'http received DELETE 204',
      ]),
    )
  })

  it('posts to a modern server: routing headers, no session, no GET', async () => {
    const { url, seen } = await serve((each, response) =>
      json(response, result((each.body as { id: number }).id), 200, { 'mcp-session-id': 'no' }),
    )
    const { transport, outcomes } = await connectionTo(url)
    await transport.send(request(1, 'tools/call', { name: 'grüße' }), {
      ...MODERN,
      headers: { 'mcp-param-city': 'Oslo' },
    })
    await transport.send(request(2, 'resources/read', { uri: 'file:///a%20b' }), MODERN)
    await transport.send(request(3, 'tools/list', { name: 'x' }), MODERN)
    await outcomes(3)
    await transport.close()
    expect(
      seen.map(({ headers }) => [
        headers['mcp-protocol-version'],
        headers['mcp-method'],
        headers['mcp-name'],
        headers['mcp-param-city'],
        headers['mcp-session-id'],
      ]),
    ).toEqual([
      ['2026-07-28', 'tools/call', '=?base64?Z3LDvMOfZQ==?=', 'Oslo', undefined],
      ['2026-07-28', 'resources/read', 'file:///a%20b', undefined, undefined],
      ['2026-07-28', 'tools/list', undefined, undefined, undefined],
    ])
  })

  it('reads an event stream, in pieces, up to the answer, and records each event', async () => {
    const { url } = await serve((_each, response) => {
      stream(response).write(
        '\ufeff: hello\r\n\r\nevent: ping\ndata: x\n\nid: 7\ndata: {"jsonrpc":"2.0",\ndata: "method":"a\u2028é"}\n\nda',
      )
      response.write('ta: {"jsonrpc":"2.0","id":1,')
      response.end('"result":{}}\n\n')
    })
    const { transport, outcomes, messages, frames } = await connectionTo(url)
    await transport.send(request(1), MODERN)
    await outcomes(2)
    expect(messages).toEqual([{ jsonrpc: '2.0', method: 'a\u2028é' }, result(1)])
    expect(frames.filter((frame) => frame.kind === 'invalid').map((frame) => frame.reason)).toEqual([
      'an event named "ping" carries no message',
    ])
    const event = frames.find((frame) => frame.kind === 'message' && frame.direction === 'received')
    expect(event).toMatchObject({ http: { status: 200, event: { id: '7', name: 'message' } } })
    expect(Buffer.from(event?.bytes ?? []).toString()).toBe('{"jsonrpc":"2.0",\n"method":"a\u2028é"}')
  })

  it('is polled by a 2025-11-25 server: waits for what retry says, resumes after the last event', async () => {
    let hungUpAt = 0
    const { url, seen } = await serve((each, response) => {
      if (each.method === 'POST') {
        stream(response).end(encodeSseEvent({ id: 'p-1', data: '', retry: 200 }))
        hungUpAt = performance.now()
      } else if (each.headers['last-event-id'] === 'p-1') {
        stream(response).end(
          encodeSseEvent({ id: 'p-2', data: JSON.stringify({ jsonrpc: '2.0', method: 'progress' }) }),
        )
      } else stream(response).end(encodeSseEvent({ id: 'p-3', data: JSON.stringify(result(1)) }))
    })
    const { transport, outcomes, messages } = await connectionTo(url)
    await transport.send(request(1), LEGACY)
    await outcomes(2)
    expect(messages).toEqual([{ jsonrpc: '2.0', method: 'progress' }, result(1)])
    expect(seen.map(({ method, headers }) => [method, headers['last-event-id']])).toEqual([
      ['POST', undefined],
      ['GET', 'p-1'],
      ['GET', 'p-2'],
    ])
    expect((seen[1]?.at ?? 0) - hungUpAt).toBeGreaterThan(195)
  })

  it('follows the stream of a legacy server for what it sends unasked, over a reconnect', async () => {
    let gets = 0
    const { url, seen } = await serve((each, response) => {
      if (each.method !== 'GET') return response.writeHead(202).end()
      gets += 1
      stream(response).write(
        encodeSseEvent({
          id: `g-${gets}`,
          retry: 20,
          data: JSON.stringify({ jsonrpc: '2.0', method: `n${gets}` }),
        }),
      )
      if (gets === 1) response.end()
      return undefined
    })
    const { transport, outcomes, messages } = await connectionTo(url)
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, LEGACY)
    transport.openStream?.()
    await outcomes(2)
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'n1' },
      { jsonrpc: '2.0', method: 'n2' },
    ])
    expect(seen.at(-1)?.headers['last-event-id']).toBe('g-1')
  })

  it('a stream that is cut before the answer fails its request and no other', async () => {
    const { url } = await serve((each, response) => {
      const { id } = each.body as { id: number }
      if (id === 1) stream(response).end(encodeSseEvent({ data: '{"jsonrpc":"2.0","method":"a"}' }))
      else if (id === 2) {
        stream(response).write('data: half')
        setImmediate(() => response.destroy())
      } else json(response, result(3))
    })
    const { transport, outcomes, messages, failures } = await connectionTo(url)
    await transport.send(request(1), MODERN)
    await outcomes(2)
    await transport.send(request(2), MODERN)
    await outcomes(3)
    await transport.send(request(3), MODERN)
    await outcomes(4)
    expect(messages).toEqual([{ jsonrpc: '2.0', method: 'a' }, result(3)])
    expect(failures).toEqual([
      [
        1,
        expect.objectContaining({
          code: 'connection-failed',
          message: 'the stream ended before the answer came',
        }),
      ],
      [2, expect.objectContaining({ code: 'connection-failed' })],
    ])
  })

  it('closes the stream when the request is given up, and every stream at the end', async () => {
    const gone: Promise<unknown>[] = []
    const opened = Promise.withResolvers<undefined>()
    const { url } = await serve((_each, response, asked) => {
      stream(response).write(': open\n\n')
      gone.push(once(asked.socket, 'close'))
      if (gone.length === 2) opened.resolve(undefined)
    })
    const { transport } = await connectionTo(url)
    await Promise.all([transport.send(request(1), MODERN), transport.send(request(2), MODERN)])
    await opened.promise
    transport.abandon?.(1)
    await Promise.race(gone)
    await transport.close()
    await Promise.all(gone)
  })

  it('takes a JSON-RPC error with the id of the request as an answer at any status', async () => {
    const error = {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } },
    }
    const { url } = await serve((_each, response) => json(response, error, 400))
    const { transport, messages } = await connectionTo(url)
    await transport.send(request(1), MODERN)
    expect(messages).toEqual([error])
  })

  it('reports the end of a session even if the body looks like an answer', async () => {
    const { url } = await serve((each, response) => {
      if (each.method === 'DELETE') response.end()
      else if ((each.body as { method: string }).method === 'initialize')
        json(response, result(0), 200, { 'mcp-session-id': 's' })
      else
        json(response, { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Session not found' } }, 404)
    })
    const { transport, outcomes } = await connectionTo(url)
    await transport.send(INITIALIZE)
    await outcomes(1)
    await expect(transport.send(request(1), LEGACY)).rejects.toMatchObject({
      code: 'http-status',
      message: 'expected an answer, got HTTP 404: Session not found',
      evidence: { httpStatus: 404 },
    })
  })
})

type Refusal = {
  name: string
  answer: (response: ServerResponse) => void
  code: string
  message: RegExp
  evidence?: TransportEvidence
}
const html = '<!doctype html><title>Hello</title>'
const refusals: readonly Refusal[] = [
  {
    name: 'a web page',
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
    code: 'not-mcp',
    message: /got a web page \(text\/html; charset=utf-8\); the address is not an MCP endpoint/,
    evidence: { httpStatus: 200, httpBody: html },
  },
  {
    name: '404 with a page',
    answer: (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(html),
    code: 'http-status',
    message: /nothing answers MCP at http.*\/mcp \(HTTP 404\); check the path/,
    evidence: { httpStatus: 404, httpBody: html },
  },
  {
    name: '500',
    answer: (response) => response.writeHead(500).end('oops'),
    code: 'http-status',
    message: /^expected an answer, got HTTP 500$/,
    evidence: { httpStatus: 500, httpBody: 'oops' },
  },
  {
    name: '400 with an error without id',
    answer: (response) =>
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }, 400),
    code: 'http-status',
    message: /HTTP 400: No session/,
  },
  {
    name: '401',
    answer: (response) => response.writeHead(401, { 'www-authenticate': 'Bearer scope="a"' }).end(),
    code: 'unauthorized',
    message: /asks for authorization \(HTTP 401\)/,
    evidence: {
      httpHeaders: expect.objectContaining({ 'www-authenticate': 'Bearer scope="a"' }) as Record<
        string,
        string
      >,
    },
  },
  {
    name: '403',
    answer: (response) =>
      json(response, { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Not yours' } }, 403),
    code: 'unauthorized',
    message: /refuses access \(HTTP 403\): Not yours/,
  },
  {
    name: '403 with a challenge that names a host',
    answer: (response) => response.writeHead(403, { 'www-authenticate': 'Bearer' }).end('not on this host'),
    code: 'unauthorized',
    message: /refuses access \(HTTP 403\)/,
  },
  ...['Invalid Host: other.example', 'Foreign origin', 'Possible DNS rebinding'].map((message) => ({
    name: `403 by a check of Host or Origin: ${message}`,
    answer: (response: ServerResponse) =>
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, 403),
    code: 'host-refused' as const,
    message: new RegExp(`does not accept requests addressed to 127.0.0.1:\\d+ \\(HTTP 403\\): ${message}`),
  })),
  {
    name: '421',
    answer: (response) => response.writeHead(421).end('Invalid Host header'),
    code: 'host-refused',
    message: /\(HTTP 421\)/,
  },
  {
    name: 'a redirect',
    answer: (response) => response.writeHead(307, { location: 'https://elsewhere.test/' }).end(),
    code: 'http-status',
    message: /redirects to https:\/\/elsewhere\.test\/ \(HTTP 307\); redirects are not followed/,
  },
  {
    name: 'an empty 202',
    answer: (response) => response.writeHead(202).end(),
    code: 'not-mcp',
    message: /got HTTP 202 with an empty body/,
  },
  {
    name: 'text',
    answer: (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'),
    code: 'not-mcp',
    message: /got HTTP 200 with text\/plain: Parse error/,
  },
  {
    name: 'invalid UTF-8',
    answer: (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x7b, 0xff, 0x7d])),
    code: 'not-mcp',
    message: /not valid UTF-8/,
  },
  {
    name: 'the answer to another request',
    answer: (response) => json(response, result(99)),
    code: 'not-mcp',
    message: /holds no answer to request 1/,
  },
  {
    name: 'compressed bytes',
    answer: (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(Buffer.from([0x1f, 0x8b])),
    code: 'not-mcp',
    message: /encoded \(gzip\), which was not asked for/,
  },
  {
    name: 'a body over the bound',
    answer: (response) => json(response, result(1, { text: 'x'.repeat(2_000) })),
    code: 'limit',
    message: /longer than 1,000 bytes \(limit messageBytes\)/,
  },
  {
    name: 'an error page over the bound',
    answer: (response) => response.writeHead(500).end('x'.repeat(2_000)),
    code: 'limit',
    message: /longer than 1,000 bytes/,
  },
  {
    name: 'an event over the bound',
    answer: (response) => stream(response).write(`data: ${'x'.repeat(2_000)}`),
    code: 'limit',
    message: /event of the stream is longer than 1,000 bytes/,
  },
  {
    name: 'a connection that is cut',
    answer: (response) => response.destroy(),
    code: 'connection-failed',
    message: /cut by the other side/,
  },
]

describe('a reply that is not an answer', () => {
  it.each(refusals)('$name', async ({ answer, code, message, evidence }) => {
    const { url } = await serve((_each, response) => answer(response))
    const { transport, failures, outcomes } = await connectionTo(url, {
      limits: { ...DEFAULT_LIMITS, messageBytes: 1_000 },
    })
    const error = await transport.send(request(1), MODERN).then(
      () =>
        outcomes(1).then(async () => {
          // The answer to another request is a message as well; its failure follows.
          if (failures.length === 0) await outcomes(2)
          return failures[0]?.[1]
        }),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
      evidence: evidence ?? {},
    })
  })
})

describe('a server that cannot be reached', () => {
  const failure = async (url: string): Promise<TransportError> => {
    const { transport, frames } = await connectionTo(url)
    const error = await transport.send(request(1), MODERN).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TransportError)
    expect(frames.at(-1)).toMatchObject({ kind: 'http', direction: 'received' })
    return error as TransportError
  }

  it('refuses the connection', async () => {
    const error = await failure('http://localhost:9/mcp')
    expect(error).toMatchObject({ code: 'connection-failed', evidence: { systemCode: 'ECONNREFUSED' } })
    expect(error.message).toMatch(/the connection was refused; nothing listens there \(ECONNREFUSED\)/)
  })

  it('has a name that does not exist', async () => {
    const error = await failure('http://no-such-host.invalid/mcp')
    expect(error.code).toBe('connection-failed')
    expect(error.message).toMatch(/host name (was not found|could not be looked up)/)
  })

  it('has a certificate that nobody vouches for', async () => {
    const server = createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_request, response) =>
      response.end(),
    )
    const error = await failure(`https://127.0.0.1:${await listening(server)}/mcp`)
    expect(error).toMatchObject({
      code: 'certificate',
      evidence: { systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(error.message).toMatch(/certificate of https:.* is not accepted/)
  })

  it('speaks no TLS where TLS was expected', async () => {
    const { url } = await serve((_each, response) => response.end())
    const error = await failure(url.replace('http:', 'https:'))
    expect(error.message).toMatch(/does not speak TLS; is it http:\/\//)
  })

  it('speaks no HTTP', async () => {
    const server = createTcpServer(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .resume()
          .end('SSH-2.0-OpenSSH_9.9\r\n'),
    )
    const error = await failure(`http://127.0.0.1:${await listening(server)}/mcp`)
    expect(error).toMatchObject({ code: 'not-mcp' })
    expect(error.message).toMatch(/does not speak HTTP/)
  })

  it.each(['localhost:3000/mcp', 'file:///etc/passwd', 'nonsense', 'http://user:secret@127.0.0.1/mcp'])(
    'has an invalid address: %s',
    async (url) => {
      const transport = httpTransport({ url })
      const receiver: ClientReceiver = {
        message: () => undefined,
        invalid: () => undefined,
        requestFailed: () => undefined,
        closed: () => undefined,
      }
      const error = await transport.start(receiver).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: 'connection-failed' })
      expect(JSON.stringify((error as TransportError).evidence)).not.toContain('secret')
    },
  )
})
