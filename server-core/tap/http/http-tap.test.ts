import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Frame } from '../../ports/tap.ts'
import { startHttpTap, type HttpTap } from './http-tap.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function tapped(handler: Handler, rewritesMetadata = false) {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const frames: Frame[] = []
  const url = new URL(`http://127.0.0.1:${port}/mcp?key=1`)
  const tap = await startHttpTap({
    url,
    port: 0,
    tap: { record: (frame) => frames.push(frame) },
    rewritesMetadata,
  })
  open.push(() => tap.close())
  return { server, port, tap, frames }
}

/** Sends bytes as they are and returns everything that comes back. */
async function raw({ url }: HttpTap, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  return (await buffer(socket)).toString('latin1')
}

it('forwards headers as they came but for Host and those of the connection, and the body byte for byte', async () => {
  let seen: { headers: readonly string[]; url: string; body: string } | undefined
  const { tap, port, frames } = await tapped((request, response) => {
    void text(request).then((body) => {
      seen = { headers: request.rawHeaders, url: request.url ?? '', body }
      response.sendDate = false
      response.writeHead(207, 'Odd Status', [
        'X-Two',
        'a',
        'x-two',
        'b',
        'Set-Cookie',
        'c=1',
        'Content-Type',
        'application/json',
      ])
      response.end('{"jsonrpc" : "2.0","id":1,"result":{}}')
    })
  })
  const body = '{"jsonrpc":"2.0",  "id":1,"method":"ping"}'
  const own = new URL(tap.url)
  const answer = await raw(
    tap,
    `POST ${own.pathname}${own.search} HTTP/1.1\r\nHOST: ${own.host}\r\nAuthorization: Bearer t0ken\r\nX-Odd:  a\r\nx-odd: b\r\nConnection: close\r\nContent-Type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  expect(seen).toEqual({
    headers: [
      'HOST',
      `127.0.0.1:${port}`,
      'Authorization',
      'Bearer t0ken',
      'X-Odd',
      'a',
      'x-odd',
      'b',
      'Content-Type',
      'application/json',
      'content-length',
      String(body.length),
    ],
    url: '/mcp?key=1',
    body,
  })
  expect(answer).toMatch(
    /^HTTP\/1.1 207 Odd Status\r\nX-Two: a\r\nx-two: b\r\nSet-Cookie: c=1\r\nContent-Type: application\/json\r\n/,
  )
  expect(answer).toContain('{"jsonrpc" : "2.0","id":1,"result":{}}')
  expect(frames).toMatchObject([
    { kind: 'message', direction: 'sent', http: { exchange: 1, method: 'POST' } },
    { kind: 'message', direction: 'received', http: { exchange: 1, status: 207 } },
  ])
})

it('streams events as they come, and tells both sides when the other goes', async () => {
  let stream: ServerResponse | undefined
  const gone = Promise.withResolvers<void>()
  const { tap, frames } = await tapped((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.on('close', () => gone.resolve())
    stream = response
  })
  const leaving = new AbortController()
  const response = await fetch(tap.url, { signal: leaving.signal })
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  for (const number of [1, 2]) {
    // The next event is sent once this one has arrived, so nothing waits in between.
    stream?.write(`id: ${number}\ndata: {"jsonrpc":"2.0","method":"n${number}"}\n\n`)
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain(`"n${number}"`)
  }
  leaving.abort()
  await gone.promise
  expect(frames.map(({ kind }) => kind)).toEqual(['http', 'http', 'message', 'message', 'http'])
  expect(frames[3]).toMatchObject({ http: { event: { id: '2' }, status: 200 } })
})

it('records compressed bodies readably and forwards them compressed; a server that is not there is a 502', async () => {
  const body = gzipSync('{"jsonrpc":"2.0","id":1,"result":{"x":1}}')
  const { tap, frames, server } = await tapped((request, response) => {
    request.resume()
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': body.length,
    })
    response.end(body)
  })
  expect(await (await fetch(tap.url, { method: 'POST', body: '{}' })).json()).toMatchObject({ id: 1 })
  await expect.poll(() => frames.length).toBe(2)
  expect(Buffer.from(frames[1]?.bytes ?? []).toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{"x":1}}')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const lost = await fetch(tap.url)
  expect(lost.status).toBe(502)
  expect(await lost.text()).toContain('The tap cannot reach')
})

it('answers requests for this machine alone', async () => {
  const { tap, frames } = await tapped((_request, response) => void response.end('secret'))
  const answer = await raw(tap, 'GET /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  expect(answer).toContain('403')
  expect(answer).not.toContain('secret')
  expect(frames).toEqual([])
})

it('leaves OAuth metadata as it is, and puts its own address there only if asked to', async () => {
  const handler: Handler = (request, response) => {
    const origin = `http://${request.headers.host}`
    if (request.url?.startsWith('/.well-known/') === true)
      response.end(
        JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: ['https://auth.example'] }),
      )
    else
      response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end()
  }
  for (const rewrites of [false, true]) {
    const { tap, port } = await tapped(handler, rewrites)
    const own = new URL(tap.url).origin
    const named = rewrites ? own : `http://127.0.0.1:${port}`
    const challenge = (await fetch(tap.url)).headers.get('www-authenticate')
    expect(challenge).toBe(`Bearer resource_metadata="${named}/.well-known/oauth-protected-resource/mcp"`)
    const metadata = await fetch(`${own}/.well-known/oauth-protected-resource/mcp`)
    expect(await metadata.json()).toEqual({
      resource: `${named}/mcp`,
      authorization_servers: ['https://auth.example'],
    })
  }
})

it('forwards WebSockets with their subprotocol, and records messages of both sides', async () => {
  const { tap, server, frames } = await tapped((_request, response) => void response.end())
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'mcp' })
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      socket.send(data.toString())
    }),
  )
  const client = new WebSocket(tap.url.replace('http', 'ws'), ['mcp'])
  await once(client, 'open')
  expect(client.protocol).toBe('mcp')
  const long = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'y'.repeat(100_000) } })
  client.send(long)
  const [answer] = (await once(client, 'message')) as [Buffer]
  expect(answer.toString()).toBe(long)
  client.close(4001, 'done')
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, reason.toString()]).toEqual([4001, 'done'])
  await expect.poll(() => frames.at(-1)?.kind).toBe('lifecycle')
  const messages = frames.filter(({ kind }) => kind === 'message')
  expect(messages.map(({ direction, bytes }) => [direction, bytes.byteLength])).toEqual([
    ['sent', long.length],
    ['received', long.length],
  ])
})
