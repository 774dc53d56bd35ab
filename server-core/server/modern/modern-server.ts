import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonRpcNotification, JsonRpcRequest } from '../../protocol/messages.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { OpenRequest, ReplySink, RequestOrigin } from '../../ports/server-port.ts'
import { offersMethod } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { declaredFor } from '../downgrade/declared.ts'
import { encodeNotification } from '../encode.ts'
import type { ExtensionMethod } from '../extensions/extension.ts'
import {
  checkedResult,
  declares,
  missingExtension,
  servedBy,
  serves,
  type Claimed,
} from '../extensions/extensions.ts'
import type { RequestFacts } from '../extensions/served-request.ts'
import { failureOf } from '../failure.ts'
import { addResultMetadata } from '../result-metadata.ts'
import { ReportedClient } from '../server-client.ts'
import type { Prepared } from '../features/feature.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import { FEATURES } from '../features/table.ts'
import { readEnvelope, type Envelope } from './envelope.ts'
import { fault, ModernExchange, refusal } from './exchange.ts'
import type { CallInterception } from './modern-run.ts'
import { checkParamHeaders } from './param-headers.ts'
import { Rounds } from './rounds.ts'
import type { SealKey } from './state-cipher.ts'
import { Subscriptions } from './subscriptions.ts'

/** The modern era (2026-07-28): every request describes itself, and nothing is remembered of its caller. */
export class ModernServer {
  readonly #core: ServerCore
  readonly #rounds: Rounds
  readonly #subscriptions: Subscriptions

  constructor(core: ServerCore, sealKey: SealKey | undefined) {
    this.#core = core
    this.#rounds = new Rounds(core, sealKey)
    this.#subscriptions = new Subscriptions(core)
  }

  /** Serves a request. `connected` is the client of its connection; without one the request stands for its client. */
  request(
    message: JsonRpcRequest,
    origin: RequestOrigin,
    sink: ReplySink,
    connected?: ReportedClient,
  ): OpenRequest {
    const exchange = new ModernExchange(message, sink)
    let envelope: Envelope
    try {
      envelope = readEnvelope(message, origin, this.#core)
      if (origin.checksHeaders && message.method === 'tools/call') this.#checkParamHeaders(message, origin)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      exchange.answer(refusal(error))
      return exchange
    }
    const client = this.#clientOf(message, envelope, origin, connected)
    if (client !== undefined) {
      exchange.reportTo(client)
      client.request(message.method)
    }
    this.#dispatch(exchange, envelope, origin)
    return exchange
  }

  /** Handles a notification of a client; those that no extension knows are ignored. */
  notification(message: JsonRpcNotification, { caller }: RequestOrigin): void {
    const [revision] = this.#core.spoken.modern
    if (revision === undefined) return
    this.#core.extensions.notice(message.method, 'modern', { params: message.params ?? {}, caller, revision })
  }

  close(): void {
    this.#subscriptions.close()
    this.#rounds.close()
  }

  #clientOf(
    { method }: JsonRpcRequest,
    { row: { revision }, clientInfo }: Envelope,
    origin: RequestOrigin,
    connected: ReportedClient | undefined,
  ): ReportedClient | undefined {
    const { onClient } = this.#core
    if (onClient === undefined) return undefined
    if (connected !== undefined) {
      connected.identify(revision, clientInfo)
      return connected
    }
    const running = method === 'subscriptions/listen' ? 0 : 1
    return new ReportedClient(onClient, {
      transport: 'http',
      scope: 'request',
      caller: origin.caller,
      context: origin,
      revision,
      clientInfo,
      running: () => running,
    })
  }

  #dispatch(exchange: ModernExchange, envelope: Envelope, origin: RequestOrigin): void {
    const { method, params = {} } = exchange.message
    const { row } = envelope
    if (this.#core.extensions.marksResults) this.#markResult(exchange, envelope, origin)
    try {
      if (method === 'server/discover') {
        exchange.answer({ type: 'serialised', bytes: this.#discover(row) })
      } else if (method === 'subscriptions/listen') {
        this.#subscriptions.serve(exchange, row, factsOf(exchange, envelope, origin))
      } else {
        const feature = FEATURES.get(method)
        if (feature !== undefined && !offersMethod(this.#core.registry, row, method)) {
          const reason = `Method not found: ${visibleLine(method, 100)}; server/discover does not declare what it belongs to`
          exchange.answer(refusal(new ProtocolError(ErrorCode.methodNotFound, reason)))
          return
        }
        if (feature === undefined) {
          const claimed = this.#core.extensions.method(method, 'modern')
          if (claimed === undefined)
            throw new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${visibleLine(method, 100)}`)
          void this.#extended(exchange, row, claimed, factsOf(exchange, envelope, origin))
          return
        }
        const prepared = feature({ core: this.#core, row, params })
        if (prepared instanceof Promise) void this.#proceedLater(exchange, prepared, envelope, origin)
        else this.#proceed(exchange, prepared, envelope, origin)
      }
    } catch (error) {
      this.#fail(exchange, row, error)
    }
  }

  #markResult(exchange: ModernExchange, envelope: Envelope, origin: RequestOrigin): void {
    const { extensions } = this.#core
    exchange.addMeta(() => extensions.resultMeta(factsOf(exchange, envelope, origin), 'modern'))
  }

  async #proceedLater(
    exchange: ModernExchange,
    prepared: Promise<Prepared>,
    envelope: Envelope,
    origin: RequestOrigin,
  ): Promise<void> {
    try {
      this.#proceed(exchange, await prepared, envelope, origin)
    } catch (error) {
      this.#fail(exchange, envelope.row, error)
    }
  }

  #proceed(exchange: ModernExchange, prepared: Prepared, envelope: Envelope, origin: RequestOrigin): void {
    if (exchange.over) return
    if (prepared.type === 'handler') {
      const interception = this.#interceptionOf(exchange, prepared, envelope, origin)
      this.#rounds.serve(exchange, prepared, envelope, origin, interception)
    } else if (prepared.type === 'serialised') exchange.answer(prepared)
    else {
      const result = addResultMetadata(this.#core.info, envelope.row, prepared.result, false)
      exchange.answer({ type: 'result', result })
    }
  }

  /** Which extension may answer the call, if one does. Throws the `ProtocolError` of one that refuses it. */
  #interceptionOf(
    exchange: ModernExchange,
    call: HandlerCall,
    envelope: Envelope,
    origin: RequestOrigin,
  ): CallInterception | undefined {
    for (const { extension, value: interceptor } of this.#core.extensions.interceptors) {
      if (!interceptor.concerns(call) || !serves(extension, 'modern')) continue
      const request = servedBy(extension, factsOf(exchange, envelope, origin))
      const when = interceptor.admit(call, request)
      if (when !== 'leave') return { interceptor, request, when }
    }
    return undefined
  }

  /** A request of an extension: its client must declare it, or gets `missingClientCapability`. */
  async #extended(
    exchange: ModernExchange,
    row: RevisionRow,
    { extension, value: method }: Claimed<ExtensionMethod>,
    facts: RequestFacts,
  ): Promise<void> {
    try {
      if (method.open !== true && !declares(facts.clientCapabilities, extension)) {
        throw missingExtension(extension, facts.method)
      }
      const request = servedBy(extension, facts)
      exchange.leads({
        cancel: (reason) => {
          request.end(reason, true)
        },
      })
      const result = checkedResult(extension, await method.serve(request))
      request.end('the request was answered', false)
      exchange.answer({
        type: 'result',
        result: addResultMetadata(this.#core.info, row, { ...result }, false),
      })
    } catch (error) {
      this.#fail(exchange, row, error)
    }
  }

  #fail(exchange: ModernExchange, row: RevisionRow, thrown: unknown): void {
    const failure = failureOf(thrown, row, undefined)
    if (failure.type === 'error') exchange.answer(fault(failure.error))
  }

  #checkParamHeaders({ params }: JsonRpcRequest, { headers }: RequestOrigin): void {
    const name = params?.['name']
    const tool = typeof name === 'string' ? this.#core.registry.tool(name) : undefined
    if (tool !== undefined) checkParamHeaders(tool.inputSchema, params?.['arguments'], headers)
  }

  #discover(row: RevisionRow): Buffer {
    const core = this.#core
    const result = {
      supportedVersions: core.spoken.modern,
      capabilities: declaredFor(row, core.capabilities('modern')),
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
    }
    return Buffer.from(JSON.stringify(addResultMetadata(core.info, row, result, core.caching.discover)))
  }
}

/** The request as extensions see it. */
function factsOf(exchange: ModernExchange, envelope: Envelope, origin: RequestOrigin): RequestFacts {
  const { method, params = {} } = exchange.message
  return {
    method,
    params,
    revision: envelope.row.revision,
    caller: origin.caller,
    headers: origin.headers,
    clientCapabilities: envelope.clientCapabilities,
    send: (notification, sent) => {
      exchange.send(encodeNotification(notification, sent))
    },
  }
}
