import { ErrorCode, type ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import type { Emission } from '../../registry/invocation.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'
import type { OpenRequest, ReplySink } from '../../ports/server-port.ts'
import type { WireResult } from '../result-metadata.ts'
import type { ReportedClient } from '../server-client.ts'
import { EmissionFilter } from '../emission.ts'
import { encodeError, encodeResult, encodeSerialised } from '../encode.ts'

/** How a modern request ends. `status` is the HTTP status. */
export type Outcome =
  /** `tail`: members of the result that are JSON already, see `encodeResult`; never where extensions add to results. */
  | { readonly type: 'result'; readonly result: WireResult; readonly tail?: string }
  | { readonly type: 'serialised'; readonly bytes: Uint8Array }
  | { readonly type: 'error'; readonly error: ProtocolError; readonly status: number }

/** The fault of a request that was not dispatched. */
export function refusal(error: ProtocolError): Outcome {
  return { type: 'error', error, status: error.code === ErrorCode.methodNotFound ? 404 : 400 }
}

/** The fault of a request that was dispatched: HTTP carried it well, except where its client lacks something. */
export function fault(error: ProtocolError): Outcome {
  return { type: 'error', error, status: error.code === ErrorCode.missingClientCapability ? 400 : 200 }
}

/** What ends with a request. */
export interface Cancellable {
  cancel(reason: string): void
}

/** One modern request until its answer: one round of whatever serves it. */
export class ModernExchange implements OpenRequest {
  readonly #sink: ReplySink
  #message: JsonRpcRequest
  #filter: EmissionFilter | undefined
  #cancelled: Cancellable | undefined
  #onFinish: (() => void) | undefined
  #onSettled: ((outcome: Outcome | undefined) => void) | undefined
  #over = false
  #client: ReportedClient | undefined
  #addedMeta: (() => JsonObject | undefined) | undefined

  constructor(message: JsonRpcRequest, sink: ReplySink) {
    this.#message = message
    this.#sink = sink
  }

  get message(): JsonRpcRequest {
    return this.#message
  }

  /** Lets go of the parameters: for a request that has been read, and may stay open for long. */
  dropParams(): void {
    const { jsonrpc, id, method } = this.#message
    this.#message = { jsonrpc, id, method }
  }

  get over(): boolean {
    return this.#over
  }

  /** The client whose request it is, where somebody follows the clients. */
  get client(): ReportedClient | undefined {
    return this.#client
  }

  /** Sets the client that reports the end of the request. */
  reportTo(client: ReportedClient): void {
    this.#client = client
  }

  /** What is to be cancelled with it. */
  leads(to: Cancellable): void {
    this.#cancelled = to
  }

  /** For a request that stays open until somebody ends it. */
  onFinish(listener: () => void): void {
    this.#onFinish = listener
  }

  /** The outcome, or undefined if the request was cancelled. */
  onSettled(listener: (outcome: Outcome | undefined) => void): void {
    this.#onSettled = listener
  }

  /** Adds members to the `_meta` of the result; asked when there is one. */
  addMeta(added: () => JsonObject | undefined): void {
    this.#addedMeta = added
  }

  /** Sends a message that belongs to this request. */
  send(bytes: Uint8Array): void {
    if (!this.#over) this.#sink.emit(bytes)
  }

  /** What is sent, the request's `_meta` says. */
  emit(emission: Emission, meta: JsonObject): void {
    if (this.#over) return
    this.#filter ??= new EmissionFilter(meta['progressToken'], { type: 'request', meta })
    const bytes = this.#filter.encode(emission)
    if (bytes !== undefined) this.#sink.emit(bytes)
  }

  /** Answers. Throws what `JSON.stringify` throws for a result that is not JSON; nothing is sent then. */
  answer(outcome: Outcome): void {
    if (this.#over) return
    const { id } = this.message
    if (outcome.type === 'error') {
      this.#end(encodeError(id, outcome.error.toBody()), outcome.status)
    } else {
      const marked = this.#marked(outcome)
      const answer =
        marked.type === 'result'
          ? encodeResult(id, marked.result, marked.tail)
          : encodeSerialised(id, marked.bytes)
      this.#end(answer, 200)
    }
    this.#onSettled?.(outcome)
  }

  finish(): void {
    if (!this.#over) this.#onFinish?.()
  }

  cancel(reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#sink.abandon()
    this.#cancelled?.cancel(reason)
    this.#onSettled?.(undefined)
    this.#client?.settle()
  }

  /** Results that are serialised already are the same for everybody, so they are only read where something is added. */
  #marked(outcome: Exclude<Outcome, { type: 'error' }>): Exclude<Outcome, { type: 'error' }> {
    const added = this.#addedMeta?.()
    if (added === undefined) return outcome
    const read: unknown =
      outcome.type === 'result' ? outcome.result : JSON.parse(Buffer.from(outcome.bytes).toString())
    const result = isJsonObject(read) ? read : {}
    const meta = result['_meta']
    return { type: 'result', result: { ...result, _meta: { ...(isJsonObject(meta) ? meta : {}), ...added } } }
  }

  #end(message: EncodedMessage, status: number): void {
    this.#over = true
    this.#sink.answer(message, status)
    this.#client?.settle()
  }
}
