import { CodedError } from '../protocol/coded-error.ts'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { WebSocketServer } from 'ws'
import { limitsOf, type Limits } from '../protocol/limits.ts'
import type { Admitted, Authorization } from '../ports/authorization-port.ts'
import { DroppedSockets } from './dropped-sockets.ts'
import { FastPath } from './fast-path/fast-path.ts'
import { NO_FAULTS, type FaultGate } from '../ports/fault-port.ts'
import { Dispatch } from './dispatch.ts'
import { AccessGuard } from './access-guard.ts'
import { isLoopbackHost } from '../ports/host-name.ts'
import { RequestPipeline } from './request-pipeline.ts'
import { PATHS, requireRoute, RouteTable, type Routes, type RouteUrls } from './routes.ts'
import { HttpSessions } from './http-sessions.ts'
import { StreamMonitor } from './stream-monitor.ts'
import { BearerTokens, tokenReader, type NamedToken, type TokenSource } from './bearer-token.ts'
import { Upgrade } from './upgrade.ts'
import { RequestRates } from './request-rates.ts'
import type { ServerPort } from '../ports/server-port.ts'
import { SessionLimit } from './session-limit.ts'
import { SilentSockets } from './silent-sockets.ts'
import { SseRoute } from './sse-server-route.ts'
import { NO_TAP, type Tap } from '../ports/tap.ts'
import { loadWebSockets, WebSocketRoute } from './websocket-route.ts'
import { asksForWebSocket } from './websocket-upgrade.ts'

/** What a listener serves, where, and to whom. */
export type HttpListenerOptions = {
  readonly server: ServerPort
  /** Address to bind, `127.0.0.1` if not given. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /**
   * One bearer token, or several with names. A function is read at each request; undefined and an empty list mean that
   * no token is required.
   */
  readonly token?: TokenSource
  /**
   * Asked at each request and upgrade; a text switches the listener off for it: the answer is 503 with that text.
   * Sessions stay, for when it is switched on again.
   */
  readonly off?: (headers: Readonly<IncomingHttpHeaders>) => string | undefined
  /**
   * Decides who may call by tokens of an authorization server, in place of `token`; made of the listener's URLs where
   * clients know it by those.
   */
  readonly authorization?: Authorization | ((urls: RouteUrls) => Authorization)
  /** Host names and addresses beside the loopback ones, without scheme and port; a `RangeError` for anything else. */
  readonly allowedHosts?: readonly string[]
  /** Origins (scheme, host, port) of pages that may connect, beside the listener's own; a `RangeError` for others. */
  readonly allowedOrigins?: readonly string[]
  /** Which routes are served; `{ mcp: true }` if not given. Others are not found. */
  readonly routes?: Routes
  /** Warns on stderr of routes that are deprecated; true if not given. */
  readonly warns?: boolean
  /**
   * On a WebSocket a page may carry its token in a second subprotocol, `bearer.` and the token in base64url: pages
   * cannot set headers there. Off if not given.
   */
  readonly tokensInSubprotocol?: boolean
  /**
   * A client may carry its token in the path, `/t/TOKEN/mcp` or `/t/TOKEN/ws`, where only an address can be configured.
   * For loopback: addresses are stored and shown in more places than headers. Off if not given.
   */
  readonly tokensInPath?: boolean
  /**
   * Whether clients of the handshake revisions need a session (specification: Streamable HTTP, session management);
   * `required` if not given. `none`: each POST is independent, in the revision of its version header. There is no
   * GET stream, and nothing that would need a session is declared: no subscriptions, change notices and log levels;
   * a handler that asks the client gets an `InputUnavailableError`.
   */
  readonly sessions?: 'required' | 'none'
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Faults that are made on purpose. */
  readonly faults?: FaultGate
  /**
   * Answers plain requests without `node:http`, at less than half of the cost. On if not given where the listener is
   * bound to a loopback address, unless the environment sets `PATCHBAY_FAST_PATH=off`. Leave it off behind a proxy.
   */
  readonly fastPath?: boolean
}

export type CloseOptions = {
  /** Milliseconds that requests in flight have to finish. */
  readonly graceMs?: number
  /** Called if some had not finished by then. */
  readonly onCutOff?: () => void
}

/** A listener on one port. */
export type HttpListener = {
  /** Where clients connect: the first route of `urls`. */
  readonly url: string
  /** Where clients connect, by route. */
  readonly urls: RouteUrls
  readonly port: number
  /** Sessions and connections of every kind, and modern requests that are open just now. */
  clientCount(): number
  /** How many readers were cut off because they did not read (limits outgoingBufferBytes and outgoingStallMs). */
  cutReaderCount(): number
  /** How many connections were dropped because there were as many as there may be (limit sockets). */
  droppedSocketCount(): number
  /**
   * To be called when the token was changed or is required from now on: ends the sessions and subscriptions of callers
   * that would not be admitted any more. Calls in a session end with it, others with their answer.
   */
  endUnadmitted(): void
  /**
   * Stops listening, refuses new requests, ends subscriptions with their results and streams once their calls are
   * answered, closes WebSockets with 1001. Cuts off what is left after `graceMs` milliseconds (2,000 if not given).
   */
  close(options?: CloseOptions): Promise<void>
}

/**
 * The listener could not be opened. `port-taken`: another process has the port.
 *
 * @example
 * ```ts
 * import { createServer, ListenError, Registry, startHttpListener } from 'patchbay/server'
 *
 * const server = createServer({ registry: new Registry(), info: { name: 'mine', version: '1.0.0' } })
 * const first = await startHttpListener({ server, port: 0 })
 * await startHttpListener({ server, port: first.port }).catch((error: unknown) => {
 *   if (error instanceof ListenError) console.log(error.code, error.port)
 * })
 * await first.close()
 * await server.close()
 * ```
 */
export class ListenError extends CodedError<'port-taken' | 'failed'> {
  override readonly name = 'ListenError'
  readonly host: string
  readonly port: number

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const taken = cause.code === 'EADDRINUSE'
    super(
      taken ? 'port-taken' : 'failed',
      taken
        ? `Port ${port} on ${host} is taken by another program; choose another port (0 for any) or stop that program`
        : `Cannot listen on port ${port} of ${host}: ${cause.message}`,
      { cause },
    )
    this.host = host
    this.port = port
  }
}

const NOTHING = new Uint8Array()
/** Milliseconds that calls in flight have to finish when the listener closes, if nothing else is said. */
const CLOSE_GRACE_MS = 2_000
/** Milliseconds between looks for connections that have become idle, while the listener closes. */
const CLOSE_POLL_MS = 20

/**
 * Serves MCP on one port: Streamable HTTP (sessions of the legacy revisions and stateless requests of 2026-07-28 side
 * by side), HTTP+SSE and WebSocket, each at a path of its own. Rejects with a `ListenError` if it cannot listen, and
 * with a `RangeError` if no route is to be served, or HTTP+SSE by a server of 2026-07-28 alone.
 *
 * @example
 * ```ts
 * import { createServer, Registry, startHttpListener } from 'patchbay/server'
 *
 * const server = createServer({ registry: new Registry(), info: { name: 'mine', version: '1.0.0' } })
 * const listener = await startHttpListener({ server, port: 0, routes: { mcp: true, ws: true }, token: 'secret' })
 * console.log(listener.urls)
 * await listener.close()
 * await server.close()
 * ```
 */
export async function startHttpListener(options: HttpListenerOptions): Promise<HttpListener> {
  const { host = '127.0.0.1', routes = { mcp: true } } = options
  const limits = limitsOf(options.limits)
  const token = tokenReader(options.token)
  requireRoute(routes, options.server.revisions)
  const sockets = routes.ws === true ? await loadWebSockets(limits) : undefined
  const http = createServer(settingsOf(limits, routes))
  http.maxConnections = limits.sockets
  const port = await listen(http, host, options.port)
  try {
    return new Listener({ ...options, host, routes, limits, port, token }, http, sockets)
  } catch (error) {
    // What the authorization throws on its options leaves no port open.
    http.close()
    throw error
  }
}

/** What Node keeps by itself; heads over 16 KiB are answered with 431, late ones with 408. */
function settingsOf(limits: Limits, routes: Routes): ServerOptions {
  return {
    keepAlive: true,
    keepAliveTimeout: 60_000,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, Math.max(10, limits.headMs / 2)),
    maxHeaderSize: 16 * 1024,
    // Other requests may name an Upgrade too, which is ignored.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      routes.ws === true && asksForWebSocket(request) && request.url?.split('?')[0] === PATHS.ws,
  }
}

function takesFastPath(host: string): boolean {
  return isLoopbackHost(host) && process.env['PATCHBAY_FAST_PATH'] !== 'off'
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

type Settled = Omit<HttpListenerOptions, 'limits' | 'token'> &
  Required<Pick<HttpListenerOptions, 'host' | 'routes'>> & {
    readonly limits: Limits
    readonly token: () => readonly NamedToken[]
  }

class Listener implements HttpListener {
  readonly url: string
  readonly urls: RouteUrls
  readonly port: number
  readonly #http: Server
  readonly #fastPath: FastPath | undefined
  readonly #silent: SilentSockets
  readonly #dropped: DroppedSockets
  readonly #tap: Tap
  readonly #table: RouteTable
  readonly #guard: AccessGuard
  readonly #front: RequestPipeline
  readonly #monitor: StreamMonitor
  readonly #sessionLimit: SessionLimit
  readonly #sessions: HttpSessions
  readonly #dispatch: Dispatch
  readonly #sse: SseRoute | undefined
  readonly #webSockets: WebSocketRoute | undefined
  readonly #upgrade: Upgrade | undefined
  #closing: Promise<void> | undefined

  constructor(options: Settled, http: Server, sockets: WebSocketServer | undefined) {
    const { host, port, routes, limits, server, tap = NO_TAP, faults = NO_FAULTS } = options
    this.port = port
    this.#http = http
    this.#silent = new SilentSockets(http)
    this.#tap = tap
    this.#dropped = new DroppedSockets(http, limits.sockets, (note) => {
      this.#lifecycle('closed', note)
    })
    this.#table = new RouteTable(routes, host, port)
    this.urls = this.#table.urls
    this.url = this.#table.first
    const name = this.#table.origin
    const { allowedHosts = [], allowedOrigins = [], token } = options
    const given = options.authorization ?? new BearerTokens(token)
    const authorization = typeof given === 'function' ? given(this.urls) : given
    const guard = new AccessGuard({
      host,
      port,
      allowedHosts,
      allowedOrigins,
      authorization,
      ...(options.off !== undefined && { off: options.off }),
    })
    this.#guard = guard
    const monitor = new StreamMonitor(limits)
    this.#monitor = monitor
    const sessionLimit = new SessionLimit(limits.sessions)
    this.#sessionLimit = sessionLimit
    const rates = new RequestRates(limits)
    this.#sessions = new HttpSessions({ server, monitor, limits, sessionLimit, name, faults, tap })
    this.#dispatch = new Dispatch({
      server,
      sessionPolicy: options.sessions ?? 'required',
      refuse: (admitted, message) => guard.refuseMessage(admitted, message, PATHS.mcp),
      sessions: this.#sessions,
      sessionLimit,
      monitor,
      rates,
      limits,
      faults,
      name,
    })
    if (routes.sse === true) {
      const refuse = (admitted: Admitted, message: unknown) =>
        guard.refuseMessage(admitted, message, PATHS.sse)
      this.#sse = new SseRoute({
        warns: options.warns ?? true,
        server,
        monitor,
        rates,
        limits,
        sessionLimit,
        tap,
        name,
        refuse,
        faults,
      })
    }
    this.#front = new RequestPipeline({
      routes: this.#table,
      guard: guard,
      dispatch: this.#dispatch,
      sse: this.#sse,
      rates,
      tap,
      limits,
      tokensInPath: options.tokensInPath ?? false,
    })
    if (sockets !== undefined) {
      const refuse = (admitted: Admitted, message: unknown) =>
        guard.refuseMessage(admitted, message, PATHS.ws)
      this.#webSockets = new WebSocketRoute(
        { server, monitor, sessionLimit, tap, name, refuse, faults },
        sockets,
      )
      this.#upgrade = new Upgrade({
        front: this.#front,
        guard: guard,
        webSockets: this.#webSockets,
        tokensInSubprotocol: options.tokensInSubprotocol ?? false,
      })
    }
    this.#fastPath = this.#listen(options.fastPath ?? takesFastPath(host), limits)
    this.#lifecycle('opened', `listening on ${this.#table.list}`)
  }

  clientCount(): number {
    return this.#sessionLimit.size + this.#dispatch.openCount
  }

  cutReaderCount(): number {
    return this.#monitor.cutReaders
  }

  droppedSocketCount(): number {
    return this.#dropped.count
  }

  endUnadmitted(): void {
    const isGone = (caller: string) => !this.#guard.stillAdmits(caller)
    this.#sessions.endOf(isGone)
    this.#dispatch.finishOf(isGone)
    this.#sse?.endOf(isGone)
    this.#webSockets?.endOf(isGone)
  }

  close(options: CloseOptions = {}): Promise<void> {
    return (this.#closing ??= this.#close(options))
  }

  #listen(fast: boolean, limits: Limits): FastPath | undefined {
    const front = this.#front
    this.#http.on('request', (request, response) => {
      front.serve(front.exchange(request, response))
    })
    this.#http.on('checkContinue', (request, response) => {
      const exchange = front.exchange(request, response)
      exchange.awaitsContinue = true
      front.serve(exchange)
    })
    const upgrade = this.#upgrade
    if (upgrade !== undefined) {
      this.#http.on('upgrade', (request, socket, head) => {
        upgrade.serve(request, socket, head)
      })
    }
    if (!fast) return undefined
    return new FastPath(this.#http, limits.messageBytes, (request, response) => {
      front.serve(front.exchange(request, response))
    })
  }

  async #close({ graceMs = CLOSE_GRACE_MS, onCutOff }: CloseOptions): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#http.close(() => {
        resolve()
      })
    })
    this.#front.isClosing = true
    this.#sessionLimit.close()
    this.#dispatch.isFinishing = true
    this.#dispatch.finishOf(() => true)
    this.#sessions.endStreams()
    this.#sse?.finish()
    this.#webSockets?.finish()
    this.#silent.destroy()
    const look = setInterval(() => {
      this.#http.closeIdleConnections()
      this.#fastPath?.closeIdleConnections()
    }, CLOSE_POLL_MS)
    const cut = setTimeout(() => {
      onCutOff?.()
      this.#http.closeAllConnections()
      this.#fastPath?.closeAllConnections()
      this.#webSockets?.destroy()
      this.#upgrade?.destroy()
    }, graceMs)
    await closed
    clearInterval(look)
    clearTimeout(cut)
    await this.#webSockets?.closed()
    this.#sessions.close()
    this.#sse?.close()
    this.#monitor.close()
    this.#lifecycle('closed', `${this.#table.list} closed`)
  }

  #lifecycle(event: 'opened' | 'closed', note: string): void {
    this.#tap.record({ kind: 'lifecycle', direction: 'received', bytes: NOTHING, event, note })
  }
}
