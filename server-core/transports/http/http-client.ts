import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage, RequestId } from '../../protocol/messages.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import { exchangeOver } from './authorized-exchange.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { lowerCased, replaced } from './client-headers.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type RawOptions,
  type RawOutcome,
  type SendOptions,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { encodeMessage } from '../../ports/encode-message.ts'
import { Flight } from './flight.ts'
import { followStream } from './http-event-stream.ts'
import { EVENT_STREAM, type HttpReply } from './http-exchange.ts'
import { connectionFailure } from './http-failure.ts'
import { addProtocolHeaders } from './http-headers.ts'
import { HttpReader, isAnswerTo } from './http-reader.ts'
import { HttpWire, type HttpCall } from './http-wire.ts'
import { networkTarget } from './network-target.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'

export type HttpOptions = {
  readonly url: string
  /** Sent with every request; the headers of the protocol win over them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: ClientAuthorization
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
}

/** How long a reply may stay open after it brought its answer. */
const LINGER_MS = 1_000
/** How long the end of a session may take. */
const DELETE_TIMEOUT_MS = 2_000
const MAX_RESUME_FAILURES = 3
const NO_BYTES = new Uint8Array()

/**
 * A server behind one URL (transports: Streamable HTTP), in both shapes: sessions, the GET stream and resumption in
 * the legacy revisions, self-describing POSTs from 2026-07-28 on. Each message is an HTTP exchange of its own.
 */
export function httpTransport(options: HttpOptions): ClientTransport {
  return new HttpClient(options)
}

type Started = {
  readonly wire: HttpWire
  readonly reader: HttpReader
  readonly receiver: ClientReceiver
  readonly exchange: (call: HttpCall) => Promise<HttpReply>
}

class HttpClient implements ClientTransport {
  readonly kind = 'http'
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #authorization: ClientAuthorization | undefined
  readonly #limits: Limits
  readonly #tap: Tap
  /** The headers of every POST. */
  readonly #postHeaders: Readonly<Record<string, string>>
  /** The requests that are under way. */
  readonly #flights = new Map<RequestId, Flight>()
  #started: Started | undefined
  #sessionId: string | undefined
  #legacyRevision: string | undefined
  #unasked: Flight | undefined
  #end: TransportError | undefined
  #closing: Promise<void> | undefined

  constructor(options: HttpOptions) {
    this.#url = options.url
    this.#headers = lowerCased(options.headers)
    this.#postHeaders = {
      ...this.#headers,
      'content-type': 'application/json',
      accept: `application/json, ${EVENT_STREAM}`,
    }
    this.#authorization = options.authorization
    this.#limits = limitsOf(options.limits)
    this.#tap = options.tap ?? NO_TAP
  }

  // Nothing is opened before the first message, but a bad address is reported immediately.
  start(receiver: ClientReceiver): Promise<void> {
    return new Promise((resolve) => {
      if (this.#started !== undefined || this.#end !== undefined) {
        throw new TransportError('closed', 'a transport is used for one connection only; make a new one')
      }
      const wire = new HttpWire(networkTarget(this.#url, ['http:', 'https:']), this.#limits, this.#tap)
      const reader = new HttpReader(this.#limits, this.#tap, receiver)
      const exchange = exchangeOver(wire, this.#tap, receiver, this.#authorization)
      this.#started = { wire, receiver, reader, exchange }
      this.#tap.record({
        kind: 'lifecycle',
        direction: 'sent',
        bytes: NO_BYTES,
        event: 'opened',
        note: wire.url,
      })
      resolve()
    })
  }

  async send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    const started = this.#open()
    const bytes = encodeMessage(message, this.#limits)
    const { revision } = options
    const isModern = revision !== undefined && revisionRow(revision)?.era === 'modern'
    const isInitialize = 'method' in message && message.method === 'initialize'
    if (isInitialize) this.#forgetSession()
    else if (!isModern) this.#legacyRevision = revision
    const session = isModern ? undefined : this.#sessionId
    const headers: Record<string, string> = { ...this.#postHeaders }
    if (session !== undefined) headers['mcp-session-id'] = session
    addProtocolHeaders(headers, message, revision)
    Object.assign(headers, options.headers)
    const call = { method: 'POST', headers, message: { bytes, parsed: message } }
    if (!('method' in message) || !('id' in message)) {
      started.reader.nothing(await started.exchange(call))
      return
    }
    const { id } = message
    const flight = new Flight()
    this.#flights.set(id, flight)
    try {
      const reply = await started.exchange({ ...call, flight })
      const succeeded = reply.status >= 200 && reply.status < 300
      if (isInitialize && succeeded) this.#sessionId = reply.headers['mcp-session-id']
      if (reply.stream !== undefined) {
        // The answer may take long; whoever sent the request learns of it through the receiver.
        void this.#followAnswer(started, reply, id, isModern, flight)
        return
      }
      if (succeeded) started.reader.answer(reply, id)
      else started.reader.refusal(reply, id, session !== undefined)
      this.#flights.delete(id)
    } catch (error) {
      this.#flights.delete(id)
      throw error
    }
  }

  abandon(id: RequestId): void {
    this.#flights.get(id)?.abandon()
  }

  async sendRaw(bytes: Uint8Array, options: RawOptions = {}): Promise<RawOutcome> {
    const started = this.#open()
    const { method = 'POST', revision } = options
    const isModern = revision !== undefined && revisionRow(revision)?.era === 'modern'
    const reply = await started.exchange({
      method,
      headers: replaced(
        {
          ...this.#postHeaders,
          ...(isModern ? {} : this.#sessionHeaders()),
          ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
        },
        options.headers,
      ),
      raw: bytes,
    })
    if (reply.stream === undefined) started.reader.anything(reply)
    else void this.#followRaw(started, reply)
    return { httpStatus: reply.status, httpHeaders: reply.headers }
  }

  openStream(): void {
    const started = this.#open()
    this.#unasked?.abandon()
    this.#unasked = new Flight()
    void this.#followUnasked(started, this.#unasked)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  evidence(): TransportEvidence {
    return { url: this.#started?.wire.url ?? this.#url }
  }

  async #close(): Promise<void> {
    const session = this.#sessionId
    const end = new TransportError('closed', 'the connection was closed', this.evidence())
    this.#end = end
    this.#unasked?.abandon()
    for (const flight of this.#flights.values()) flight.abandon()
    this.#flights.clear()
    if (this.#started === undefined) return
    const { wire, receiver } = this.#started
    if (session !== undefined) await this.#deleteSession(this.#started, session)
    await wire.destroy()
    this.#tap.record({
      kind: 'lifecycle',
      direction: 'sent',
      bytes: NO_BYTES,
      event: 'closed',
      note: end.message,
    })
    receiver.closed(end)
  }

  #open(): Started {
    if (this.#end !== undefined) throw this.#end
    if (this.#started === undefined) throw new TransportError('closed', 'the transport was not started')
    return this.#started
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
      ...(this.#legacyRevision === undefined ? {} : { 'mcp-protocol-version': this.#legacyRevision }),
    }
  }

  #forgetSession(): void {
    this.#sessionId = undefined
    this.#legacyRevision = undefined
    this.#unasked?.abandon()
  }

  /** Reads the stream that brings the answer to a request; never rejects. */
  async #followAnswer(
    started: Started,
    first: HttpReply,
    id: RequestId,
    isModern: boolean,
    flight: Flight,
  ): Promise<void> {
    const { reader, receiver } = started
    reader.head(first)
    let answered = false
    let linger: NodeJS.Timeout | undefined
    try {
      await followStream(first, {
        maxBytes: this.#limits.messageBytes,
        flight,
        isDone: () => answered,
        onEvent: (event, from) => {
          if (!isAnswerTo(reader.event(event, from), id)) return
          answered = true
          this.#flights.delete(id)
          linger ??= setTimeout(() => from.stream?.giveUp(), LINGER_MS)
        },
        maxFailures: MAX_RESUME_FAILURES,
        ...(isModern ? {} : { resume: (lastEventId) => this.#get(started, lastEventId, flight) }),
      })
    } catch (error) {
      if (this.#end === undefined) receiver.requestFailed(id, this.#failed(first, error))
    } finally {
      clearTimeout(linger)
      this.#flights.delete(id)
    }
  }

  /** The stream that came back for bytes that were sent as they are; it is not resumed. Never rejects. */
  async #followRaw({ reader }: Started, reply: HttpReply): Promise<void> {
    reader.head(reply)
    try {
      await followStream(reply, {
        maxBytes: this.#limits.messageBytes,
        flight: new Flight(),
        isDone: () => true,
        onEvent: (event, from) => void reader.event(event, from),
        maxFailures: 0,
      })
    } catch (error) {
      if (this.#end === undefined) this.#failed(reply, error)
    }
  }

  /** Records why a stream could not be read to its end, and gives the failure. */
  #failed({ facts, afterMs }: HttpReply, error: unknown): TransportError {
    const { exchange, method, url } = facts
    const failure = connectionFailure(error, url, afterMs)
    const http = { exchange, method, url, headers: {} }
    this.#tap.record({ kind: 'http', direction: 'received', bytes: Buffer.from(failure.message), http })
    return failure
  }

  /** The stream for what the server sends unasked. That there is none (405) is normal. */
  async #followUnasked(started: Started, flight: Flight): Promise<void> {
    const resume = (lastEventId: string | undefined): Promise<HttpReply> =>
      this.#get(started, lastEventId, flight)
    try {
      await followStream(await resume(undefined), {
        maxBytes: this.#limits.messageBytes,
        flight,
        isDone: () => false,
        onEvent: (event, from) => void started.reader.event(event, from),
        resume,
        resumeWithoutId: true,
        maxFailures: Infinity,
      })
    } catch {
      // The tap has recorded why there is no such stream; requests go on without it.
    }
  }

  /** Opens an event stream by GET; after an event id it goes on where that stream was cut. */
  async #get(started: Started, lastEventId: string | undefined, flight: Flight): Promise<HttpReply> {
    const reply = await started.exchange({
      method: 'GET',
      headers: {
        ...this.#headers,
        accept: EVENT_STREAM,
        ...this.#sessionHeaders(),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      flight,
    })
    started.reader.head(reply)
    if (reply.stream !== undefined) return reply
    throw started.reader.failure(reply)
  }

  async #deleteSession(started: Started, session: string): Promise<void> {
    const flight = new Flight()
    const timer = setTimeout(() => flight.abandon(), DELETE_TIMEOUT_MS)
    try {
      const headers = { ...this.#headers, ...this.#sessionHeaders(), 'mcp-session-id': session }
      started.reader.head(await started.exchange({ method: 'DELETE', headers, flight }))
    } catch {
      // The session ends by itself in time; that it could not be ended now is on the tap.
    } finally {
      clearTimeout(timer)
    }
  }
}
