import { randomBytes } from 'node:crypto'
import { isModernMessage, versionClaim } from '../protocol/era.ts'
import { ErrorCode, ProtocolError, shuttingDown } from '../protocol/errors.ts'
import { overlongIdOf } from '../protocol/limit-error.ts'
import type { Limits } from '../protocol/limits.ts'
import { classifyMessage, type Classified, type RequestId } from '../protocol/messages.ts'
import { parseFromClient } from '../protocol/parse.ts'
import { unreadableIdIn } from '../protocol/revisions.ts'
import { ownerOf, type Admitted, type Refused } from '../ports/authorization-port.ts'
import { warnOfDeprecated } from '../ports/deprecation-warning.ts'
import type { FaultGate, FaultInjector } from '../ports/fault-port.ts'
import { accepts } from './request-body.ts'
import type { ListenerExchange } from './listener-exchange.ts'
import { PATHS } from './routes.ts'
import type { StreamMonitor } from './stream-monitor.ts'
import type { RequestRates } from './request-rates.ts'
import type { ServerPort } from '../ports/server-port.ts'
import type { CountedSessions, SessionLimit } from './session-limit.ts'
import { SseSession } from './sse-server-session.ts'
import type { Tap } from '../ports/tap.ts'

export type SseRouteOptions = {
  /** Warns that it is deprecated. */
  readonly warns: boolean
  readonly server: ServerPort
  readonly monitor: StreamMonitor
  readonly rates: RequestRates
  readonly limits: Limits
  readonly sessionLimit: SessionLimit
  readonly tap: Tap
  readonly faults: FaultGate
  /** Names the listener, so that an anonymous caller of one is not taken for one of another. */
  readonly name: string
  /** Returns why a caller may not send that message. */
  readonly refuse: (admitted: Admitted, message: unknown) => Refused | undefined
}

/** Where a client posts: a session's id follows. */
const ENDPOINT = `${PATHS.messages}?sessionId=`

/** What needs a session that is there. */
type Further = Exclude<Classified, { readonly type: 'request' | 'invalid' }>

/**
 * The deprecated transport HTTP+SSE (2024-11-05, Transports): `GET /sse` opens the stream of a session, and
 * `POST /messages` sends to it. Any legacy revision is spoken on it, the modern one never.
 */
export class SseRoute implements CountedSessions {
  readonly #options: SseRouteOptions
  readonly #sessions = new Map<string, SseSession>()
  readonly #sweeper: NodeJS.Timeout
  #isFinishing = false

  constructor(options: SseRouteOptions) {
    if (options.warns) {
      warnOfDeprecated(
        'MCP_DEPRECATED_HTTP_SSE',
        'The MCP transport HTTP+SSE is deprecated since 2025-03-26. Instead, serve Streamable HTTP.',
      )
    }
    this.#options = options
    options.sessionLimit.include(this)
    const { sessionIdleMs } = options.limits
    this.#sweeper = setInterval(
      () => {
        this.endIdle()
      },
      Math.min(30_000, Math.max(10, sessionIdleMs / 2)),
    ).unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Serves a GET: the stream of a new session, or of the one that it names. */
  open(exchange: ListenerExchange): void {
    const accept = exchange.header('accept')
    if (accept !== undefined && !accepts(accept, 'text/event-stream')) {
      exchange.sendPlain(406, 'A GET opens a stream: Accept must list text/event-stream')
      return
    }
    const id = sessionIdOf(exchange)
    const session = id === undefined ? this.#mint(exchange) : this.#find(exchange, id)
    if (session === undefined) return
    if (session.connected) {
      exchange.sendPlain(409, 'This session has an open stream already')
      return
    }
    session.attach(exchange, `${ENDPOINT}${session.id}`)
    if (this.#isFinishing) session.finish()
  }

  /** Serves the body of a POST. */
  post(exchange: ListenerExchange, bytes: Buffer): void {
    const parsed = parseFromClient(bytes, this.#options.limits)
    const id = sessionIdOf(exchange)
    const known = id === undefined ? undefined : this.#sessionOf(exchange, id)
    // Before the handshake a client of this transport is one of its own revision.
    const unreadableId = unreadableIdIn(known?.session.revision ?? '2024-11-05')
    if (!parsed.ok) {
      exchange.sawInvalid(bytes, parsed.error.message)
      exchange.sendError(400, parsed.error, unreadableId)
      return
    }
    if (known !== undefined) exchange.seenBy(known.tap)
    exchange.sawMessage(bytes, parsed.value)
    const refused = this.#options.refuse(exchange.admitted, parsed.value)
    if (refused !== undefined) {
      exchange.refuse(refused)
      return
    }
    const { injector } = this.#options.faults
    if (injector !== undefined && this.#faulted(injector, exchange, known, parsed.value)) return
    const classified = classifyMessage(parsed.value)
    const overlong = overlongIdOf(classified, this.#options.limits)
    if (overlong !== undefined) {
      exchange.sendError(400, overlong, unreadableId)
      return
    }
    if (classified.type === 'invalid') {
      exchange.sendError(400, invalidRequest(classified.reason), classified.id ?? unreadableId)
      return
    }
    const requestId = classified.type === 'request' ? classified.message.id : undefined
    if (this.#isFinishing && (classified.type === 'request' || classified.type === 'batch')) {
      exchange.sendBusy(503, shuttingDown(), requestId)
      return
    }
    if (id !== undefined && known === undefined) {
      this.#unknown(exchange, requestId)
      return
    }
    const fault = known?.versionFault(exchange.header('mcp-protocol-version')) ?? modernFault(classified)
    if (fault !== undefined) {
      exchange.sendError(400, fault, requestId)
      return
    }
    if (classified.type === 'request') {
      const session = known ?? this.#mint(exchange)
      session?.touch()
      session?.request(classified.message, exchange)
    } else if (known === undefined) {
      const reason = 'there is no session yet: expected "initialize" first, or GET /sse'
      exchange.sendError(400, invalidRequest(reason))
    } else this.#further(exchange, known, classified)
  }

  /** Makes faults of a POST; true if it was answered so. */
  #faulted(
    injector: FaultInjector,
    exchange: ListenerExchange,
    session: SseSession | undefined,
    message: unknown,
  ): boolean {
    const refusal = injector.refusal('sse', message)
    if (refusal !== undefined) exchange.refuseByFault(refusal.status, refusal.retryAfter)
    if (refusal !== undefined || session === undefined || !injector.losesSession('sse', message)) {
      return refusal !== undefined
    }
    exchange.sawFault('session-loss: its session was ended')
    this.#end(session)
    this.#unknown(exchange, undefined)
    return true
  }

  #further(exchange: ListenerExchange, session: SseSession, classified: Further): void {
    session.touch()
    switch (classified.type) {
      case 'notification':
        session.session.notification(classified.message)
        session.accept(exchange)
        break
      case 'batch':
        if (this.#options.rates.admitsArray(exchange, classified.items)) {
          session.batch(classified.items, exchange)
        }
        break
      case 'result':
      case 'error':
        session.session.response(classified.message)
        session.accept(exchange)
    }
  }

  /** Refuses new requests, and ends each stream once its requests in flight are answered. */
  finish(): void {
    this.#isFinishing = true
    for (const session of this.#sessions.values()) session.finish()
  }

  /** Ends the sessions of these callers, streams and all. */
  endOf(isGone: (caller: string) => boolean): void {
    for (const session of [...this.#sessions.values()]) if (isGone(session.caller)) this.#end(session)
  }

  endIdle(): void {
    const now = performance.now()
    for (const session of [...this.#sessions.values()]) {
      if (session.isIdle(now) || Date.now() >= session.expiresAt) this.#end(session)
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions.values()]) this.#end(session)
  }

  /** A new session; answers the exchange if there is no room for one. Its id has 192 random bits. */
  #mint(exchange: ListenerExchange): SseSession | undefined {
    const { server, monitor, limits, sessionLimit, tap, name, faults } = this.#options
    if (!sessionLimit.hasRoom()) {
      exchange.sendBusy(503, sessionLimit.refusal)
      return undefined
    }
    const session: SseSession = new SseSession({
      id: randomBytes(24).toString('base64url'),
      caller: exchange.admitted.caller,
      owner: ownerOf(exchange.admitted, name),
      expiresAt: exchange.admitted.expiresAt,
      server,
      monitor,
      limits,
      faults,
      tap: tap.fork?.('sse') ?? tap,
      left: () => {
        this.#end(session)
      },
    })
    this.#sessions.set(session.id, session)
    return session
  }

  #find(exchange: ListenerExchange, id: string): SseSession | undefined {
    const session = this.#sessionOf(exchange, id)
    if (session === undefined) this.#unknown(exchange, undefined)
    return session
  }

  /** The session with that id, for its own caller: to anybody else it does not exist. */
  #sessionOf({ admitted }: ListenerExchange, id: string): SseSession | undefined {
    const session = this.#sessions.get(id)
    return session?.caller === admitted.caller ? session : undefined
  }

  #unknown(exchange: ListenerExchange, id: RequestId | undefined): void {
    exchange.sendError(404, invalidRequest('there is no such session; open one by GET /sse'), id)
  }

  #end(session: SseSession): void {
    if (!this.#sessions.delete(session.id)) return
    session.close()
  }
}

/** The session a request names: by its query, as the endpoint event says, or by its header. */
function sessionIdOf(exchange: ListenerExchange): string | undefined {
  const { url = '' } = exchange.request
  const query = url.indexOf('?')
  // What the endpoint event said, word by word, needs no reading.
  if (url.startsWith(ENDPOINT) && !url.includes('&') && !url.includes('%')) return url.slice(ENDPOINT.length)
  const named = query === -1 ? null : new URLSearchParams(url.slice(query + 1)).get('sessionId')
  return named ?? exchange.header('mcp-session-id')
}

function modernFault(classified: Classified): ProtocolError | undefined {
  if (classified.type !== 'request' && classified.type !== 'notification') return undefined
  const { message } = classified
  if (!isModernMessage(message, undefined)) return undefined
  return invalidRequest(
    `HTTP+SSE does not carry ${String(versionClaim(message))}; it opens with "initialize"`,
  )
}

function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
}
