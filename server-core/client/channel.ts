import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import {
  classifyMessage,
  isRequestId,
  type JsonRpcErrorBody,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type RequestId,
} from '../protocol/messages.ts'
import type { Revision } from '../protocol/revisions.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type Incoming,
} from '../ports/contract.ts'
import { Deadline, DeadlineClock } from './deadline.ts'
import { PeerError, RequestFailedError } from './errors.ts'
import { messageOf } from '../protocol/error-message.ts'

export type Progress = { readonly progress: number; readonly total?: number; readonly message?: string }

/** One request as the channel sends it. */
export type Outgoing = {
  readonly method: string
  readonly params?: JsonObject
  readonly revision?: Revision
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds without an answer or progress. */
  readonly timeoutMs: number
  /** Milliseconds in all, whatever progress comes. */
  readonly maximumMs: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called with its id just before it is sent. */
  readonly onId?: (id: RequestId) => void
  /** How cancelling it is signalled: by a notification, by ending its HTTP exchange alone, or not at all. */
  readonly cancellation: 'notify' | 'hang-up' | 'none'
}

export type Answer = { readonly result: JsonObject; readonly bytes: Uint8Array; readonly httpStatus?: number }

/** Who takes what the server sends unasked. */
export interface ChannelHandler {
  notification(message: JsonRpcNotification): void
  request(message: JsonRpcRequest, bytes: Uint8Array): void
  /** Any JSON value that came, before anything is made of it; only where `wantsAll` says so. */
  received(incoming: Incoming): void
  /** Bytes that are not JSON. */
  invalid(bytes: Uint8Array, reason: string): void
  /** Whether `received` is to be called. */
  wantsAll(): boolean
  closed(error: TransportError): void
}

/** Who waits for the answer to something that was sent as it is. */
type RawListener = (id: RequestId, incoming: Incoming) => void

/** What the server sent of its own accord, and the bytes it came in. */
type Unasked = { readonly message: JsonRpcNotification | JsonRpcRequest; readonly bytes: Uint8Array }

type Pending = {
  readonly outgoing: Outgoing
  readonly deadline: Deadline
  readonly token: RequestId | undefined
  /** There if the caller may give it up. */
  readonly onAbort: (() => void) | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  /** How much had come that is not JSON when it was sent. */
  readonly noises: number
  /** A hint for the report should no answer come. */
  hint?: string
}

/** What came last that is not JSON, and how much did in all. */
type Noises = { readonly count: number; readonly last: Uint8Array; readonly reason: string }

const QUOTED_BYTES = 120

/**
 * Requests and answers over one transport (protocol: base messages). Ids are numbers and keep their type; an answer
 * that is late, doubled or unknown is dropped, because only the tap may still be interested in it.
 */
export class Channel implements ClientReceiver {
  readonly transport: ClientTransport
  readonly #limits: Limits
  readonly #clock = new DeadlineClock()
  readonly #pending = new Map<RequestId, Pending>()
  readonly #byToken = new Map<RequestId, Pending>()
  readonly #rawListeners = new Map<RequestId, RawListener>()
  readonly #ended = Promise.withResolvers<void>()
  #early: Unasked[] = []
  #handler: ChannelHandler | undefined
  #noises: Noises = { count: 0, last: new Uint8Array(), reason: '' }
  #nextId = 1
  #held = 0
  #end: TransportError | undefined

  constructor(transport: ClientTransport, limits: Limits) {
    this.transport = transport
    this.#limits = limits
  }

  /** Resolves when the transport has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Opens the transport. Throws its `TransportError`. */
  start(): Promise<void> {
    return this.transport.start(this)
  }

  /** From now on `handler` gets what the server sends, starting with what came before. */
  attach(handler: ChannelHandler): void {
    this.#handler = handler
    const early = this.#early
    this.#early = []
    for (const { message, bytes } of early) this.#handOn(message, bytes)
    if (this.#end !== undefined) handler.closed(this.#end)
  }

  /**
   * Sends a request and waits for its answer. Throws a `PeerError` for the server's error, a `RequestFailedError`
   * for everything that kept an answer from coming.
   */
  request(outgoing: Outgoing): Promise<Answer> {
    if (this.#end !== undefined) return Promise.reject(closedError(this.#end))
    if (outgoing.signal?.aborted === true)
      return Promise.reject(
        new RequestFailedError('cancelled', 'the request was cancelled before it was sent'),
      )
    if (this.#pending.size >= this.#limits.inFlight) {
      return Promise.reject(
        new RequestFailedError(
          'too-many',
          `${this.#limits.inFlight} requests are in flight already (limit inFlight)`,
        ),
      )
    }
    const id = this.#freshId()
    return new Promise((resolve, reject) => {
      const params =
        outgoing.onProgress === undefined ? outgoing.params : withProgressToken(outgoing.params, id)
      const pending: Pending = {
        outgoing,
        deadline: new Deadline(
          this.#clock,
          { idleMs: outgoing.timeoutMs, maximumMs: outgoing.maximumMs },
          (which) => this.#timedOut(id, which),
        ),
        token: progressTokenOf(params),
        noises: this.#noises.count,
        onAbort: outgoing.signal === undefined ? undefined : () => this.#cancelled(id, outgoing.method),
        resolve,
        reject,
      }
      if (this.#held > 0) pending.deadline.pause()
      this.#pending.set(id, pending)
      if (pending.token !== undefined) this.#byToken.set(pending.token, pending)
      if (pending.onAbort !== undefined)
        outgoing.signal?.addEventListener('abort', pending.onAbort, { once: true })
      outgoing.onId?.(id)
      this.transport
        .send(
          { jsonrpc: '2.0', id, method: outgoing.method, ...(params === undefined ? {} : { params }) },
          {
            ...(outgoing.revision === undefined ? {} : { revision: outgoing.revision }),
            ...(outgoing.headers === undefined ? {} : { headers: outgoing.headers }),
          },
        )
        .catch((error: unknown) => this.#take(id)?.reject(transportError(error)))
    })
  }

  /** Sends a notification. Throws a `RequestFailedError` if it cannot be sent. */
  async notify(
    method: string,
    params: JsonObject | undefined,
    revision: Revision | undefined,
  ): Promise<void> {
    try {
      await this.transport.send(
        { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) },
        revision === undefined ? {} : { revision },
      )
    } catch (error) {
      throw transportError(error)
    }
  }

  /** Answers a request of the server. That it could not be sent is on the tap; nobody waits for it here. */
  respond(
    id: RequestId,
    outcome: { readonly result: JsonObject } | { readonly error: JsonRpcErrorBody },
    revision: Revision | undefined,
  ): void {
    this.transport
      .send({ jsonrpc: '2.0', id, ...outcome }, revision === undefined ? {} : { revision })
      .catch(() => undefined)
  }

  /** Stops the clocks of all requests while the server waits for us. Gives the function that lets them run again. */
  holdClocks(): () => void {
    this.#held += 1
    for (const pending of this.#pending.values()) pending.deadline.pause()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#held -= 1
      if (this.#held === 0) for (const pending of this.#pending.values()) pending.deadline.resume()
    }
  }

  held(): () => void {
    return this.holdClocks()
  }

  /** Fails what is in flight and ends the transport. */
  async close(): Promise<void> {
    this.#failAll(new TransportError('closed', 'the connection was closed', this.transport.evidence()))
    await this.transport.close()
  }

  /** Reports answers to ids that were not sent as requests. Returns an unsubscribe function. */
  listenRaw(ids: Iterable<RequestId>, listener: RawListener): () => void {
    const mine = [...ids]
    for (const id of mine) this.#rawListeners.set(id, listener)
    return () => {
      for (const id of mine) if (this.#rawListeners.get(id) === listener) this.#rawListeners.delete(id)
    }
  }

  message(incoming: Incoming): void {
    if (this.#handler?.wantsAll() === true) this.#handler.received(incoming)
    this.#classified(incoming.value, incoming)
  }

  /** Invalid JSON identifies no request; it may have been an answer, so it is quoted to requests without one. */
  invalid(bytes: Uint8Array, reason: string): void {
    this.#noises = { count: this.#noises.count + 1, last: bytes.slice(0, QUOTED_BYTES + 1), reason }
    this.#handler?.invalid(bytes, reason)
  }

  requestFailed(id: RequestId, error: TransportError): void {
    this.#take(id)?.reject(transportError(error))
  }

  closed(error: TransportError): void {
    this.#failAll(error)
    this.#end = error
    this.#ended.resolve()
    this.#handler?.closed(error)
  }

  #classified(value: unknown, incoming: Incoming): void {
    const classified = classifyMessage(value)
    switch (classified.type) {
      case 'result': {
        const { id, result } = classified.message
        const { bytes, httpStatus } = incoming
        const pending = this.#take(id, incoming)
        if (pending === undefined) this.#stray(id)
        else pending.resolve({ result, bytes, ...(httpStatus === undefined ? {} : { httpStatus }) })
        break
      }
      case 'error': {
        const { id, error } = classified.message
        if (id === undefined || !isRequestId(id)) break
        const pending = this.#take(id, incoming)
        if (pending === undefined) this.#stray(id)
        else pending.reject(new PeerError(error, incoming))
        break
      }
      case 'invalid': {
        if (classified.id === undefined || (isJsonObject(value) && value['method'] !== undefined)) break
        const message = `the answer is not a JSON-RPC response: ${classified.reason}`
        this.#take(classified.id, incoming)?.reject(
          new RequestFailedError('invalid-answer', message, { bytes: incoming.bytes }),
        )
        break
      }
      case 'batch':
        // 2025-03-26 has batches; elsewhere a message in an array is still an answer to some request.
        for (const item of classified.items) if (!Array.isArray(item)) this.#classified(item, incoming)
        break
      case 'notification':
        this.#progress(classified.message)
        this.#handOn(classified.message, incoming.bytes)
        break
      case 'request':
        this.#handOn(classified.message, incoming.bytes)
        break
    }
  }

  #handOn(message: JsonRpcNotification | JsonRpcRequest, bytes: Uint8Array): void {
    if (this.#handler === undefined) {
      // A server may ping before it answers the handshake, and wait for the answer.
      if ('id' in message && message.method === 'ping') this.respond(message.id, { result: {} }, undefined)
      else if (this.#early.length < this.#limits.inFlight) this.#early.push({ message, bytes })
    } else if ('id' in message) this.#handler.request(message, bytes)
    else this.#handler.notification(message)
  }

  #progress({ method, params }: JsonRpcNotification): void {
    if (method !== 'notifications/progress' || params === undefined) return
    const token = params['progressToken']
    const pending = isRequestId(token) ? this.#byToken.get(token) : undefined
    if (pending === undefined) return
    pending.deadline.touch()
    const { progress, total, message } = params
    if (typeof progress !== 'number') return
    pending.outgoing.onProgress?.({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    })
  }

  /** An answer that nobody waits for. One whose id is a number as text explains why its request gets none. */
  #stray(id: RequestId): void {
    const meant = typeof id === 'string' && /^\d+$/.test(id) ? this.#pending.get(Number(id)) : undefined
    if (meant !== undefined)
      meant.hint = `; an answer came with the id as text ("${String(id)}"), but the id that was sent is a number`
  }

  #cancelled(id: RequestId, method: string): void {
    const error = new RequestFailedError('cancelled', `${method} was cancelled`)
    this.#giveUp(id, error, 'cancelled by the user')
  }

  #timedOut(id: RequestId, which: 'idle' | 'ceiling'): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    const { method, timeoutMs, maximumMs } = pending.outgoing
    const message =
      which === 'idle'
        ? `no answer to ${method} within ${timeoutMs} ms${pending.hint ?? this.#invalidSince(pending)}`
        : `no answer to ${method} within ${maximumMs} ms in all, although progress came`
    this.#giveUp(id, new RequestFailedError('timeout', message), message)
  }

  /** What came since then that is not JSON; nothing if nothing did. */
  #invalidSince({ noises }: Pending): string {
    const { count, last, reason } = this.#noises
    if (count === noises) return ''
    const text = new TextDecoder().decode(last.subarray(0, QUOTED_BYTES))
    const quoted = JSON.stringify(last.length > QUOTED_BYTES ? `${text}…` : text)
    return `; meanwhile the server sent invalid JSON (${reason}): ${quoted}`
  }

  #giveUp(id: RequestId, error: RequestFailedError, reason: string): void {
    const pending = this.#take(id)
    if (pending === undefined) return
    const { cancellation, revision } = pending.outgoing
    pending.reject(error)
    const hangUp = (): void => this.transport.abandon?.(id)
    if (cancellation !== 'notify') {
      hangUp()
      return
    }
    // The exchange is given up only after the notification went out, so that the server gets the reason first.
    this.notify('notifications/cancelled', { requestId: id, reason }, revision).then(hangUp, hangUp)
  }

  /** @param answer what came for it, if it is that which takes it */
  #take(id: RequestId, answer?: Incoming): Pending | undefined {
    if (answer !== undefined && this.#rawListeners.size > 0) this.#rawListeners.get(id)?.(id, answer)
    const pending = this.#pending.get(id)
    if (pending === undefined) return undefined
    this.#pending.delete(id)
    if (pending.token !== undefined && this.#byToken.get(pending.token) === pending)
      this.#byToken.delete(pending.token)
    pending.deadline.stop()
    if (pending.onAbort !== undefined) pending.outgoing.signal?.removeEventListener('abort', pending.onAbort)
    return pending
  }

  /** An id that nobody waits for an answer to. */
  #freshId(): number {
    const id = (this.#nextId += 1) - 1
    return this.#rawListeners.has(id) ? this.#freshId() : id
  }

  #failAll(error: TransportError): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(closedError(error))
  }
}

function withProgressToken(params: JsonObject | undefined, id: RequestId): JsonObject {
  const meta = isJsonObject(params?.['_meta']) ? params['_meta'] : {}
  return { ...params, _meta: { progressToken: id, ...meta } }
}

function progressTokenOf(params: JsonObject | undefined): RequestId | undefined {
  const meta = params?.['_meta']
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return isRequestId(token) ? token : undefined
}

function closedError(error: TransportError): RequestFailedError {
  return new RequestFailedError('closed', `the connection ended before the answer came: ${error.message}`, {
    cause: error,
  })
}

function transportError(error: unknown): RequestFailedError {
  if (error instanceof TransportError && error.code === 'closed') return closedError(error)
  const message = messageOf(error)
  return new RequestFailedError('transport', message, { cause: error })
}
