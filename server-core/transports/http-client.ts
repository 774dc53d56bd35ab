import { limitsOf, type Limits } from '../protocol/limits.ts'
import type { JsonRpcMessage, RequestId } from '../protocol/messages.ts'
import { revisionRow } from '../protocol/revisions.ts'
import { authorizedExchange } from './authorized-exchange.ts'
import type { ClientAuthorization } from './client-authorization.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type RawOptions,
  type RawOutcome,
  type SendOptions,
  type TransportEvidence,
} from './contract.ts'
import { followStream } from './http-event-stream.ts'
import { connectionFailure, statusFailure } from './http-failure.ts'
import { protocolHeaders } from './http-headers.ts'
import { HttpReader, isAnswerTo } from './http-reader.ts'
import { HttpWire, readBody, refusedReply, type HttpCall, type HttpReply } from './http-wire.ts'
import { NO_TAP, type Tap } from './tap.ts'

export type HttpOptions = {
  readonly url: string
  /** Sent with every request; the headers of the protocol win over them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: ClientAuthorization
  readonly tap?: Tap
  /** Those that are not given have their default; a `RangeError` for one that is none. */
  readonly limits?: Partial<Limits>
}

const EVENT_STREAM = 'text/event-stream'
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

type Started = { readonly wire: HttpWire; readonly reader: HttpReader; readonly receiver: ClientReceiver }

class HttpClient implements ClientTransport {
  readonly kind = 'http'
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #authorization: ClientAuthorization | undefined
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #aborted = new AbortController()
  #started: Started | undefined
  #sessionId: string | undefined
  #legacyRevision: string | undefined
  #unasked: AbortController | undefined
  #end: TransportError | undefined
  #closing: Promise<void> | undefined

  constructor(options: HttpOptions) {
    this.#url = options.url
    const headers = Object.entries(options.headers ?? {})
    this.#headers = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
    this.#authorization = options.authorization
    this.#limits = limitsOf(options.limits)
    this.#tap = options.tap ?? NO_TAP
  }

  // Nothing is opened before the first message, but a bad address is told at once.
  start(receiver: ClientReceiver): Promise<void> {
    return new Promise((resolve) => {
      if (this.#started !== undefined || this.#end !== undefined) {
        throw new TransportError('closed', 'a transport is used for one connection only; make a new one')
      }
      const wire = new HttpWire(targetOf(this.#url), this.#limits, this.#tap)
      this.#started = { wire, receiver, reader: new HttpReader(wire.url, this.#limits, this.#tap, receiver) }
      this.#tap.record({ kind: 'life', direction: 'sent', bytes: NO_BYTES, event: 'opened', note: wire.url })
      resolve()
    })
  }

  async send(message: JsonRpcMessage, options: SendOptions = {}): Promise<void> {
    const started = this.#open()
    const { reader, receiver } = started
    const bytes = Buffer.from(JSON.stringify(message))
    if (bytes.length > this.#limits.messageBytes) {
      throw new TransportError(
        'limit',
        `the message has ${bytes.length} bytes; at most ${this.#limits.messageBytes} are sent (limit messageBytes)`,
      )
    }
    const isModern = options.revision !== undefined && revisionRow(options.revision)?.era === 'modern'
    const isInitialize = 'method' in message && message.method === 'initialize'
    if (isInitialize) this.#forgetSession()
    else if (!isModern) this.#legacyRevision = options.revision
    const session = isModern ? undefined : this.#sessionId
    const reply = await this.#exchange(started, {
      method: 'POST',
      headers: {
        ...this.#headers,
        'content-type': 'application/json',
        accept: `application/json, ${EVENT_STREAM}`,
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
        ...protocolHeaders(message, options.revision),
        ...options.headers,
      },
      message: { bytes, parsed: message },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const succeeded = reply.status >= 200 && reply.status < 300
    if (isInitialize && succeeded) this.#sessionId = reply.headers['mcp-session-id']
    if (!('method' in message) || !('id' in message)) return reader.nothing(reply)
    if (!succeeded) return reader.refusal(reply, message.id, session !== undefined)
    // The answer may take long; whoever sent the request hears of it through the receiver.
    void this.#readAnswer(started, reply, message.id, isModern, options.signal).catch((error: unknown) => {
      if (this.#end === undefined) receiver.requestFailed(message.id, this.#failed(started, reply, error))
    })
  }

  async sendRaw(bytes: Uint8Array, options: RawOptions = {}): Promise<RawOutcome> {
    const started = this.#open()
    const { method = 'POST', revision } = options
    const isModern = revision !== undefined && revisionRow(revision)?.era === 'modern'
    const reply = await this.#exchange(started, {
      method,
      headers: replaced(
        {
          ...this.#headers,
          'content-type': 'application/json',
          accept: `application/json, ${EVENT_STREAM}`,
          ...(isModern ? {} : this.#sessionHeaders()),
          ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
        },
        options.headers ?? {},
      ),
      raw: bytes,
    })
    void this.#readRaw(started, reply).catch((error: unknown) => {
      if (this.#end === undefined) this.#failed(started, reply, error)
    })
    return { httpStatus: reply.status, httpHeaders: reply.headers }
  }

  openStream(): void {
    const started = this.#open()
    this.#unasked?.abort()
    const unasked = new AbortController()
    this.#unasked = unasked
    void this.#followUnasked(started, unasked.signal)
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
    this.#aborted.abort()
    this.#unasked?.abort()
    if (this.#started === undefined) return
    const { wire, receiver } = this.#started
    wire.abortAll()
    if (session !== undefined) await this.#deleteSession(this.#started, session)
    await wire.destroy()
    this.#tap.record({ kind: 'life', direction: 'sent', bytes: NO_BYTES, event: 'closed', note: end.message })
    receiver.closed(end)
  }

  #open(): Started {
    if (this.#end !== undefined) throw this.#end
    if (this.#started === undefined) throw new TransportError('closed', 'the transport was not started')
    return this.#started
  }

  #exchange({ wire, reader, receiver }: Started, call: HttpCall): Promise<HttpReply> {
    const authorization = this.#authorization
    if (authorization === undefined) return wire.exchange(call)
    const hold = (): (() => void) => receiver.held?.() ?? nothing
    return authorizedExchange(call, { wire, reader, limits: this.#limits, authorization, hold })
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
    this.#unasked?.abort()
  }

  async #readAnswer(
    started: Started,
    reply: HttpReply,
    id: RequestId,
    isModern: boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { wire, reader } = started
    if (!isEventStream(reply)) return reader.answer(reply, id)
    reader.head(reply)
    let answered = false
    let linger: NodeJS.Timeout | undefined
    await followStream(reply, {
      url: wire.url,
      maxBytes: this.#limits.messageBytes,
      signal: AbortSignal.any(signal === undefined ? [this.#aborted.signal] : [this.#aborted.signal, signal]),
      isDone: () => answered,
      onEvent: (event, from) => {
        if (!isAnswerTo(reader.event(event, from), id)) return
        answered = true
        linger ??= setTimeout(() => from.giveUp(), LINGER_MS)
      },
      maxFailures: MAX_RESUME_FAILURES,
      ...(isModern ? {} : { resume: (lastEventId) => this.#get(started, lastEventId, signal) }),
    }).finally(() => clearTimeout(linger))
  }

  /** Everything that comes back for bytes that were sent as they are; a stream that is cut is not resumed. */
  async #readRaw({ wire, reader }: Started, reply: HttpReply): Promise<void> {
    if (!isEventStream(reply)) return reader.anything(reply)
    reader.head(reply)
    await followStream(reply, {
      url: wire.url,
      maxBytes: this.#limits.messageBytes,
      signal: this.#aborted.signal,
      isDone: () => true,
      onEvent: (event, from) => void reader.event(event, from),
      maxFailures: 0,
    })
  }

  /** Records why the body of a reply could not be read to its end, and gives the failure. */
  #failed({ wire }: Started, reply: HttpReply, error: unknown): TransportError {
    const failure = connectionFailure(error, wire.url, reply.afterMs)
    const { exchange, method, url } = reply.facts
    const http = { exchange, method, url, headers: {} }
    this.#tap.record({ kind: 'http', direction: 'received', bytes: Buffer.from(failure.message), http })
    return failure
  }

  /** The stream for what the server sends unasked. That there is none (405) is normal. */
  async #followUnasked(started: Started, signal: AbortSignal): Promise<void> {
    const resume = (lastEventId: string | undefined): Promise<HttpReply> =>
      this.#get(started, lastEventId, signal)
    try {
      await followStream(await resume(undefined), {
        url: started.wire.url,
        maxBytes: this.#limits.messageBytes,
        signal,
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
  async #get(started: Started, lastEventId: string | undefined, signal?: AbortSignal): Promise<HttpReply> {
    const { wire, reader } = started
    const reply = await this.#exchange(started, {
      method: 'GET',
      headers: {
        ...this.#headers,
        accept: EVENT_STREAM,
        ...this.#sessionHeaders(),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      ...(signal === undefined ? {} : { signal }),
    })
    reader.head(reply)
    if (reply.status === 200 && isEventStream(reply)) return reply
    throw statusFailure(refusedReply(reply, wire.url, await readBody(reply, wire.url, this.#limits)))
  }

  async #deleteSession(started: Started, session: string): Promise<void> {
    try {
      const reply = await this.#exchange(started, {
        method: 'DELETE',
        headers: { ...this.#headers, ...this.#sessionHeaders(), 'mcp-session-id': session },
        signal: AbortSignal.timeout(DELETE_TIMEOUT_MS),
      })
      started.reader.head(reply)
      reply.body.resume()
    } catch {
      // The session ends by itself in time; that it could not be ended now is on the tap.
    }
  }
}

function nothing(): void {}

/** Headers with some in place of others; null takes one away. */
function replaced(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const all = new Map(Object.entries(headers))
  for (const [name, value] of Object.entries(others)) {
    if (value === null) all.delete(name.toLowerCase())
    else all.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(all)
}

function isEventStream(reply: HttpReply): boolean {
  return reply.headers['content-type']?.trim().toLowerCase().startsWith(EVENT_STREAM) === true
}

function targetOf(url: string): URL {
  const target = URL.parse(url)
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) {
    throw new TransportError('connection-failed', `"${url}" is no http:// or https:// address`, { url })
  }
  if (target.username !== '' || target.password !== '') {
    const message = 'the address holds a user name or password; send them in an Authorization header instead'
    throw new TransportError('connection-failed', message, { url: target.origin })
  }
  return target
}
