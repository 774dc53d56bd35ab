import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import type { Admitted, Authorization, Refused } from './authorization-port.ts'
import { accepts, bodyFault, collectBody } from './listener-body.ts'
import { ListenerDispatch } from './listener-dispatch.ts'
import { ListenerExchange } from './listener-exchange.ts'
import { Door } from './listener-door.ts'
import { corsHeaders, preflightHeaders, PUBLIC_HEADERS } from './listener-guards.ts'
import { ListenerSessions } from './listener-sessions.ts'
import { StreamKeeper } from './listener-stream.ts'
import { SharedToken } from './listener-token.ts'
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
  /** Decides who may call by tokens of an authorization server, in place of `token`. */
  readonly authorization?: Authorization
  /** Host names beside the loopback ones. */
  readonly allowedHosts?: readonly string[]
  /** Origins (scheme, host, port) of pages that may connect, beside the listener's own. */
  readonly allowedOrigins?: readonly string[]
  /**
   * Whether clients of the handshake revisions need a session (specification: Streamable HTTP, session management);
   * `required` if not given. `none`: each POST stands on its own, in the revision of its version header. There is no
   * GET stream, and nothing that would need a session is declared: no subscriptions, change notices and log levels;
   * a handler that asks the client gets an `InputUnavailableError`.
   */
  readonly sessions?: 'required' | 'none'
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
  readonly #door: Door
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
    const { allowedHosts = [], allowedOrigins = [], token } = options
    const authorization = options.authorization ?? new SharedToken(token)
    this.#door = new Door({ host, port, allowedHosts, allowedOrigins, authorization })
    this.#keeper = new StreamKeeper(this.#limits)
    this.#sessions = new ListenerSessions(options.server, this.#keeper, this.#limits)
    this.#dispatch = new ListenerDispatch({
      server: options.server,
      sessionPolicy: options.sessions ?? 'required',
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
    const isGone = (caller: string) => !this.#door.stillAdmits(caller)
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
    const refused = this.#door.refuseHost(request)
    if (refused !== undefined) {
      exchange.refuse(refused)
      return
    }
    const { method = '', url = '' } = request
    const path = url === PATH ? url : (url.split('?')[0] ?? url)
    const document = this.#door.document(path)
    if (document === undefined) this.#route(exchange, method, path)
    else sendDocument(exchange, method, document)
  }

  #route(exchange: ListenerExchange, method: string, path: string): void {
    const { request } = exchange
    const foreign = this.#door.refuseOrigin(request)
    if (foreign !== undefined) {
      exchange.refuse(foreign)
      return
    }
    if (!METHODS.has(method)) {
      exchange.sendPlain(405, `Method ${method} is not served here`, { allow: 'POST, GET, DELETE, OPTIONS' })
      return
    }
    const { origin } = request.headers
    if (origin !== undefined) Object.assign(exchange.always, corsHeaders(origin))
    if (path !== PATH) {
      exchange.sendPlain(404, `Not found: MCP is served at ${PATH}`)
      return
    }
    if (method === 'OPTIONS') {
      exchange.sendPlain(204, '', preflightHeaders(request))
      return
    }
    const admission = this.#door.admit(request, path)
    if (admission instanceof Promise) {
      void admission.then((decided) => {
        if (!exchange.response.destroyed) this.#enter(exchange, method, decided)
      })
    } else this.#enter(exchange, method, admission)
  }

  #enter(exchange: ListenerExchange, method: string, admission: Admitted | Refused): void {
    if ('status' in admission) {
      exchange.refuse(admission)
      return
    }
    exchange.admitted = admission
    const { caller } = admission
    if (method === 'POST') this.#post(exchange, caller)
    else if (method === 'GET') this.#get(exchange, caller)
    else this.#delete(exchange, caller)
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
    if (!this.#dispatch.hasSessions) {
      exchange.sendPlain(405, 'There are no sessions here: only POST is served', { allow: 'POST, OPTIONS' })
      return
    }
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
    if (!this.#dispatch.hasSessions) {
      exchange.sendPlain(405, 'There are no sessions here: only POST is served', { allow: 'POST, OPTIONS' })
      return
    }
    const session = this.#dispatch.sessionFor(exchange, caller)
    if (session === undefined) return
    this.#sessions.end(session)
    exchange.sendPlain(204, '')
  }

  #life(event: 'opened' | 'closed', note: string): void {
    this.#tap.record({ kind: 'life', direction: 'received', bytes: NOTHING, event, note })
  }
}

/** Documents about the authorization may be read by every page (RFC 9728; they hold no secret). */
function sendDocument(exchange: ListenerExchange, method: string, document: string): void {
  Object.assign(exchange.always, PUBLIC_HEADERS)
  if (method === 'GET' || method === 'HEAD') exchange.sendDocument(document)
  else if (method === 'OPTIONS') {
    exchange.sendPlain(204, '', {
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET',
    })
  } else exchange.sendPlain(405, 'This document can be read only', { allow: 'GET, HEAD, OPTIONS' })
}
