import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Limits } from '../../protocol/limits.ts'
import {
  MAX_CHALLENGES,
  type AuthorizedRequest,
  type ClientAuthorization,
} from '../../ports/client-authorization.ts'
import { TransportError } from '../../ports/contract.ts'
import { connectionFailure, replyFailure, statusFailure, type RefusedReply } from '../http/http-failure.ts'
import type { HttpFacts, Tap } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'

const HANDSHAKE_TIMEOUT_MS = 10_000
/** The only subprotocol; a server must select it. */
const SUBPROTOCOL = 'mcp'
const REFUSAL_BYTES = 8 * 1024
/** How long the body of a refusal may take: an event stream has no end. */
const REFUSAL_MS = 500
const NO_BYTES = new Uint8Array()

export type HandshakeOptions = {
  readonly target: URL
  readonly headers: Readonly<Record<string, string>>
  readonly authorization: ClientAuthorization | undefined
  readonly limits: Limits
  readonly tap: Tap
  /** Aborting gives up the attempt that is under way, and every further one. */
  readonly signal: AbortSignal
}

/** An open WebSocket, and the connection under it. */
export type OpenSocket = { readonly socket: WebSocket; readonly stream: Duplex }

/**
 * Opens a WebSocket that speaks MCP (RFC 6455, 4; no revision defines it), sent again with fresh headers as often as
 * the authorization finds a refusal worth it. Throws a `TransportError`.
 */
export async function openWebSocket(options: HandshakeOptions): Promise<OpenSocket> {
  const { target, headers, authorization } = options
  const request = { method: 'GET', url: target.href }
  for (let challenges = 0; ; challenges += 1) {
    const own = await ownHeaders(authorization, request)
    const outcome = await attempt({ ...options, headers: { ...headers, ...own } }, challenges + 1)
    if ('socket' in outcome) {
      authorization?.responded?.(outcome.headers, 101)
      return outcome
    }
    authorization?.responded?.(outcome.headers, outcome.status)
    const isAccessRefused = outcome.status === 401 || outcome.status === 403
    if (!isAccessRefused || authorization === undefined || challenges === MAX_CHALLENGES)
      throw statusFailure(outcome)
    const { status } = outcome
    const refusal = { ...request, status, headers: outcome.headers, sent: own }
    const isWorthIt = await authorization.challenged(refusal).catch((cause: unknown) => {
      throw replyFailure('unauthorized', reasonOf(cause), outcome, { cause })
    })
    if (!isWorthIt) throw statusFailure(outcome)
  }
}

async function ownHeaders(
  authorization: ClientAuthorization | undefined,
  request: AuthorizedRequest,
): Promise<Readonly<Record<string, string>>> {
  try {
    return (await authorization?.headers(request)) ?? {}
  } catch (cause) {
    throw new TransportError('unauthorized', reasonOf(cause), { url: request.url }, { cause })
  }
}

type Opened = OpenSocket & { readonly headers: Readonly<Record<string, string>> }

async function attempt(options: HandshakeOptions, exchange: number): Promise<Opened | RefusedReply> {
  const { target, headers, limits, tap, signal } = options
  const startedAt = performance.now()
  const afterMs = (): number => Math.round(performance.now() - startedAt)
  const asked: HttpFacts = {
    exchange,
    method: 'GET',
    url: target.href,
    headers: { host: target.host, ...headers, 'sec-websocket-protocol': SUBPROTOCOL },
  }
  tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: asked })
  const { WebSocket } = await import('ws')
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(target, SUBPROTOCOL, {
      headers: { ...headers },
      perMessageDeflate: false,
      maxPayload: limits.messageBytes,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // Text that is not UTF-8 comes through, to be reported with its bytes.
      skipUTF8Validation: true,
    })
    const abort = (): void => socket.terminate()
    const fail = (cause: unknown): void => {
      signal.removeEventListener('abort', abort)
      const error = signal.aborted
        ? new TransportError('closed', 'the connection was closed', { url: target.href }, { cause })
        : handshakeFailure(cause, target.href, afterMs())
      const bytes = Buffer.from(error.message)
      tap.record({ kind: 'http', direction: 'received', bytes, http: { ...asked, headers: {} } })
      reject(error)
    }
    signal.addEventListener('abort', abort)
    socket.on('error', fail)
    socket.once('upgrade', (response) => {
      const taken = flatten(response)
      const stream = response.socket
      tap.record({
        kind: 'http',
        direction: 'received',
        bytes: NO_BYTES,
        http: { ...asked, headers: taken, status: 101 },
      })
      socket.once('open', () => {
        signal.removeEventListener('abort', abort)
        socket.off('error', fail)
        // What comes with the same packet is for the listeners that are added next.
        socket.pause()
        resolve({ socket, stream, headers: taken })
      })
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      const parts: Buffer[] = []
      let length = 0
      const refuse = (): void => {
        const body = Buffer.concat(parts)
        const status = response.statusCode ?? 0
        const refused = { url: target.href, status, headers: flatten(response), body, afterMs: afterMs() }
        const http = { ...asked, headers: refused.headers, status }
        tap.record({ kind: 'http', direction: 'received', bytes: body, http })
        signal.removeEventListener('abort', abort)
        socket.off('error', fail)
        socket.on('error', () => undefined)
        socket.terminate()
        resolve(refused)
      }
      response.on('data', (chunk: Buffer) => {
        parts.push(chunk)
        length += chunk.length
        if (length > REFUSAL_BYTES) response.destroy()
      })
      const enough = setTimeout(() => response.destroy(), REFUSAL_MS)
      response.once('close', () => {
        clearTimeout(enough)
        refuse()
      })
    })
    if (signal.aborted) abort()
  })
}

function handshakeFailure(cause: unknown, url: string, afterMs: number): TransportError {
  const detail = reasonOf(cause)
  if (/subprotocol/.test(detail)) {
    const message = `what answers at ${url} opens a WebSocket but does not select the subprotocol "${SUBPROTOCOL}"`
    return new TransportError('not-mcp', message, { url, afterMs }, { cause })
  }
  if (/^Invalid /.test(detail)) {
    const message = `what answers at ${url} speaks no WebSocket: ${detail}`
    return new TransportError('not-mcp', message, { url, afterMs }, { cause })
  }
  return connectionFailure(cause, url, afterMs)
}

function flatten(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
}

function reasonOf(cause: unknown): string {
  return messageOf(cause)
}
