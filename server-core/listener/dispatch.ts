import { isModernMessage, versionClaim } from '../protocol/era.ts'
import { ErrorCode, ProtocolError, shuttingDown } from '../protocol/errors.ts'
import type { Limits } from '../protocol/limits.ts'
import { overlongIdOf } from '../protocol/limit-error.ts'
import {
  classifyMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../protocol/messages.ts'
import { parseFromClient } from '../protocol/parse.ts'
import { revisionRow, unreadableIdIn } from '../protocol/revisions.ts'
import { unsupportedVersion } from '../protocol/version-refusal.ts'
import { ownerOf, type Admitted, type Refused } from '../ports/authorization-port.ts'
import type { FaultGate, FaultInjector } from '../ports/fault-port.ts'
import type { ListenerExchange } from './listener-exchange.ts'
import { LazyReply, type EventSink } from './lazy-reply.ts'
import type { HttpSession } from './http-session.ts'
import type { HttpSessions } from './http-sessions.ts'
import { EventWriter, type StreamMonitor, type Ticking } from './stream-monitor.ts'
import type { RequestRates } from './request-rates.ts'
import type { OpenRequest, ServerPort } from '../ports/server-port.ts'
import type { SessionLimit } from './session-limit.ts'

/** How legacy requests are served: in sessions, each on its own, or not at all. */
type LegacyService = 'sessions' | 'lone' | 'none'

export type DispatchOptions = {
  readonly server: ServerPort
  /** Legacy requests need a session (the default), or there are none. */
  readonly sessionPolicy?: 'required' | 'none'
  readonly sessions: HttpSessions
  readonly sessionLimit: SessionLimit
  readonly monitor: StreamMonitor
  readonly rates: RequestRates
  readonly limits: Limits
  readonly faults: FaultGate
  /** Returns why a caller may not send that message. */
  readonly refuse: (admitted: Admitted, message: unknown) => Refused | undefined
  /** Names the listener, so that an anonymous caller of one is not taken for one of another. */
  readonly name: string
}

type Begun = {
  readonly request: OpenRequest
  readonly reply: LazyReply
  readonly exchange: ListenerExchange
}

/** Leads each POST body to the era it belongs to, by its body first and its headers second. */
export class Dispatch implements Ticking {
  readonly #options: DispatchOptions
  readonly #open = new Map<OpenRequest, Admitted>()
  /** Modern requests that came in this turn of the event loop. */
  #begun: Begun[] = []
  readonly #legacy: LegacyService
  /** The listener shuts down: new requests are refused. */
  isFinishing = false

  constructor(options: DispatchOptions) {
    this.#options = options
    const speaksLegacy = options.server.revisions.some((each) => revisionRow(each)?.era === 'legacy')
    const served = options.sessionPolicy === 'none' ? 'lone' : 'sessions'
    this.#legacy = speaksLegacy ? served : 'none'
  }

  /** There are sessions, with streams of their own and an end. */
  get hasSessions(): boolean {
    return this.#legacy === 'sessions'
  }

  /** How many modern requests have no answer yet. */
  get openCount(): number {
    this.#keepOpen()
    return this.#open.size
  }

  /** Answers what would stay open for as long as its client likes, for these callers; the rest goes on. */
  finishOf(isGone: (caller: string) => boolean): void {
    this.#keepOpen()
    for (const [request, { caller }] of [...this.#open]) if (isGone(caller)) request.finish()
  }

  /** Finishes what is open for callers whose admission has ended meanwhile. */
  tick(): void {
    const now = Date.now()
    for (const [request, { expiresAt = Infinity }] of [...this.#open]) if (now >= expiresAt) request.finish()
  }

  post(exchange: ListenerExchange, bytes: Buffer, caller: string): void {
    this.#useTapOfSession(exchange, caller)
    const parsed = parseFromClient(bytes, this.#options.limits)
    if (!parsed.ok) {
      exchange.sawInvalid(bytes, parsed.error.message)
      exchange.sendError(400, parsed.error, this.#unreadableId(exchange))
      return
    }
    exchange.sawMessage(bytes, parsed.value)
    const refused = this.#options.refuse(exchange.admitted, parsed.value)
    if (refused !== undefined) {
      exchange.refuse(refused)
      return
    }
    const { injector } = this.#options.faults
    if (injector !== undefined && this.#faulted(injector, exchange, parsed.value)) return
    const classified = classifyMessage(parsed.value)
    const overlong = overlongIdOf(classified, this.#options.limits)
    if (overlong !== undefined) {
      exchange.sendError(400, overlong, this.#unreadableId(exchange))
      return
    }
    if (this.isFinishing && (classified.type === 'request' || classified.type === 'batch')) {
      exchange.sendBusy(
        503,
        shuttingDown(),
        classified.type === 'request' ? classified.message.id : undefined,
      )
      return
    }
    switch (classified.type) {
      case 'request':
        this.#request(exchange, classified.message, caller)
        break
      case 'notification':
        this.#notification(exchange, classified.message, caller)
        break
      case 'result':
      case 'error': {
        if (!this.hasSessions) {
          const reason = 'there is no session in which anything was asked; expected no response'
          exchange.sendError(400, invalidRequest(reason))
          break
        }
        const session = this.#session(exchange, undefined, caller)
        session?.session.response(classified.message)
        if (session !== undefined) exchange.sendPlain(202, '')
        break
      }
      case 'batch':
        if (this.#options.rates.admitsArray(exchange, classified.items)) {
          this.#batch(exchange, classified.items, caller)
        }
        break
      case 'invalid':
        exchange.sendError(
          400,
          invalidRequest(classified.reason),
          classified.id ?? this.#unreadableId(exchange),
        )
    }
  }

  /** The `id` of an answer to a message whose own id is unreadable: that of the session's revision, or of the header's. */
  #unreadableId(exchange: ListenerExchange): null | undefined {
    const id = exchange.header('mcp-session-id')
    const session = id === undefined ? undefined : this.#options.sessions.find(id, exchange.admitted.caller)
    return unreadableIdIn(session?.session.revision ?? exchange.header('mcp-protocol-version'))
  }

  /** The session a GET or DELETE is for; answers the exchange if there is none. */
  sessionFor(exchange: ListenerExchange, caller: string): HttpSession | undefined {
    this.#useTapOfSession(exchange, caller)
    if (this.hasSessions) return this.#session(exchange, undefined, caller)
    exchange.sendPlain(405, 'There are no sessions here: only POST is served', { allow: 'POST, OPTIONS' })
    return undefined
  }

  #useTapOfSession(exchange: ListenerExchange, caller: string): void {
    const tap = this.#options.sessions.tapOf(exchange.header('mcp-session-id'), caller)
    if (tap !== undefined) exchange.seenBy(tap)
  }

  /** Serves a DELETE: ends the session that it names. */
  end(exchange: ListenerExchange, caller: string): void {
    const session = this.sessionFor(exchange, caller)
    if (session === undefined) return
    this.#options.sessions.end(session)
    exchange.sendPlain(204, '')
  }

  /** Makes faults of a request; true if it was answered so. A lost session is found to be missing like any other. */
  #faulted(injector: FaultInjector, exchange: ListenerExchange, message: unknown): boolean {
    const refusal = injector.refusal('http', message)
    if (refusal !== undefined) {
      exchange.refuseByFault(refusal.status, refusal.retryAfter)
      return true
    }
    const { sessions } = this.#options
    const id = exchange.header('mcp-session-id')
    const session = id === undefined ? undefined : sessions.find(id, exchange.admitted.caller)
    if (session !== undefined && injector.losesSession('http', message)) {
      exchange.sawFault('session-loss: its session was ended')
      sessions.end(session)
    }
    return false
  }

  #request(exchange: ListenerExchange, message: JsonRpcRequest, caller: string): void {
    if (isModernMessage(message, exchange.header('mcp-protocol-version'))) {
      this.#modern(exchange, message)
      return
    }
    if (this.#legacy === 'none') {
      exchange.sendError(400, this.#unspoken(exchange, message), message.id)
      return
    }
    if (this.#legacy === 'lone') {
      this.#orRefuse(exchange, message.id, () => this.#sessionless(exchange, message))
      return
    }
    const opens = message.method === 'initialize' && exchange.header('mcp-session-id') === undefined
    if (opens) this.#openSession(exchange, message, caller)
    else this.#session(exchange, message.id, caller)?.request(message, exchange)
  }

  #batch(exchange: ListenerExchange, items: readonly unknown[], caller: string): void {
    if (this.#legacy === 'none') {
      exchange.sendError(400, invalidRequest('arrays of messages are not accepted'))
      return
    }
    const session = this.hasSessions ? this.#session(exchange, undefined, caller) : undefined
    if (this.hasSessions && session === undefined) return
    this.#orRefuse(
      exchange,
      undefined,
      () => session?.batch(items, exchange) ?? this.#sessionless(exchange, items),
    )
  }

  /** Sends what `serve` throws; what will not be answered is accepted. */
  #orRefuse(exchange: ListenerExchange, id: RequestId | undefined, serve: () => boolean): void {
    try {
      if (!serve()) exchange.sendPlain(202, '')
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      exchange.sendError(400, error, id)
    }
  }

  #sessionless(
    exchange: ListenerExchange,
    posted: JsonRpcRequest | JsonRpcNotification | readonly unknown[],
  ): boolean {
    const { server, monitor, faults } = this.#options
    const stream = () => (exchange.response.destroyed ? NOWHERE : directStream(exchange, monitor))
    return server.sessionless(posted, exchange.requestContext(), () => {
      const reply = new LazyReply({ exchange, monitor, stream })
      return faults.injector === undefined ? reply : reply.faulty(faults.injector, posted)
    })
  }

  /** Why a message of a handshake's era is not served where none of its revisions is spoken. */
  #unspoken(exchange: ListenerExchange, { method, params }: JsonRpcNotification): ProtocolError {
    const offered = method === 'initialize' ? params?.['protocolVersion'] : undefined
    const requested = typeof offered === 'string' ? offered : exchange.header('mcp-protocol-version')
    return unsupportedVersion(this.#options.server.revisions, requested)
  }

  #modern(exchange: ListenerExchange, message: JsonRpcRequest): void {
    const { server, monitor, name, faults } = this.#options
    const lasts = message.method === 'subscriptions/listen'
    const reply = new LazyReply({ exchange, monitor, stream: () => directStream(exchange, monitor, lasts) })
    const origin = {
      ...exchange.requestContext(),
      caller: ownerOf(exchange.admitted, name),
      checksHeaders: true,
    }
    const { injector } = faults
    const sink = injector === undefined ? reply : reply.faulty(injector, message)
    const request = server.modernRequest(message, origin, sink)
    if (reply.over || this.#begun.push({ request, reply, exchange }) > 1) return
    setImmediate(() => {
      this.#keepOpen()
    })
  }

  /** Most requests are answered in the turn in which they came; only the others are kept track of. */
  #keepOpen(): void {
    const begun = this.#begun
    this.#begun = []
    for (const { request, reply, exchange } of begun) {
      if (reply.over) continue
      const { response, admitted } = exchange
      this.#open.set(request, admitted)
      if (admitted.expiresAt !== undefined) this.#options.monitor.watch(this)
      const gone = () => {
        this.#open.delete(request)
        // Closing the stream is how a modern client cancels; once answered this has no effect.
        request.cancel('the client closed the stream')
      }
      if (response.closed) gone()
      else response.on('close', gone)
    }
  }

  #openSession(exchange: ListenerExchange, message: JsonRpcRequest, caller: string): void {
    const { sessions, sessionLimit } = this.#options
    const session = sessions.open(caller)
    if (session === undefined) {
      exchange.sendBusy(503, sessionLimit.refusal, message.id)
      return
    }
    session.request(message, exchange)
    // A handshake that failed leaves nothing behind.
    if (session.session.revision === undefined) sessions.end(session)
  }

  #notification(exchange: ListenerExchange, message: JsonRpcNotification, caller: string): void {
    const version = exchange.header('mcp-protocol-version')
    if (!isModernMessage(message, version)) {
      if (this.#legacy === 'none') {
        exchange.sendError(400, this.#unspoken(exchange, message))
        return
      }
      if (this.#legacy === 'lone') {
        this.#orRefuse(exchange, undefined, () => this.#sessionless(exchange, message))
        return
      }
      const session = this.#session(exchange, undefined, caller)
      session?.session.notification(message)
      if (session !== undefined) exchange.sendPlain(202, '')
      return
    }
    const claim = versionClaim(message)
    const method = exchange.header('mcp-method')
    if (claim !== undefined && version !== undefined && claim !== version) {
      exchange.sendError(
        400,
        headerMismatch(`MCP-Protocol-Version is "${version}", but _meta says otherwise`),
      )
    } else if (method !== undefined && method !== message.method) {
      exchange.sendError(400, headerMismatch(`Mcp-Method is "${method}", not "${message.method}"`))
    } else {
      const { server, name } = this.#options
      const origin = {
        ...exchange.requestContext(),
        caller: ownerOf(exchange.admitted, name),
        checksHeaders: true,
      }
      server.modernNotification(message, origin)
      exchange.sendPlain(202, '')
    }
  }

  #session(exchange: ListenerExchange, id: RequestId | undefined, caller: string): HttpSession | undefined {
    const sessionId = exchange.header('mcp-session-id')
    if (sessionId === undefined) {
      const reason =
        'Mcp-Session-Id is missing: expected "initialize" first, or a request that names its version in _meta'
      exchange.sendError(400, invalidRequest(reason), id)
      return undefined
    }
    const session = this.#options.sessions.find(sessionId, caller)
    if (session === undefined) {
      exchange.sendError(404, invalidRequest('there is no such session; send "initialize" without one'), id)
      return undefined
    }
    const fault = session.versionFault(exchange.header('mcp-protocol-version'))
    if (fault === undefined) return session
    exchange.sendError(400, fault, id)
    return undefined
  }
}

/** For a reply that begins when its client has gone. */
const NOWHERE: EventSink = { send: () => undefined, end: () => undefined }

/** The stream of a reply without a session: nothing is kept of it. */
function directStream(exchange: ListenerExchange, monitor: StreamMonitor, lasts = false): EventSink {
  return new EventWriter(exchange, monitor, { lasts })
}

function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${reason}`)
}

function headerMismatch(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.headerMismatch, `Header mismatch: ${reason}`)
}
