import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { OpenRequest, ReplySink, RequestOrigin } from '../../transports/server-port.ts'
import type { ServerCore } from '../core.ts'
import { failureOf } from '../failure.ts'
import { seasonResult } from '../season.ts'
import type { Prepared } from '../features/feature.ts'
import { FEATURES } from '../features/table.ts'
import { readEnvelope, type Envelope } from './envelope.ts'
import { ModernExchange, refusal } from './exchange.ts'
import { checkParamHeaders } from './param-headers.ts'
import { Rounds } from './rounds.ts'
import { Subscriptions } from './subscriptions.ts'

/** The modern era (2026-07-28): every request describes itself, and nothing is remembered of its caller. */
export class ModernServer {
  readonly #core: ServerCore
  readonly #rounds: Rounds
  readonly #subscriptions: Subscriptions

  constructor(core: ServerCore, sealKey: Uint8Array | undefined) {
    this.#core = core
    this.#rounds = new Rounds(core, sealKey)
    this.#subscriptions = new Subscriptions(core)
  }

  request(message: JsonRpcRequest, origin: RequestOrigin, sink: ReplySink): OpenRequest {
    const exchange = new ModernExchange(message, sink)
    const { id } = message
    const { idLength } = this.#core.limits
    if (typeof id === 'string' && id.length > idLength) {
      const reason = `Invalid request: the id is longer than ${idLength} characters (limit idLength)`
      exchange.refuseUnnamed(new ProtocolError(ErrorCode.invalidRequest, reason))
      return exchange
    }
    let envelope: Envelope
    try {
      envelope = readEnvelope(message, origin, this.#core.spoken)
      if (origin.checksHeaders && message.method === 'tools/call') this.#checkParamHeaders(message, origin)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      exchange.answer(refusal(error))
      return exchange
    }
    this.#dispatch(exchange, envelope, origin)
    return exchange
  }

  close(): void {
    this.#subscriptions.close()
    this.#rounds.close()
  }

  #dispatch(exchange: ModernExchange, envelope: Envelope, origin: RequestOrigin): void {
    const { method, params = {} } = exchange.message
    const { row } = envelope
    const fail = (error: unknown) => {
      this.#fail(exchange, row, error)
    }
    try {
      if (method === 'server/discover') {
        exchange.answer({ type: 'serialised', bytes: this.#discover(row) })
      } else if (method === 'subscriptions/listen') {
        this.#subscriptions.serve(exchange, row)
      } else {
        const feature = FEATURES.get(method)
        if (feature === undefined)
          throw new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${method}`)
        const prepared = feature({ core: this.#core, row, params })
        if (prepared instanceof Promise) {
          prepared
            .then((ready) => {
              this.#proceed(exchange, ready, envelope, origin)
            })
            .catch(fail)
        } else this.#proceed(exchange, prepared, envelope, origin)
      }
    } catch (error) {
      fail(error)
    }
  }

  #proceed(exchange: ModernExchange, prepared: Prepared, envelope: Envelope, origin: RequestOrigin): void {
    if (exchange.over) return
    if (prepared.type === 'handler') this.#rounds.serve(exchange, prepared, envelope, origin)
    else if (prepared.type === 'serialised') exchange.answer(prepared)
    else {
      const result = seasonResult(this.#core.info, envelope.row, prepared.result, false)
      exchange.answer({ type: 'result', result })
    }
  }

  #fail(exchange: ModernExchange, row: RevisionRow, thrown: unknown): void {
    const failure = failureOf(thrown, row, undefined)
    if (failure.type === 'error') exchange.answer({ type: 'error', error: failure.error, status: 200 })
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
      capabilities: core.capabilities(),
      ...(core.instructions === undefined ? {} : { instructions: core.instructions }),
    }
    return Buffer.from(JSON.stringify(seasonResult(core.info, row, result, true)))
  }
}
