import { isModernMessage, versionClaim } from '../../protocol/era.ts'
import { ProtocolError, shuttingDown } from '../../protocol/errors.ts'
import { InFlight } from '../../protocol/in-flight.ts'
import { overLimit, overlongIdOf, tooOften } from '../../protocol/limit-error.ts'
import {
  classifyMessage,
  requestCount,
  type Classified,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../../protocol/messages.ts'
import { TokenBucket } from '../../protocol/token-bucket.ts'
import { unsupportedVersion } from '../../protocol/version-refusal.ts'
import type { ServerLink } from '../../ports/contract.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'
import type { LinkOrigin, OpenRequest, ReplySink, RequestOrigin } from '../../ports/server-port.ts'
import type { ServerCore } from '../core.ts'
import { encodeError } from '../encode.ts'
import { invalidRequest } from '../legacy/faults.ts'
import { LegacySession } from '../legacy/session.ts'
import type { ModernServer } from '../modern/modern-server.ts'
import { ReportedClient } from '../server-client.ts'

/** Which era the connection speaks; open until a request decides it. */
type Pinned =
  | { readonly era: 'open' }
  | { readonly era: 'modern' }
  | { readonly era: 'legacy'; readonly session: LegacySession }

/**
 * One duplex connection (stdio, WebSocket, memory). Its first request decides the era (2026-07-28, Versioning on stdio): an
 * enveloped one is modern, except `server/discover`, which decides nothing; any other is legacy. Notifications
 * never decide, and responses before the decision are dropped.
 */
export class LinkConnection {
  readonly closed: Promise<void>
  readonly #core: ServerCore
  readonly #modern: ModernServer
  readonly #link: ServerLink
  readonly #origin: RequestOrigin
  /** Where everything goes that belongs to a request of a legacy session. */
  readonly #legacySink: ReplySink
  readonly #open = new InFlight<OpenReply>()
  readonly #rate: TokenBucket | undefined
  readonly #resolveClosed: () => void
  readonly #client: ReportedClient | undefined
  #pinned: Pinned = { era: 'open' }
  /** The client sends nothing more. */
  #ended = false
  /** The server shuts down: new requests are refused. */
  #isFinishing = false

  constructor(core: ServerCore, modern: ModernServer, link: ServerLink, origin?: LinkOrigin) {
    this.#core = core
    this.#modern = modern
    this.#link = link
    this.#origin = { caller: link.kind, headers: {}, ...origin, checksHeaders: false }
    const send = (message: EncodedMessage) => {
      link.sendEncoded(message)
    }
    this.#legacySink = { emit: send, answer: send, abandon: () => undefined }
    const { requestsPerSecond } = core.limits
    this.#rate = requestsPerSecond > 0 ? new TokenBucket(requestsPerSecond, performance.now()) : undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.#resolveClosed = resolve
    this.#client = this.#reported()
    link.start({
      message: (value) => {
        this.#message(value)
      },
      invalid: (error) => {
        link.sendEncoded(encodeError(this.#unreadableId, error.toBody()))
      },
      ended: () => {
        this.#inputEnded()
      },
      closed: () => {
        this.#gone()
      },
    })
  }

  get revision(): string | undefined {
    return this.#pinned.era === 'legacy' ? this.#pinned.session.revision : undefined
  }

  get inFlight(): number {
    return this.#open.size + (this.#pinned.era === 'legacy' ? this.#pinned.session.inFlight : 0)
  }

  get listening(): number {
    return this.#open.values().reduce((count, { isListening }) => (isListening ? count + 1 : count), 0)
  }

  finish(): void {
    this.#isFinishing = true
    for (const request of this.#openRequests()) request.finish()
    this.#closeWhenIdle()
  }

  async close(): Promise<void> {
    for (const request of this.#openRequests()) request.finish()
    await this.#link.close()
    await this.closed
  }

  #reported(): ReportedClient | undefined {
    const { onClient } = this.#core
    if (onClient === undefined) return undefined
    const { caller } = this.#origin
    return new ReportedClient(onClient, {
      transport: this.#link.kind,
      scope: 'connection',
      caller,
      context: this.#origin,
      running: () => this.inFlight - this.listening,
    })
  }

  #message(value: unknown): void {
    const classified = classifyMessage(value)
    const overlong = overlongIdOf(classified, this.#core.limits)
    if (overlong !== undefined) {
      this.#refuse(undefined, overlong)
      return
    }
    if (this.#isFinishing && asks(classified)) {
      this.#refuse(classified.type === 'request' ? classified.message.id : undefined, shuttingDown())
      return
    }
    switch (classified.type) {
      case 'request':
        if (this.#isInTime(classified.message.id, 1)) this.#request(classified.message)
        break
      case 'notification':
        this.#notification(classified.message)
        break
      case 'result':
      case 'error':
        if (this.#pinned.era === 'legacy') this.#pinned.session.response(classified.message)
        break
      case 'batch':
        if (this.#isInTime(undefined, Math.max(1, requestCount(classified.items))))
          this.#batch(classified.items)
        break
      case 'invalid':
        this.#refuse(classified.id, invalidRequest(classified.reason))
    }
  }

  #inputEnded(): void {
    this.#ended = true
    for (const request of this.#openRequests()) request.finish()
    if (this.#pinned.era === 'legacy') this.#pinned.session.ended()
    this.#closeWhenIdle()
  }

  #gone(): void {
    for (const request of this.#openRequests()) request.cancel('the connection closed')
    if (this.#pinned.era === 'legacy') this.#pinned.session.close()
    this.#client?.end()
    this.#resolveClosed()
  }

  #request(message: JsonRpcRequest): void {
    const modern = isModernMessage(message, undefined)
    if (this.#pinned.era === 'legacy') {
      if (modern) {
        const reason = `this connection was opened with "initialize" or without a version; open another for ${String(versionClaim(message))}`
        this.#refuse(message.id, invalidRequest(reason))
      } else this.#legacyRequest(this.#pinned.session, message)
      return
    }
    const { spoken } = this.#core
    if (modern || this.#pinned.era === 'modern') {
      const pins = message.method !== 'server/discover' && spoken.modern.length > 0
      if (pins) this.#pinned = { era: 'modern' }
      this.#modernRequest(message)
      return
    }
    if (spoken.modern.length === spoken.all.length) {
      const offered = message.method === 'initialize' ? message.params?.['protocolVersion'] : undefined
      const refusal = unsupportedVersion(spoken.all, typeof offered === 'string' ? offered : undefined)
      this.#link.sendEncoded(encodeError(message.id, refusal.toBody()))
      return
    }
    const options = {
      caller: this.#origin.caller,
      send: (bytes: Uint8Array) => {
        this.#link.sendEncoded(bytes)
      },
      idle: () => {
        this.#closeWhenIdle()
      },
    }
    const session = new LegacySession(this.#core, options, this.#client)
    this.#pinned = { era: 'legacy', session }
    this.#legacyRequest(session, message)
  }

  #legacyRequest(session: LegacySession, message: JsonRpcRequest): void {
    session.request(message, this.#origin, this.#legacySink)
  }

  #batch(items: readonly unknown[]): void {
    try {
      if (this.#pinned.era !== 'legacy') {
        const reason = 'arrays of messages are for sessions of 2025-03-26, which open with "initialize"'
        throw invalidRequest(reason)
      }
      this.#pinned.session.batch(items, this.#origin, () => this.#legacySink)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#refuse(undefined, error)
    }
  }

  #modernRequest(message: JsonRpcRequest): void {
    const { id } = message
    const { inFlight } = this.#core.limits
    if (this.#open.has(id)) {
      this.#refuse(id, invalidRequest(`a request with the id ${String(id)} is in flight already`))
      return
    }
    if (this.#open.size >= inFlight) {
      this.#refuse(id, overLimit('inFlight', inFlight, `${inFlight} requests are in flight already`))
      return
    }
    const isListening = message.method === 'subscriptions/listen'
    const reply = new OpenReply(this.#link, isListening, id, this.#over)
    // The entry exists before the request is served: it may be answered immediately.
    this.#open.set(id, reply)
    reply.request = this.#modern.request(message, this.#origin, reply, this.#client)
  }

  /** A modern request is over; one function for all of them. */
  readonly #over = (id: RequestId): void => {
    this.#open.delete(id)
    this.#closeWhenIdle()
  }

  #notification(message: JsonRpcNotification): void {
    if (this.#pinned.era === 'legacy') {
      this.#pinned.session.notification(message)
      return
    }
    if (message.method !== 'notifications/cancelled') {
      if (this.#pinned.era === 'modern') this.#modern.notification(message, this.#origin)
      return
    }
    const { requestId, reason } = message.params ?? {}
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return
    this.#open
      .get(requestId)
      ?.request?.cancel(typeof reason === 'string' ? reason : 'cancelled by the client')
  }

  #openRequests(): OpenRequest[] {
    return this.#open.values().flatMap(({ request }) => request ?? [])
  }

  #closeWhenIdle(): void {
    if ((!this.#ended && !this.#isFinishing) || this.#open.size > 0) return
    if (this.#pinned.era === 'legacy' && this.#pinned.session.inFlight > 0) return
    void this.#link.close()
  }

  get #unreadableId(): null | undefined {
    return this.#pinned.era === 'legacy' ? this.#pinned.session.unreadableId : undefined
  }

  /** Refuses a request, or an array of `count`, that comes too soon after others. */
  #isInTime(id: RequestId | undefined, count: number): boolean {
    const waitMs = this.#rate?.take(performance.now(), count) ?? 0
    if (waitMs > 0) this.#refuse(id, tooOften(this.#core.limits, waitMs))
    return waitMs === 0
  }

  #refuse(id: RequestId | undefined, error: ProtocolError): void {
    this.#link.sendEncoded(encodeError(id ?? this.#unreadableId, error.toBody()))
  }
}

/** Whether a message is a request, or an array with requests. */
function asks(classified: Classified): boolean {
  return classified.type === 'request' || (classified.type === 'batch' && requestCount(classified.items) > 0)
}

/** The way of one modern request's answer, and the request itself once it is served. */
class OpenReply implements ReplySink {
  request: OpenRequest | undefined
  readonly isListening: boolean
  readonly #link: ServerLink
  readonly #id: RequestId
  readonly #over: (id: RequestId) => void

  constructor(link: ServerLink, isListening: boolean, id: RequestId, over: (id: RequestId) => void) {
    this.isListening = isListening
    this.#link = link
    this.#id = id
    this.#over = over
  }

  emit(bytes: Uint8Array): void {
    this.#link.sendEncoded(bytes)
  }

  answer(message: EncodedMessage): void {
    this.#link.sendEncoded(message)
    this.#over(this.#id)
  }

  abandon(): void {
    this.#over(this.#id)
  }
}
