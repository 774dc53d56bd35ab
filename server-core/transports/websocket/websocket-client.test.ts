import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import {
  atTheEnd,
  attached,
  cleanUp,
  httpServer,
  rejection,
  tokensInARow,
} from '../client-transport.test-support.ts'
import { webSocketTransport, type WebSocketOptions } from './websocket-client.ts'

afterEach(cleanUp)

const ping = (id: number, pad = '') => ({ jsonrpc: '2.0', id, method: 'ping', params: { pad } }) as const

/** A server that does with each connection what the test says. */
const serve = async (options: ServerOptions = {}) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options })
  await once(server, 'listening')
  atTheEnd(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const connected = new Promise<WebSocket>((resolve) => server.once('connection', resolve))
  const headers = new Promise<NodeJS.Dict<string | string[]>>((resolve) =>
    server.once('connection', (_socket, request) => resolve(request.headers)),
  )
  return { server, connected, headers, url: `ws://127.0.0.1:${port}/mcp#part` }
}
const open = async (options: WebSocketOptions) => {
  const client = attached((tap) => webSocketTransport({ tap, ...options }))
  await client.start()
  return client
}
const said = (pattern: RegExp) => expect.stringMatching(pattern) as string
const limited = (limits: Partial<typeof DEFAULT_LIMITS>) => ({ limits: { ...DEFAULT_LIMITS, ...limits } })

describe('webSocketTransport', () => {
  it('speaks the subprotocol mcp, one message a text message, in order and of any length', async () => {
    const { url, connected, headers } = await serve()
    const { transport, messages, count, frames, ends } = await open({ url, headers: { 'X-Team': 'a' } })
    const socket = await connected
    socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }))
    expect(socket.protocol).toBe('mcp')
    expect(await headers).toMatchObject({ 'x-team': 'a' })
    const sent = [
      ping(1),
      ping(2, 'é'.repeat(100)),
      ping(3, 'x'.repeat(70_000)),
      ping(4, 'y'.repeat(999_999)),
    ]
    await Promise.all(sent.map((each) => transport.send(each)))
    await count(4)
    expect(messages).toEqual(sent)
    await transport.close()
    await transport.close()
    expect(ends.map(({ code }) => code)).toEqual(['closed'])
    expect(frames.map((frame) => `${frame.kind} ${frame.direction}`)).toEqual([
      'http sent',
      'http received',
      'lifecycle sent',
      ...sent.map(() => 'message sent'),
      ...sent.map(() => 'message received'),
      'lifecycle sent',
    ])
  })

  it('hands on an invalid message with its bytes, and goes on', async () => {
    const { url, connected } = await serve()
    const { invalid, messages, count } = await open({ url })
    const socket = await connected
    socket.send(Buffer.from([1, 2]))
    socket.send('{"half')
    socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
    socket.send('{"jsonrpc":"2.0","method":"x"}')
    await count(4)
    expect(invalid.map(({ bytes, reason }) => [[...bytes], reason])).toEqual([
      [[1, 2], 'a binary message; messages are text'],
      [[...Buffer.from('{"half')], expect.stringMatching(/^Parse error/) as string],
      [[0x22, 0xff, 0x22], 'Parse error: the message is not valid UTF-8'],
    ])
    expect(messages).toEqual([{ jsonrpc: '2.0', method: 'x' }])
  })

  it('sends any bytes as they are, as text or binary', async () => {
    const { url, connected } = await serve()
    const { transport, frames } = await open({ url })
    const socket = await connected
    const heard: [string, boolean][] = []
    const both = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary) => {
        heard.push([data.toString(), isBinary])
        if (heard.length === 2) resolve()
      })
    })
    await transport.sendRaw(Buffer.from('no json'))
    await transport.sendRaw(Buffer.from('{"a":1}'), { frame: 'binary' })
    await both
    expect(heard).toEqual([
      ['no json', false],
      ['{"a":1}', true],
    ])
    expect(frames.slice(3).map(({ kind }) => kind)).toEqual(['invalid', 'message'])
  })

  it.each([
    [1000, '', 'connection-failed', 'the server closed the WebSocket with 1000 (normal)'],
    [1008, 'expired', 'connection-failed', 'the server closed the WebSocket with 1008 (its policy): expired'],
    [1009, '', 'limit', 'the server closed the WebSocket with 1009 (a message too big for it)'],
    [4001, 'own', 'connection-failed', 'the server closed the WebSocket with 4001: own'],
  ])('tells a close with %i as evidence', async (closeCode, reason, code, said) => {
    const { url, connected } = await serve()
    const { transport, ended, ends } = await open({ url })
    const socket = await connected
    socket.close(closeCode, reason)
    expect(await ended).toMatchObject({
      code,
      message: said,
      evidence: { closeCode, ...(reason === '' ? {} : { closeReason: reason }) },
    })
    expect(await rejection(transport.send(ping(1)))).toBe(ends[0])
    await transport.close()
    expect(ends).toHaveLength(1)
  })

  it('tells a cut, a message that is too long and a frame that breaks the protocol', async () => {
    const first = await serve()
    const cut = await open({ url: first.url })
    const socket = await first.connected
    socket.terminate()
    expect(await cut.ended).toMatchObject({ code: 'connection-failed', evidence: { closeCode: 1006 } })

    const second = await serve()
    const short = await open({ url: second.url, ...limited({ messageBytes: 100 }) })
    expect(await rejection(short.transport.send(ping(1, 'x'.repeat(100))))).toMatchObject({ code: 'limit' })
    const talker = await second.connected
    talker.on('error', () => undefined)
    talker.send('x'.repeat(101))
    expect(await short.ended).toMatchObject({
      code: 'limit',
      message: said(/longer than is read \(limit messageBytes\)/),
    })
  })

  it('takes a server that answers no ping for dead', async () => {
    const { url } = await serve({ autoPong: false })
    const { ended } = await open({ url, ...limited({ pingMs: 20 }) })
    expect(await ended).toMatchObject({
      code: 'connection-failed',
      message: 'the server answered no ping within 20 ms (limit pingMs)',
    })
  })

  it('waits for a slow reader, and gives up one that takes nothing', async () => {
    const { url, connected } = await serve()
    const { transport, ended } = await open({ url, ...limited({ outgoingStallMs: 100 }) })
    const socket = await connected
    socket.pause()
    const big = ping(1, 'x'.repeat(4_000_000))
    const sent = rejection(
      (async () => {
        for (;;) await transport.send(big)
      })(),
    )
    expect(await ended).toMatchObject({ code: 'stalled', message: said(/it took nothing for 100 ms/) })
    expect(await sent).toBe(await ended)
  })

  it('opens again after a challenge, and says why it could not be opened', async () => {
    const { server, origin } = await httpServer((_seen, response) => response.end('hello'))
    const sockets = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request, socket, head) => {
      if (request.url === '/none') socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno')
      else if (request.headers.authorization === 'Bearer good')
        sockets.handleUpgrade(request, socket, head, () => undefined)
      else socket.end('HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n')
    })
    const url = origin.replace('http', 'ws')
    const { authorization, heard } = tokensInARow(['old', 'good'])
    await open({ url, authorization })
    expect(heard).toEqual(['GET /', '-> 401', '401 Bearer', 'GET /', '-> 101'])
    const refused = attached((tap) => webSocketTransport({ url, tap }))
    expect(await rejection(refused.start())).toMatchObject({
      code: 'unauthorized',
      evidence: { httpStatus: 401, httpHeaders: { 'www-authenticate': 'Bearer' } },
    })
    const missing = attached((tap) => webSocketTransport({ url: `${url}/none`, tap }))
    expect(await rejection(missing.start())).toMatchObject({
      code: 'http-status',
      evidence: { httpStatus: 404, httpBody: 'no' },
    })
    expect(missing.frames.at(-1)).toMatchObject({ kind: 'http', http: { status: 404 } })
  })

  it('is refused by what does not select mcp, speaks no WebSocket, or is not there', async () => {
    const { url } = await serve({ handleProtocols: () => false })
    const other = attached((tap) => webSocketTransport({ url, tap }))
    expect(await rejection(other.start())).toMatchObject({
      code: 'not-mcp',
      message: said(/select the subprotocol/),
    })
    const { origin } = await httpServer((_seen, response) => response.end('hello'))
    const web = attached((tap) => webSocketTransport({ url: origin.replace('http', 'ws'), tap }))
    expect(await rejection(web.start())).toMatchObject({ evidence: { httpStatus: 200, httpBody: 'hello' } })
    // An event stream has no end to wait for.
    const endless = await httpServer((_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hi\n\n')
    })
    const stream = attached((tap) => webSocketTransport({ url: endless.origin.replace('http', 'ws'), tap }))
    expect(await rejection(stream.start())).toMatchObject({
      evidence: { httpStatus: 200, httpBody: ': hi\n\n' },
    })
    const gone = attached((tap) => webSocketTransport({ url: 'ws://127.0.0.1:9/mcp', tap }))
    expect(await rejection(gone.start())).toMatchObject({ evidence: { systemCode: 'ECONNREFUSED' } })
    const wrong = attached((tap) => webSocketTransport({ url: 'http://127.0.0.1/', tap }))
    expect(await rejection(wrong.start())).toMatchObject({
      message: said(/is not a valid ws:\/\/ or wss:\/\/ address/),
    })
  })
})
