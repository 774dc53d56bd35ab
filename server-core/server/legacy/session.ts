import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '../../protocol/messages.ts'
import { handshakeRow, revisionRow, STABLE, type RevisionRow } from '../../protocol/revisions.ts'
import type { LogLevel } from '../../registry/invocation.ts'
import type { ReplySink, ServerSession, SessionOptions } from '../../transports/server-port.ts'
import type { Announcement } from '../changes.ts'
import { tellsChanges } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { isLogLevel } from '../emission.ts'
import { encodeError, encodeResult } from '../encode.ts'
import type { Feature } from '../features/feature.ts'
import { resourceUri } from '../features/resources.ts'
import { FEATURES } from '../features/table.ts'
import { ClientRequests } from './client-requests.ts'
import { LegacyExchange } from './exchange.ts'

/** What the client said of itself in `initialize`. */
type Agreed = {
  readonly row: RevisionRow
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  /** What was declared to it; later changes are told within that. */
  readonly capabilities: JsonObject
}

/**
 * One legacy session (2025-11-25, Lifecycle): it opens with `initialize`, keeps the client's capabilities, log level
 * and subscriptions, and may ask the client. It knows nothing of HTTP: what belongs to a request goes to that
 * request's sink, everything else to the session's own channel.
 */
export class LegacySession implements ServerSession {
  readonly #core: ServerCore
  readonly #options: SessionOptions
  readonly #exchanges = new Map<RequestId, LegacyExchange>()
  readonly #asked: ClientRequests
  readonly #subscriptions = new Set<string>()
  readonly #stopListening: () => void
  #agreed: Agreed | undefined
  #ready = false
  // Never set by the client, the floor is the server's choice: debug messages are for those who ask.
  #logLevel: LogLevel = 'info'

  constructor(core: ServerCore, options: SessionOptions) {
    this.#core = core
    this.#options = options
    this.#asked = new ClientRequests(core.limits.suspendedRunMs)
    this.#stopListening = core.changes.listen((announcement) => {
      this.#tell(announcement)
    })
  }

  get revision(): string | undefined {
    return this.#agreed?.row.revision
  }

  get inFlight(): number {
    return this.#exchanges.size
  }

  request(message: JsonRpcRequest, headers: Readonly<Record<string, string>>, sink: ReplySink): void {
    try {
      this.#admit(message)
      const own = this.#ownMethod(message)
      if (own === undefined) this.#serve(message, headers, sink)
      else sink.answer(encodeResult(message.id, own), 200)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      sink.answer(encodeError(readableId(message.id, this.#core), error.toBody()), 200)
    }
  }

  notification(message: JsonRpcNotification): void {
    const params = message.params
    if (message.method === 'notifications/initialized') this.#ready = this.#agreed !== undefined
    if (message.method === 'notifications/cancelled' && params !== undefined) {
      const { requestId, reason } = params
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return
      this.#exchanges.get(requestId)?.cancel(typeof reason === 'string' ? reason : 'cancelled by the client')
    }
  }

  response(message: JsonRpcResult | JsonRpcError): void {
    this.#asked.answer(message)
  }

  ended(): void {
    this.#asked.failAll('the client sends nothing more')
  }

  close(): void {
    this.#stopListening()
    this.#asked.failAll('the session ended')
    for (const exchange of [...this.#exchanges.values()]) exchange.cancel('the session ended')
  }

  #admit({ id, method }: JsonRpcRequest): void {
    const { limits } = this.#core
    if (typeof id === 'string' && id.length > limits.idLength) {
      throw invalidRequest(`the id is longer than ${limits.idLength} characters (limit idLength)`)
    }
    if (this.#exchanges.has(id))
      throw invalidRequest(`a request with the id ${String(id)} is in flight already`)
    if (this.#exchanges.size >= limits.inFlight) {
      throw invalidRequest(`${limits.inFlight} requests are in flight already (limit inFlight)`)
    }
    if (this.#agreed === undefined && method !== 'initialize' && method !== 'ping') {
      throw invalidRequest(`the session is not initialized: expected "initialize", got "${method}"`)
    }
  }

  /** Answers what belongs to the session itself. */
  #ownMethod({ method, params = {} }: JsonRpcRequest): JsonObject | undefined {
    switch (method) {
      case 'initialize':
        return this.#initialize(params)
      case 'ping':
        return {}
      case 'logging/setLevel': {
        const level = params['level']
        if (!isLogLevel(level)) throw invalidParams('params.level must be one of the eight log levels')
        this.#logLevel = level
        return {}
      }
      case 'resources/subscribe': {
        const uri = resourceUri(params, method)
        if (this.#subscriptions.size >= this.#core.limits.listens) {
          throw invalidRequest(
            `${this.#core.limits.listens} resources are subscribed already (limit listens)`,
          )
        }
        this.#subscriptions.add(uri)
        return {}
      }
      case 'resources/unsubscribe':
        this.#subscriptions.delete(resourceUri(params, method))
        return {}
      default:
        return undefined
    }
  }

  #initialize(params: JsonObject): JsonObject {
    if (this.#agreed !== undefined) throw invalidRequest('the session is initialized already')
    const { protocolVersion, capabilities, clientInfo } = params
    if (typeof protocolVersion !== 'string') throw invalidParams('initialize needs params.protocolVersion')
    const row = legacyRow(protocolVersion)
    this.#agreed = {
      row,
      clientInfo: isJsonObject(clientInfo) ? clientInfo : undefined,
      clientCapabilities: isJsonObject(capabilities) ? capabilities : {},
      capabilities: this.#core.capabilities(),
    }
    const { instructions } = this.#core
    return {
      protocolVersion: row.revision,
      capabilities: this.#agreed.capabilities,
      serverInfo: this.#core.info,
      ...(instructions === undefined ? {} : { instructions }),
    }
  }

  #serve(message: JsonRpcRequest, headers: Readonly<Record<string, string>>, sink: ReplySink): void {
    const agreed = this.#agreed
    const feature = agreed && featureOf(agreed.row, message.method)
    if (agreed === undefined || feature === undefined) {
      throw new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${message.method}`)
    }
    const { sessionId } = this.#options
    const exchange = new LegacyExchange(this.#core, message, sink, {
      row: agreed.row,
      facts: {
        headers,
        clientCapabilities: agreed.clientCapabilities,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(agreed.clientInfo === undefined ? {} : { clientInfo: agreed.clientInfo }),
      },
      logLevel: () => this.#logLevel,
      asked: this.#asked,
      over: () => {
        this.#exchanges.delete(message.id)
        if (this.#exchanges.size === 0) this.#options.idle?.()
      },
    })
    this.#exchanges.set(message.id, exchange)
    exchange.serve(feature)
  }

  #tell({ change, legacyBytes }: Announcement): void {
    if (!this.#ready || this.#agreed === undefined) return
    const { capabilities } = this.#agreed
    const isWanted =
      change.type === 'list' ? tellsChanges(capabilities, change.kind) : this.#subscriptions.has(change.uri)
    if (isWanted) this.#options.send(legacyBytes)
  }
}

function featureOf(row: RevisionRow, method: string): Feature | undefined {
  return Object.hasOwn(row.requests, method) ? FEATURES.get(method) : undefined
}

/** The version the client offers, if it is a legacy one we speak, else our own newest. */
function legacyRow(version: string): RevisionRow {
  const row = handshakeRow(version) ?? revisionRow(STABLE)
  if (row === undefined) throw new RangeError(`no revision ${STABLE}`)
  return row
}

/** An id too long to be repeated is left out, as one that cannot be read. */
function readableId(id: RequestId, core: ServerCore): RequestId | undefined {
  return typeof id === 'string' && id.length > core.limits.idLength ? undefined : id
}

function invalidRequest(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, `Invalid request: ${message}`)
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, message)
}
