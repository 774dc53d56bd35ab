import { ProtocolError } from '../../protocol/errors.ts'
import { InFlight } from '../../protocol/in-flight.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { overLimit } from '../../protocol/limit-error.ts'
import { unreadableIdIn } from '../../protocol/revisions.ts'
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
} from '../../protocol/messages.ts'
import type { UpstreamSession } from '../../registry/upstream.ts'
import type { RequestContext, ReplySink, ServerSession, SessionOptions } from '../../ports/server-port.ts'
import type { SessionAudience } from '../audience.ts'
import type { Announcement } from '../changes.ts'
import { coversMethod, announcesChanges, announcesUpdates } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { DEPRECATED_METHODS } from '../deprecated/table.ts'
import { declaredFor } from '../downgrade/declared.ts'
import { encodeError, encodeResult } from '../encode.ts'
import { failureOf } from '../failure.ts'
import { resourceUri } from '../features/resources.ts'
import { featureOf } from '../features/table.ts'
import { ReportedClient } from '../server-client.ts'
import { BatchReply, readBatch } from './batch.ts'
import { isChangeNotice } from '../question-kinds.ts'
import { ClientNotices } from './client-notices.ts'
import { ClientRequests } from './client-requests.ts'
import { LegacyExchange, type LegacyContext } from './exchange.ts'
import { extendedFeature } from './extended.ts'
import { invalidRequest, methodNotFound, notDeclared } from './faults.ts'
import { agree, initializeResult, type Agreed } from './handshake.ts'
import { sessionEnd } from './session-end.ts'
import { SessionTasks } from './session-tasks.ts'

/**
 * One legacy session (Lifecycle): it opens with `initialize`, keeps the client's capabilities and
 * subscriptions, and may ask the client. It knows nothing of HTTP: what belongs to a request goes to that
 * request's sink, everything else to the session's own channel.
 */
export class LegacySession implements ServerSession {
  readonly #core: ServerCore
  readonly #options: SessionOptions
  readonly #exchanges = new InFlight<LegacyExchange>()
  readonly #asked: ClientRequests
  readonly #notices = new ClientNotices()
  readonly #audience: SessionAudience = { type: 'session' }
  /** What is subscribed to, and what ends that where another server tells the changes. */
  readonly #subscriptions = new Map<string, (() => void) | undefined>()
  readonly #stopListening: () => void
  #agreed: Agreed | undefined
  #tasks: SessionTasks | undefined
  #context: LegacyContext | undefined
  #ready = false
  #upstream: UpstreamSession | undefined
  #closed = false
  #client: ReportedClient | undefined

  /** `connected` is the client of the connection that carries the session; without one the session is the connection. */
  constructor(core: ServerCore, options: SessionOptions, connected?: ReportedClient) {
    this.#core = core
    this.#options = options
    this.#client = connected
    this.#asked = new ClientRequests(core.limits.suspendedRunMs)
    this.#stopListening = core.changes.listen((announcement) => {
      this.#announce(announcement)
    })
  }

  get revision(): string | undefined {
    return this.#agreed?.row.revision
  }

  get inFlight(): number {
    return this.#exchanges.size
  }

  /** The id of an answer to a message whose own cannot be read. */
  get unreadableId(): null | undefined {
    return unreadableIdIn(this.#agreed?.row.revision)
  }

  request(message: JsonRpcRequest, requestContext: RequestContext, sink: ReplySink): void {
    try {
      this.#admit(message)
      this.#client?.request(message.method)
      if (this.#subscribesUpstream(message, sink)) return
      const own = this.#ownMethod(message, requestContext)
      if (own === undefined) this.#serve(message, requestContext, sink)
      else {
        sink.answer(encodeResult(message.id, own), 200)
        this.#upstream?.onMessage(message.method, message.params ?? {})
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      sink.answer(encodeError(message.id, error.toBody()), 200)
    }
  }

  batch(items: readonly unknown[], requestContext: RequestContext, reply: () => ReplySink): boolean {
    if (this.#agreed === undefined)
      throw invalidRequest('the session is not initialized; expected "initialize"')
    const messages = readBatch(this.#agreed.row, items, this.#core.limits)
    const requests = messages.filter(({ type }) => type === 'request').length
    const gathered = requests === 0 ? undefined : new BatchReply(requests, reply())
    for (const item of messages) {
      if (item.type === 'notification') this.notification(item.message)
      else if (item.type !== 'request') this.response(item.message)
      else if (gathered !== undefined) this.request(item.message, requestContext, gathered.sinkOfOne())
    }
    return requests > 0
  }

  notification(message: JsonRpcNotification): void {
    const params = message.params
    if (message.method === 'notifications/initialized' && this.#agreed !== undefined) {
      this.#ready = true
      this.#asked.ready()
    }
    if (isChangeNotice(message.method)) this.#notices.onNotification(message.method)
    if (message.method === 'notifications/cancelled' && params !== undefined) {
      const { requestId, reason } = params
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return
      this.#exchanges.get(requestId)?.cancel(typeof reason === 'string' ? reason : 'cancelled by the client')
      return
    }
    if (this.#agreed === undefined) return
    this.#upstream?.onMessage(message.method, params ?? {})
    const { caller } = this.#options
    const { revision } = this.#agreed.row
    this.#core.extensions.notice(message.method, 'legacy', { params: params ?? {}, caller, revision })
  }

  response(message: JsonRpcResult | JsonRpcError): void {
    this.#asked.answer(message)
  }

  ended(): void {
    this.#asked.failAll('the client sends nothing more')
  }

  close(): void {
    this.#closed = true
    this.#client?.end()
    for (const release of this.#subscriptions.values()) release?.()
    this.#upstream?.ended()
    this.#stopListening()
    this.#tasks?.close()
    this.#asked.failAll('the session ended')
    for (const exchange of this.#exchanges.values()) exchange.cancel('the session ended')
  }

  #admit({ id, method }: JsonRpcRequest): void {
    const agreed = this.#agreed
    if (this.#exchanges.has(id))
      throw invalidRequest(`a request with the id ${String(id)} is in flight already`)
    if (agreed === undefined) {
      if (method === 'initialize' || method === 'ping') return
      throw invalidRequest(`the session is not initialized: expected "initialize", got "${method}"`)
    }
    if (!coversMethod(agreed.capabilities, agreed.row, method)) throw notDeclared(method)
  }

  /** Answers what belongs to the session itself, at once, whatever else is in flight. */
  #ownMethod(
    { method, params = {} }: JsonRpcRequest,
    requestContext: RequestContext,
  ): JsonObject | undefined {
    switch (method) {
      case 'initialize':
        return this.#initialize(params, requestContext)
      case 'ping':
        return {}
      case 'resources/subscribe':
        this.#subscribe(this.#subscribable(params, method), undefined)
        return {}
      case 'resources/unsubscribe': {
        const uri = resourceUri(params, method)
        this.#subscriptions.get(uri)?.()
        this.#subscriptions.delete(uri)
        this.#client?.unsubscribe([uri])
        return {}
      }
      default:
        return DEPRECATED_METHODS.get(method)?.(this.#audience, params)
    }
  }

  #subscribe(uri: string, release: (() => void) | undefined): void {
    if (!this.#subscriptions.has(uri)) this.#client?.subscribe([uri])
    this.#subscriptions.set(uri, release)
  }

  #subscribable(params: JsonObject, method: string): string {
    const uri = resourceUri(params, method)
    const { listens } = this.#core.limits
    if (this.#subscriptions.size >= listens && !this.#subscriptions.has(uri)) {
      throw overLimit('listens', listens, `${listens} resources are subscribed already`)
    }
    return uri
  }

  /** Where another server tells the changes, it says whether a resource may be subscribed to. */
  #subscribesUpstream({ id, method, params = {} }: JsonRpcRequest, sink: ReplySink): boolean {
    const { upstream: upstream } = this.#core.registry
    if (upstream === undefined || method !== 'resources/subscribe') return false
    const uri = this.#subscribable(params, method)
    const subscribe = async () => {
      try {
        const release = await upstream.subscribe(uri)
        if (this.#closed || this.#subscriptions.has(uri)) release()
        else this.#subscribe(uri, release)
        sink.answer(encodeResult(id, {}), 200)
      } catch (error) {
        const { row } = this.#agreed ?? {}
        const failure = row === undefined ? undefined : failureOf(error, row, undefined)
        if (failure?.type === 'error') sink.answer(encodeError(id, failure.error.toBody()), 200)
      }
    }
    void subscribe()
    return true
  }

  #initialize(params: JsonObject, requestContext: RequestContext): JsonObject {
    if (this.#agreed !== undefined) {
      throw invalidRequest(`the session is initialized already, for ${this.#agreed.row.revision}`)
    }
    this.#agreed = agree(this.#core, params, declaredFor)
    const { row, capabilities } = this.#agreed
    this.#identifyClient(this.#agreed, requestContext)
    if (row.tasks === 'core' && capabilities['tasks'] !== undefined) {
      const { caller, send } = this.#options
      this.#tasks = new SessionTasks({
        core: this.#core,
        row,
        owner: caller,
        audience: this.#audience,
        send,
      })
    }
    this.#context = this.#contextOf(this.#agreed)
    const { clientCapabilities } = this.#agreed
    this.#upstream = this.#core.registry.upstream?.session(
      sessionEnd({
        core: this.#core,
        row,
        clientCapabilities,
        audience: this.#audience,
        asked: this.#asked,
        send: this.#options.send,
      }),
    )
    return initializeResult(this.#core, this.#agreed)
  }

  #identifyClient({ row: { revision }, clientInfo }: Agreed, context: RequestContext): void {
    const { onClient } = this.#core
    if (onClient === undefined) return
    const { caller, sessionId, transport = 'http' } = this.#options
    this.#client ??= new ReportedClient(onClient, {
      transport,
      scope: 'connection',
      caller,
      context,
      sessionId,
      running: () => this.inFlight,
    })
    this.#client.identify(revision, clientInfo)
  }

  #serve(message: JsonRpcRequest, requestContext: RequestContext, sink: ReplySink): void {
    const agreed = this.#agreed
    const context = this.#context
    const { method } = message
    if (agreed === undefined || context === undefined) throw methodNotFound(method)
    const feature =
      featureOf(agreed.row, method) ??
      this.#tasks?.feature(method) ??
      extendedFeature(this.#core, {
        agreed,
        caller: this.#options.caller,
        headers: requestContext.headers,
        method,
        sink,
      })
    if (feature === undefined) throw methodNotFound(method)
    const { inFlight } = this.#core.limits
    if (this.#exchanges.size >= inFlight) {
      throw overLimit('inFlight', inFlight, `${inFlight} requests are in flight already`)
    }
    const exchange = new LegacyExchange(context, message, requestContext, sink)
    this.#exchanges.set(message.id, exchange)
    exchange.serve(feature)
  }

  #contextOf({ row, clientCapabilities, clientInfo }: Agreed): LegacyContext {
    const { sessionId } = this.#options
    return {
      core: this.#core,
      row,
      client: {
        clientCapabilities,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(clientInfo === undefined ? {} : { clientInfo }),
      },
      audience: this.#audience,
      asked: this.#asked,
      notices: this.#notices,
      tasks: this.#tasks,
      over: (id) => {
        this.#exchanges.delete(id)
        if (this.#exchanges.size === 0) this.#options.idle?.()
        this.#client?.settle()
      },
    }
  }

  #announce({ change, legacyBytes }: Announcement): void {
    if (!this.#ready || this.#agreed === undefined) return
    const { capabilities } = this.#agreed
    const isWanted =
      change.type === 'list'
        ? announcesChanges(capabilities, change.kind)
        : announcesUpdates(capabilities) && this.#subscriptions.has(change.uri)
    if (isWanted) this.#options.send(legacyBytes)
  }
}
