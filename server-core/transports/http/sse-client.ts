import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
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
  type TransportErrorCode,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { encodeMessage } from '../../ports/encode-message.ts'
import { Flight } from './flight.ts'
import { EVENT_STREAM, type HttpReply } from './http-exchange.ts'
import { connectionFailure, replyFailure } from './http-failure.ts'
import { HttpReader } from './http-reader.ts'
import { HttpWire, refusedReply, type HttpCall } from './http-wire.ts'
import { networkTarget } from './network-target.ts'
import { SseParser, type SseEvent } from './sse-codec.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'

export type SseOptions = {
  /** The address of the event stream, often ending in /sse. */
  readonly url: string
  /** Sent with every request; the headers of the protocol win over them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: ClientAuthorization
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Milliseconds until the server has named its endpoint; 10,000 unless told. */
  readonly openTimeoutMs?: number
}

const OPEN_TIMEOUT_MS = 10_000
const NO_BYTES = new Uint8Array()

/**
 * A server of the older HTTP+SSE (2024-11-05, transports: HTTP with SSE; deprecated): one event stream brings the
 * endpoint and every message, and what is sent is posted to that endpoint. The session ends with the stream: nothing
 * resumes it, and a new one needs a new handshake, so the transport ends too.
 */
export function sseTransport(options: SseOptions): ClientTransport {
  return new SseClient(options)
}

type Started = {
  readonly wire: HttpWire
  readonly reader: HttpReader
  readonly receiver: ClientReceiver
  readonly exchange: (call: HttpCall) => Promise<HttpReply>
}

class SseClient implements ClientTransport {
  readonly kind = 'sse'
  readonly #options: SseOptions
  readonly #headers: Readonly<Record<string, string>>
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #stream = new Flight()
  readonly #endpoint = Promise.withResolvers<URL>()
  readonly #startedAt = performance.now()
  #started: Started | undefined
  #path: string | undefined
  #end: TransportError | undefined
  #ended: Promise<void> | undefined

  constructor(options: SseOptions) {
    this.#options = options
    this.#headers = lowerCased(options.headers)
    this.#limits = limitsOf(options.limits)
    this.#tap = options.tap ?? NO_TAP
    this.#endpoint.promise.catch(() => undefined)
  }

  async start(receiver: ClientReceiver): Promise<void> {
    if (this.#started !== undefined || this.#end !== undefined) {
      throw new TransportError('closed', 'a transport is used for one connection only; make a new one')
    }
    const { url, authorization } = this.#options
    const wire = new HttpWire(networkTarget(url, ['http:', 'https:']), this.#limits, this.#tap)
    const clock = new OpeningClock(this.#options.openTimeoutMs ?? OPEN_TIMEOUT_MS, (error) => {
      this.#endpoint.reject(new TransportError('connection-failed', error, this.evidence()))
    })
    const waiting: ClientReceiver = {
      message: (incoming) => receiver.message(incoming),
      invalid: (bytes, reason) => receiver.invalid(bytes, reason),
      requestFailed: (id, error) => receiver.requestFailed(id, error),
      closed: (error) => receiver.closed(error),
      held: () => {
        const release = receiver.held?.()
        clock.stop()
        return () => {
          if (this.#path === undefined) clock.start()
          release?.()
        }
      },
    }
    const reader = new HttpReader(this.#limits, this.#tap, waiting)
    const exchange = exchangeOver(wire, this.#tap, waiting, authorization)
    const started = { wire, reader, receiver, exchange }
    this.#started = started
    clock.start()
    this.#lifecycle('opened', wire.url)
    try {
      this.#open(started).catch((error: unknown) => this.#endpoint.reject(error))
      const endpoint = await this.#endpoint.promise
      this.#path = `${endpoint.pathname}${endpoint.search}`
    } catch (cause) {
      const error = connectionFailure(cause, wire.url, this.#afterMs())
      await this.#finish(error, false)
      throw error
    } finally {
      clock.stop()
    }
  }

  async send(message: JsonRpcMessage, { revision, headers }: SendOptions = {}): Promise<void> {
    const bytes = encodeMessage(message, this.#limits)
    await this.#post({
      method: 'POST',
      headers: { ...this.#postHeaders(revision), ...headers },
      message: { bytes, parsed: message },
    }).then(({ reader, reply }) => reader.nothing(reply))
  }

  async sendRaw(raw: Uint8Array, options: RawOptions = {}): Promise<RawOutcome> {
    const headers = replaced(this.#postHeaders(options.revision), options.headers)
    const { reader, reply } = await this.#post({ method: options.method ?? 'POST', headers, raw })
    reply.stream?.giveUp()
    reader.anything(reply)
    return { httpStatus: reply.status, httpHeaders: reply.headers }
  }

  close(): Promise<void> {
    return this.#finish(new TransportError('closed', 'the connection was closed', this.evidence()))
  }

  evidence(): TransportEvidence {
    return { url: this.#started?.wire.url ?? this.#options.url }
  }

  async #post(call: HttpCall): Promise<{ readonly reader: HttpReader; readonly reply: HttpReply }> {
    if (this.#end !== undefined) throw this.#end
    if (this.#started === undefined || this.#path === undefined)
      throw new TransportError('closed', 'the transport was not started')
    const { reader, exchange } = this.#started
    return { reader, reply: await exchange({ ...call, path: this.#path }) }
  }

  /** Revisions before 2025-06-18 know no version header. */
  #postHeaders(revision: string | undefined): Record<string, string> {
    const isNamed = revision !== undefined && revisionRow(revision)?.versionHeader !== 'none'
    return {
      ...this.#headers,
      'content-type': 'application/json',
      ...(isNamed ? { 'mcp-protocol-version': revision } : {}),
    }
  }

  /** Opens the stream and reads it to its end, which is the end of everything. */
  async #open({ reader, exchange }: Started): Promise<void> {
    const headers = { ...this.#headers, accept: EVENT_STREAM }
    const reply = await exchange({ method: 'GET', headers, flight: this.#stream })
    reader.head(reply)
    if (reply.stream === undefined) {
      if (reply.status < 200 || reply.status >= 300) throw reader.failure(reply)
      const type = reply.headers['content-type'] ?? 'no content type'
      const message = `expected the event stream of HTTP+SSE, got HTTP ${reply.status} with ${type}`
      throw replyFailure('not-mcp', message, refusedReply(reply))
    }
    const parser = new SseParser(this.#limits.messageBytes, (event) => this.#event(event, reply))
    try {
      await reply.stream.read((chunk) => parser.push(chunk))
      this.#lost('connection-failed', 'the server ended the event stream, and with it the session')
    } catch (cause) {
      const { code, message, evidence } = connectionFailure(cause, reply.url, this.#afterMs())
      this.#lost(code, `the event stream was lost, and with it the session: ${message}`, evidence, cause)
    }
  }

  #event(event: SseEvent, reply: HttpReply): void {
    if (event.name !== 'endpoint') {
      this.#started?.reader.event(event, reply)
      return
    }
    const { data = NO_BYTES, ...fields } = event
    const http = { ...reply.facts, event: fields }
    this.#tap.record({ kind: 'http', direction: 'received', bytes: data, http })
    const named = Buffer.from(data).toString()
    const endpoint = URL.parse(named, reply.url)
    if (endpoint?.origin === new URL(reply.url).origin) this.#endpoint.resolve(endpoint)
    else {
      const message =
        endpoint === null
          ? `the server names "${named}" as its endpoint, which is not an address`
          : `the server names an endpoint on another origin (${endpoint.origin}); nothing is sent there`
      this.#endpoint.reject(replyFailure('not-mcp', message, refusedReply(reply)))
    }
  }

  #lost(
    code: TransportErrorCode,
    message: string,
    evidence: TransportEvidence = this.evidence(),
    cause?: unknown,
  ): void {
    const error = new TransportError(code, message, evidence, cause === undefined ? {} : { cause })
    // While it is still being opened, that fails; no connection was reported yet.
    this.#endpoint.reject(error)
    if (this.#path !== undefined) void this.#finish(error)
  }

  /** Ends everything and tells it once. */
  #finish(error: TransportError, isOpen = this.#path !== undefined): Promise<void> {
    this.#ended ??= (async () => {
      this.#end = error
      this.#endpoint.reject(error)
      this.#stream.abandon()
      if (this.#started === undefined) return
      const { wire, receiver } = this.#started
      await wire.destroy()
      this.#lifecycle('closed', error.message, error.code === 'closed' ? 'sent' : 'received')
      if (isOpen) receiver.closed(error)
    })()
    return this.#ended
  }

  #lifecycle(event: 'opened' | 'closed', note: string, direction: 'sent' | 'received' = 'sent'): void {
    this.#tap.record({ kind: 'lifecycle', direction, bytes: NO_BYTES, event, note })
  }

  #afterMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

/** How long the opening may take; it stands still while a person is asked for authorization. */
class OpeningClock {
  readonly #milliseconds: number
  readonly #onPassed: (reason: string) => void
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, onPassed: (reason: string) => void) {
    this.#milliseconds = milliseconds
    this.#onPassed = onPassed
  }

  start(): void {
    this.stop()
    const reason = `the server named no endpoint on its event stream within ${this.#milliseconds} ms`
    this.#timer = setTimeout(() => this.#onPassed(reason), this.#milliseconds)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
