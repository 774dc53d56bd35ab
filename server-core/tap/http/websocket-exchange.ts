import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import type { HttpFacts, Tap } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { frameOfLine } from '../recording/frame-recorder.ts'
import { joinedHeaders, requestHeaders } from './forwarded-headers.ts'
import { addressOf, type ExchangeContext } from './http-exchange.ts'
import type { HttpRules } from './http-rules.ts'
import { ruledWebSocket } from './ruled-websocket.ts'
import { WebSocketReader } from './websocket-reader.ts'

const NO_BYTES = new Uint8Array()

/** Forwards the handshake of a WebSocket, then the bytes of both sides as they come. */
export function forwardUpgrade(
  context: ExchangeContext,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  const { target } = context
  const { url: path = '/' } = request
  const tap = context.tap.fork?.('websocket') ?? context.tap
  const asked: HttpFacts = {
    exchange: context.nextExchange(),
    method: 'GET',
    url: new URL(path, target).href,
    headers: joinedHeaders(request.rawHeaders),
  }
  tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: asked })
  const upstream = (target.protocol === 'https:' ? https : http).request({
    ...addressOf(target),
    agent: false,
    method: 'GET',
    path,
    headers: requestHeaders(request.rawHeaders, target.host, true),
    setDefaultHeaders: false,
  })
  const failed = (error: Error): void => {
    tap.record({
      kind: 'http',
      direction: 'received',
      bytes: Buffer.from(messageOf(error)),
      http: { ...asked, headers: {} },
    })
    client.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }
  client.on('error', () => upstream.destroy())
  upstream.on('error', failed)
  upstream.on('response', (answer) => {
    const { statusCode: status = 502 } = answer
    tap.record({
      kind: 'http',
      direction: 'received',
      bytes: NO_BYTES,
      http: { ...asked, headers: joinedHeaders(answer.rawHeaders), status },
    })
    client.write(headOf(answer))
    answer.pipe(client)
  })
  upstream.on('upgrade', (answer, server: Duplex, rest: Buffer) => {
    upstream.off('error', failed)
    const { statusCode: status = 101 } = answer
    tap.record({
      kind: 'http',
      direction: 'received',
      bytes: NO_BYTES,
      http: { ...asked, headers: joinedHeaders(answer.rawHeaders), status },
    })
    tap.record({ kind: 'lifecycle', direction: 'sent', bytes: NO_BYTES, event: 'opened', note: asked.url })
    client.write(headOf(answer))
    join(tap, { client, server, head, rest }, context.rules)
  })
  upstream.end()
}

type Sides = {
  readonly client: Duplex
  readonly server: Duplex
  readonly head: Buffer
  readonly rest: Buffer
}

function join(tap: Tap, { client, server, head, rest }: Sides, rules: HttpRules | undefined): void {
  let isOver = false
  const close = (): void => {
    if (isOver) return
    isOver = true
    client.destroy()
    server.destroy()
    tap.record({
      kind: 'lifecycle',
      direction: 'received',
      bytes: NO_BYTES,
      event: 'closed',
      note: 'the WebSocket was closed',
    })
  }
  server.on('error', close)
  client.on('error', close)
  server.on('close', close)
  client.on('close', close)
  if (rules?.isActive === true) {
    const ruled = ruledWebSocket(rules, { client, server, tap, close })
    ruled['to-server'].push(head)
    ruled['to-client'].push(rest)
    client.on('data', (chunk: Buffer) => ruled['to-server'].push(chunk))
    server.on('data', (chunk: Buffer) => ruled['to-client'].push(chunk))
    client.on('end', () => ruled['to-server'].end())
    server.on('end', () => ruled['to-client'].end())
    return
  }
  const sent = new WebSocketReader({ message: (message) => tap.record(frameOfLine('sent', message)) })
  const received = new WebSocketReader({ message: (message) => tap.record(frameOfLine('received', message)) })
  if (head.length > 0) server.write(head)
  sent.push(head)
  if (rest.length > 0) client.write(rest)
  received.push(rest)
  client.on('data', (chunk: Buffer) => sent.push(chunk))
  server.on('data', (chunk: Buffer) => received.push(chunk))
  client.pipe(server)
  server.pipe(client)
}

/** The head of an answer with the headers as they came. */
function headOf({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`)
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}
