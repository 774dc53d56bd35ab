import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonRpcNotification, JsonRpcRequest } from '../../protocol/messages.ts'
import { ASSUMED, type RevisionRow } from '../../protocol/revisions.ts'
import type { RequestContext, ReplySink } from '../../ports/server-port.ts'
import type { Audience } from '../audience.ts'
import { offersMethod } from '../capabilities.ts'
import type { ServerCore } from '../core.ts'
import { declaredWithoutSession } from '../downgrade/declared.ts'
import { encodeError, encodeResult } from '../encode.ts'
import { featureOf } from '../features/table.ts'
import { BatchReply, readBatch } from './batch.ts'
import { LegacyExchange } from './exchange.ts'
import { invalidRequest, methodNotFound, notDeclared } from './faults.ts'
import { agree, initializeResult } from './handshake.ts'

const UNKNOWN = { clientCapabilities: {} }
const NOBODY: Audience = { type: 'nobody' }

/**
 * Legacy requests without a session (Streamable HTTP: session management): each is independent, nothing is
 * remembered between two, so the client gets no questions, change notifications or logs, and none of that is declared.
 */
export class SessionlessRequests {
  readonly #core: ServerCore

  constructor(core: ServerCore) {
    this.#core = core
  }

  /** See `ServerPort.lone`. */
  serve(
    posted: JsonRpcRequest | JsonRpcNotification | readonly unknown[],
    requestContext: RequestContext,
    reply: () => ReplySink,
  ): boolean {
    if ('id' in posted) {
      this.#request(posted, requestContext, reply)
      return true
    }
    if ('method' in posted) {
      // Nothing of a notification outlives it, but a version that is not spoken is refused.
      this.#rowOf(requestContext)
      return false
    }
    const items = readBatch(this.#rowOf(requestContext), posted, this.#core.limits)
    const requests = items.flatMap((item) => (item.type === 'request' ? [item.message] : []))
    if (items.some(({ type }) => type === 'result' || type === 'error')) throw noQuestion()
    if (requests.length === 0) return false
    const batch = new BatchReply(requests.length, reply())
    for (const message of requests) this.#request(message, requestContext, () => batch.sinkOfOne())
    return true
  }

  #request(message: JsonRpcRequest, requestContext: RequestContext, reply: () => ReplySink): void {
    const { id, method, params = {} } = message
    // `initialize` comes before anything is agreed: a header on it says nothing.
    const row = method === 'initialize' ? undefined : this.#rowOf(requestContext)
    const sink = reply()
    try {
      if (row === undefined) {
        const agreed = agree(this.#core, params, declaredWithoutSession)
        sink.answer(encodeResult(id, initializeResult(this.#core, agreed)), 200)
      } else if (method === 'ping') sink.answer(encodeResult(id, {}), 200)
      else this.#feature(row, message, requestContext, sink)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      sink.answer(encodeError(id, error.toBody()), 200)
    }
  }

  #feature(row: RevisionRow, message: JsonRpcRequest, requestContext: RequestContext, sink: ReplySink): void {
    const { method } = message
    const feature = featureOf(row, method)
    if (feature === undefined) throw methodNotFound(method)
    if (!offersMethod(this.#core.registry, row, method)) throw notDeclared(method)
    const context = {
      core: this.#core,
      row,
      client: UNKNOWN,
      audience: NOBODY,
      asked: undefined,
      over: () => undefined,
    }
    new LegacyExchange(context, message, requestContext, sink).serve(feature)
  }

  #rowOf({ headers }: RequestContext): RevisionRow {
    const { spoken } = this.#core
    const header = headers['mcp-protocol-version']
    const row =
      spoken.row(header ?? ASSUMED) ?? (header === undefined ? spoken.negotiate(ASSUMED) : undefined)
    if (row?.era === 'legacy') return row
    throw invalidRequest(
      `MCP-Protocol-Version is ${header === undefined ? 'missing' : `"${header}"`}; expected one of ${spoken.legacy.join(', ')}`,
    )
  }
}

function noQuestion(): ProtocolError {
  return invalidRequest('there is no session in which anything was asked; expected no response')
}
