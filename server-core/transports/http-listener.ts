import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import { accepts, bodyFault, collectBody } from './listener-body.ts'
import { ListenerDispatch } from './listener-dispatch.ts'
import { ListenerExchange } from './listener-exchange.ts'
import { corsHeaders, HostGuard, OriginGuard, preflightHeaders, TokenGuard } from './listener-guards.ts'
import { ListenerSessions } from './listener-sessions.ts'
import { StreamKeeper } from './listener-stream.ts'
import type { ServerPort } from './server-port.ts'
import { NO_TAP, type Tap } from './tap.ts'

export type HttpListenerOptions = {
  readonly server: ServerPort
  /** Address to bind, `127.0.0.1` if not given. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /** Read at each request; undefined means that no token is required. */
  readonly token?: () => string | undefined
  /** Host names beside the loopback ones. */
  readonly allowedHosts?: readonly string[]
  /** Origins (scheme, host, port) of pages that may connect, beside the listener's own. */
  readonly allowedOrigins?: readonly string[]
  readonly tap?: Tap
  readonly limits?: Limits
}

export type HttpListener = {
  /** Where clients connect. */
  readonly url: string
  readonly port: number
  /** Legacy sessions, and modern requests that are open just now. */
  clientCount(): number
  /**
   * To be called when the token was changed or is required from now on: ends the sessions and subscriptions of callers
   * that would not be admitted any more. Calls in a session end with it, others with their answer.
   */
  endUnadmitted(): void
  /** Takes no more requests, ends subscriptions with their results, lets calls finish for 2 s, then cuts off. */
  close(): Promise<void>
}

/** The listener could not be opened. `port-taken`: another process has the port. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: 'port-taken' | 'failed'
  readonly host: string
  readonly port: number

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const taken = cause.code === 'EADDRINUSE'
    super(
      taken
        ? `Port ${port} on ${host} is taken by another program; choose another port (0 for any) or stop that program`
        : `Cannot listen on port ${port} of ${host}: ${cause.message}`,
      { cause },
    )
    this.code = taken ? 'port-taken' : 'failed'
    this.host = host
    this.port = port
  }
}

const PATH = '/mcp'
const METHODS = new Set(['POST', 'GET', 'DELETE', 'OPTIONS'])
const NOTHING = new Uint8Array()
/** Milliseconds that calls in flight have to finish when the listener closes. */
const CLOSE_GRACE_MS = 2_000

/**
 * Serves MCP over Streamable HTTP at `/mcp`: sessions of 2025-11-25 and stateless requests of 2026-07-28 side by
 * side. Rejects with a `ListenError` if it cannot listen.
 */
export async function startHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const host = options.host ?? '127.0.0.1'
  const http = createServer({ keepAliveTimeout: 60_000, headersTimeout: 20_000, requestTimeout: 120_000 })
  const port = await listen(http, host, options.port)
  const listener = new Listener(options, http, host, port)
  return {
    url: listener.url,
    port,
    clientCount: () => listener.clientCount(),
    endUnadmitted: () => {
      listener.endUnadmitted()
    },
    close: () => listener.close(),
  }
}

function listen(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error) => {
      reject(new ListenError(host, port, error))
    })
    http.listen({ host, port }, () => {
      const address = http.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

class Listener {
  readonly url: string
  readonly #http: Server
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #hosts: HostGuard
  readonly #origins: OriginGuard
  readonly #tokens: TokenGuard
  readonly #keeper: StreamKeeper
  readonly #sessions: ListenerSessions
  readonly #dispatch: ListenerDispatch
  #exchanges = 0
  #closing: Promise<void> | undefined

  constructor(options: HttpListenerOptions, http: Server, host: string, port: number) {
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${PATH}`
    this.#http = http
    this.#limits = options.limits ?? DEFAULT_LIMITS
    this.#tap = options.tap ?? NO_TAP
    this.#hosts = new HostGuard(host, options.allowedHosts ?? [])
    this.#origins = new OriginGuard(port, options.allowedOrigins ?? [])
    this.#tokens = new TokenGuard(options.token)
    this.#keeper = new StreamKeeper(this.#limits)
    this.#sessions = new ListenerSessions(options.server, this.#keeper, this.#limits)
    this.#dispatch = new ListenerDispatch({
      server: options.server,
      sessions: this.#sessions,
      keeper: this.#keeper,
      limits: this.#limits,
      name: this.url,
    })
    http.on('request', (request, response) => {
      this.#serve(request, response)
    })
    this.#life('opened', `listening on ${this.url}`)
  }

  clientCount(): number {
    return this.#sessions.size + this.#dispatch.openCount
  }

  endUnadmitted(): void {
    const isGone = (caller: string) => !this.#tokens.stillAdmits(caller)
    this.#sessions.endOf(isGone)
    this.#dispatch.finishOf(isGone)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#http.close(() => {
        resolve()
      })
    })
    this.#dispatch.finishOf(() => true)
    this.#sessions.endStreams()
    const cut = setTimeout(() => {
      this.#http.closeAllConnections()
    }, CLOSE_GRACE_MS)
    this.#http.closeIdleConnections()
    await closed
    clearTimeout(cut)
    this.#sessions.close()
    this.#keeper.close()
    this.#life('closed', `${this.url} closed`)
  }

  /** The order of the checks is part of the defence: nothing of a foreign page's request is even parsed. */
  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#exchanges += 1
    const exchange = new ListenerExchange(request, response, this.#exchanges, this.#tap)
    response.on('error', () => undefined)
    if (this.#closing !== undefined) exchange.always['connection'] = 'close'
    const { method = '' } = request
    if (!METHODS.has(method)) {
      exchange.sendPlain(405, `Method ${method} is not served here`, { allow: 'POST, GET, DELETE, OPTIONS' })
      return
    }
    const { origin, authorization } = request.headers
    if (!this.#hosts.allows(request)) {
      exchange.sendPlain(403, 'Forbidden: this Host is not served here')
      return
    }
    if (!this.#origins.allows(origin)) {
      exchange.sendPlain(
        403,
        `Forbidden: pages of ${origin ?? ''} may not connect; add the origin to allow it`,
      )
      return
    }
    if (origin !== undefined) Object.assign(exchange.always, corsHeaders(origin))
    if (request.url !== PATH && request.url?.split('?')[0] !== PATH) {
      exchange.sendPlain(404, `Not found: MCP is served at ${PATH}`)
      return
    }
    if (method === 'OPTIONS') {
      exchange.sendPlain(204, '', preflightHeaders(request))
      return
    }
    const admission = this.#tokens.admit(authorization)
    if ('challenge' in admission) {
      exchange.sendPlain(401, 'Unauthorized: a bearer token is required', {
        'www-authenticate': admission.challenge,
      })
      return
    }
    if (method === 'POST') this.#post(exchange, admission.caller)
    else if (method === 'GET') this.#get(exchange, admission.caller)
    else this.#delete(exchange, admission.caller)
  }

  #post(exchange: ListenerExchange, caller: string): void {
    const fault = bodyFault(exchange.request)
    if (fault !== undefined) {
      exchange.sendPlain(fault.status, fault.reason)
      return
    }
    const { messageBytes } = this.#limits
    collectBody(exchange.request, messageBytes, (body) => {
      if ('bytes' in body) this.#dispatch.post(exchange, body.bytes, caller)
      else if (body.missing === 'too-large') {
        exchange.sendPlain(413, `The body is over the limit of ${messageBytes} bytes (messageBytes)`, {
          connection: 'close',
        })
      }
    })
  }

  #get(exchange: ListenerExchange, caller: string): void {
    if (!accepts(exchange.header('accept'), 'text/event-stream')) {
      exchange.sendPlain(406, 'A GET opens a stream: Accept must list text/event-stream')
      return
    }
    if (exchange.header('mcp-session-id') === undefined) {
      exchange.sendPlain(405, 'A GET needs a session: only sessions have a stream of their own', {
        allow: 'POST',
      })
      return
    }
    this.#dispatch.sessionFor(exchange, caller)?.listen(exchange)
  }

  #delete(exchange: ListenerExchange, caller: string): void {
    const session = this.#dispatch.sessionFor(exchange, caller)
    if (session === undefined) return
    this.#sessions.end(session)
    exchange.sendPlain(204, '')
  }

  #life(event: 'opened' | 'closed', note: string): void {
    this.#tap.record({ kind: 'life', direction: 'received', bytes: NOTHING, event, note })
  }
}
