import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { HttpFacts, Tap } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { observeBody } from './body-observer.ts'
import type { HttpRules } from './http-rules.ts'
import { joinedHeaders, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import { isMetadata, rewritten, type AddressRewrite } from './own-address.ts'

const BAD_GATEWAY = 502
const LARGEST_METADATA = 1024 * 1024
const NO_BYTES = new Uint8Array()

/** What all exchanges of a tap share. */
export type ExchangeContext = {
  /** The server. */
  readonly target: URL
  readonly agent: http.Agent
  readonly tap: Tap
  /** Replaces the server's own address in metadata, if the user wants that. */
  readonly rewrite: AddressRewrite | undefined
  /** Rules and network conditions, if there are any. */
  readonly rules: HttpRules | undefined
  nextExchange(): number
}

/** Forwards one request and its answer, each chunk as it comes. */
export function forwardExchange(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { target, agent, tap } = context
  const { method = 'GET', url: path = '/' } = request
  const asked: HttpFacts = {
    exchange: context.nextExchange(),
    method,
    url: new URL(path, target).href,
    headers: joinedHeaders(request.rawHeaders),
  }
  const upstream = (target.protocol === 'https:' ? https : http).request({
    ...addressOf(target),
    agent,
    method,
    path,
    headers: requestHeaders(request.rawHeaders, target.host),
    setDefaultHeaders: false,
  })
  let isOver = false
  const failed = (error: Error): void => {
    if (isOver) return
    isOver = true
    request.unpipe(upstream)
    upstream.destroy()
    tap.record({
      kind: 'http',
      direction: 'received',
      bytes: Buffer.from(messageOf(error)),
      http: { ...asked, headers: {} },
    })
    if (response.headersSent) response.destroy()
    else fail(response, `The tap cannot reach ${target.origin}: ${messageOf(error)}.`)
  }
  upstream.on('error', failed)
  upstream.on('continue', () => response.writeContinue())
  upstream.on('response', (answer) => {
    answer.on('end', () => (isOver = true))
    answer.on('error', failed)
    forwardAnswer(context, { request, response, answer, asked })
  })
  const observer = observeBody(tap, 'sent', asked)
  request.on('data', (chunk: Buffer) => observer.push(chunk))
  request.on('end', () => observer.end())
  request.pipe(upstream)
  // The client went away before it had its answer.
  response.on('close', () => {
    if (response.writableFinished || isOver) return
    isOver = true
    tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: { ...asked, headers: {} } })
    upstream.destroy()
  })
}

type Answered = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly answer: IncomingMessage
  readonly asked: HttpFacts
}

function forwardAnswer(
  { tap, rewrite }: ExchangeContext,
  { request, response, answer, asked }: Answered,
): void {
  const { statusCode: status = BAD_GATEWAY, statusMessage = '', rawHeaders } = answer
  const facts: HttpFacts = { ...asked, headers: joinedHeaders(rawHeaders), status }
  const observer = observeBody(tap, 'received', facts)
  const change = rewrite === undefined ? undefined : (text: string) => rewritten(text, rewrite)
  response.sendDate = false
  answer.on('data', (chunk: Buffer) => observer.push(chunk))
  answer.on('end', () => observer.end())
  if (
    change !== undefined &&
    isMetadata(request.url ?? '') &&
    facts.headers['content-encoding'] === undefined
  ) {
    void forwardMetadata(answer, response, change, () => {
      response.writeHead(status, statusMessage, responseHeaders(rawHeaders, change, ['content-length']))
    })
    return
  }
  response.writeHead(status, statusMessage, responseHeaders(rawHeaders, change))
  // An event stream may say nothing for long, and its head is an answer already.
  response.flushHeaders()
  answer.pipe(response)
}

async function forwardMetadata(
  answer: IncomingMessage,
  response: ServerResponse,
  change: (text: string) => string,
  writeHead: () => void,
): Promise<void> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > LARGEST_METADATA) throw new Error(`the metadata is longer than ${LARGEST_METADATA} bytes`)
      parts.push(chunk)
    }
  } catch (error) {
    fail(response, `The tap cannot read the metadata of the server: ${messageOf(error)}.`)
    return
  }
  writeHead()
  response.end(change(Buffer.concat(parts).toString()))
}

/** Answers in place of the server. */
export function fail(response: ServerResponse, message: string, status = BAD_GATEWAY): void {
  const body = `${JSON.stringify({ jsonrpc: '2.0', error: { code: -32_603, message } })}\n`
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Where a server is. The name of an IPv6 address has brackets in URLs alone. */
export function addressOf(target: URL): { readonly host: string; readonly port: number } {
  const isSecure = target.protocol === 'https:' || target.protocol === 'wss:'
  return {
    host: target.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: target.port === '' ? (isSecure ? 443 : 80) : Number(target.port),
  }
}
