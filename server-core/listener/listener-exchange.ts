import type { HttpRequest, HttpResponse } from './http-exchange.ts'
import type { ProtocolError } from '../protocol/errors.ts'
import type { RequestId } from '../protocol/messages.ts'
import { ANONYMOUS, type Admitted, type Refused } from '../ports/authorization-port.ts'
import type { RequestContext } from '../ports/server-port.ts'
import { NO_TAP, type HttpFacts, type Tap } from '../ports/tap.ts'

const NOTHING = new Uint8Array()
const NO_FIELDS = {}
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
/** What is known of an event without an id. */
const STREAMED = {}
/** Bodies up to so many bytes are handed over as text. */
const TEXT_BYTES = 16 * 1024
/** Milliseconds for which the rest of a refused body is read. */
const LINGER_MS = 1_000

/** Sockets that end with the stream on them. */
const ending = new WeakSet<object>()

/** Nothing more is served on that connection: its last response has begun (RFC 9112, 9.6). */
export function isAfterTheLast(request: HttpRequest): boolean {
  return ending.has(request.socket)
}

export type HeadFields = Readonly<Record<string, string>>

/** One HTTP request and its response, and the tap that sees both. */
export class ListenerExchange<
  Request extends HttpRequest = HttpRequest,
  Response extends HttpResponse = HttpResponse,
> {
  readonly request: Request
  readonly response: Response
  /** Headers that every response of this exchange carries. */
  readonly always: Record<string, string> = {}
  /** Who sent it, once that is known. */
  admitted: Admitted = ANONYMOUS
  /** The client sends the body only when it is asked to (RFC 9110, 10.1.1: 100-continue). */
  awaitsContinue = false
  readonly #number: number
  #tap: Tap | undefined
  #receivedSeen = false
  #streamedFacts: HttpFacts | undefined

  constructor(request: Request, response: Response, number: number, tap: Tap) {
    this.request = request
    this.response = response
    this.#number = number
    this.#tap = tap === NO_TAP ? undefined : tap
  }

  /** From now on this tap sees the exchange, which belongs to one client that is known now. */
  seenBy(tap: Tap): void {
    this.#tap = tap === NO_TAP ? undefined : tap
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }

  /** Headers in lower case; only where they are needed, as most requests need none of them by name. */
  headers(): Readonly<Record<string, string>> {
    return this.request.headers as Readonly<Record<string, string>>
  }

  /** What handlers get: not the received token, which is for this server alone (Authorization: token passthrough). */
  requestContext(): RequestContext {
    const { principal } = this.admitted
    const headers = withoutCredentials(this.headers())
    const peer = this.request.socket
    return principal === undefined ? { headers, peer } : { headers, principal, peer }
  }

  sawMessage(bytes: Uint8Array, parsed: unknown): void {
    this.#receivedSeen = true
    this.#tap?.record({ kind: 'message', direction: 'received', bytes, parsed, http: this.#requestFacts() })
  }

  sawInvalid(bytes: Uint8Array, reason: string): void {
    this.#receivedSeen = true
    this.#tap?.record({ kind: 'invalid', direction: 'received', bytes, reason, http: this.#requestFacts() })
  }

  /** Answers with a whole body that is one JSON-RPC message. */
  sendMessage(status: number, bytes: Uint8Array, fields: HeadFields = {}): void {
    this.beginMessage(status, bytes, fields)
    // As text a short body goes out in one write with the head; latin1 keeps every byte as it is.
    if (bytes.length <= TEXT_BYTES) this.response.end(asText(bytes), 'latin1')
    else this.response.end(bytes)
  }

  /** Writes the head of such an answer; the caller writes the body. */
  beginMessage(status: number, bytes: Uint8Array, fields: HeadFields = {}): void {
    const head = {
      ...this.always,
      ...fields,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }
    this.#sent(status, head, bytes)
    this.response.writeHead(status, head)
  }

  /** Answers with an error of JSON-RPC; without an `id` member where `id` is undefined. */
  sendError(status: number, error: ProtocolError, id?: RequestId | null, fields?: HeadFields): void {
    this.sendMessage(status, errorBytes(error, id), fields)
  }

  /** Answers what may come again in so many milliseconds. */
  sendBusy(status: 429 | 503, error: ProtocolError, id?: RequestId, retryAfterMs = 1_000): void {
    this.sendError(status, error, id, { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) })
  }

  /** Answers what may not come in. */
  refuse({ status, reason, headers }: Refused): void {
    this.sendPlain(status, reason, headers)
  }

  /** Answers with a JSON document that is not a message. */
  sendDocument(json: string): void {
    const body = Buffer.from(json)
    const head = {
      ...this.always,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': 'max-age=300',
    }
    this.#sent(200, head, undefined)
    this.response.writeHead(200, head)
    this.response.end(body)
  }

  /** Answers before JSON-RPC begins: a plain sentence, or nothing. */
  sendPlain(status: number, text: string, fields: HeadFields = {}): void {
    // As a string it goes out with the head, in one piece.
    const body = text === '' ? '' : `${text}\n`
    const head = {
      ...this.always,
      ...fields,
      ...(body === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
      'content-length': String(Buffer.byteLength(body)),
    }
    this.#sent(status, head, undefined)
    this.response.writeHead(status, head)
    this.response.end(body)
  }

  /**
   * Answers a request that is not read to its end. What the client is still sending is thrown away for a while, so
   * that it gets to read the answer instead of a reset.
   */
  sendErrorUnread(status: number, error: ProtocolError): void {
    const body = errorBytes(error)
    const head = {
      ...this.always,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(body.length),
    }
    const { request, response } = this
    this.#sent(status, head, body)
    response.writeHead(status, head)
    response.write(body)
    const end = () => {
      clearTimeout(timer)
      response.end()
    }
    const timer = setTimeout(end, LINGER_MS)
    if ('body' in request) end()
    else request.on('end', end).on('close', end).resume()
  }

  /** Sends the head of such an answer and half of its body, and breaks the connection. */
  cutMessage(status: number, bytes: Uint8Array, fields: HeadFields = {}): void {
    const head = {
      ...this.always,
      ...fields,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }
    this.#sent(status, head, undefined)
    this.response.writeHead(status, head)
    this.breakAfterReply(bytes.subarray(0, bytes.length / 2))
  }

  /** Writes bytes and breaks the connection behind them. */
  breakAfterReply(bytes: Uint8Array): void {
    const reason = 'broken off by a fault'
    this.#tap?.record({ kind: 'invalid', direction: 'sent', bytes, reason, http: this.#requestFacts() })
    this.response.write(bytes, () => {
      this.response.destroy()
    })
  }

  /** Breaks the connection behind what was written on it. */
  breakSoon(): void {
    // What was written in this turn goes out at its end.
    setImmediate(() => {
      this.response.destroy()
    })
  }

  /** A fault was made on purpose. */
  sawFault(note: string): void {
    this.#tap?.record({
      kind: 'fault',
      direction: 'sent',
      bytes: Buffer.from(note),
      http: this.#requestFacts(),
    })
  }

  /** Answers with a status that a fault sets. */
  refuseByFault(status: number, retryAfter: number | undefined): void {
    this.sawFault(`status: answered with HTTP ${status}`)
    const fields = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    this.sendPlain(status, 'A fault that was made on purpose', fields)
  }

  /** Cuts off a reader that does not read. */
  cutOff(reason: string): void {
    const { method = '', url = '' } = this.request
    this.#tap?.record({
      kind: 'http',
      direction: 'sent',
      bytes: Buffer.from(`The reader was cut off: ${reason}`),
      http: { exchange: this.#number, method, url, headers: {} },
    })
    this.response.destroy()
  }

  /** The connection became something else than HTTP. */
  switched(head: HeadFields): void {
    this.#sent(101, head, undefined)
  }

  /** Begins a stream of events. One that `lasts` is open for as long as its client likes; others end with an answer. */
  beginStream(lasts: boolean, fields: HeadFields = {}): HeadFields {
    const { response } = this
    // A stream that lasts ends with its connection, so that each event is written as it is, without chunks around it.
    if (lasts) response.removeHeader('transfer-encoding')
    const head = {
      ...this.always,
      ...fields,
      ...(lasts && { connection: 'close' }),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    }
    response.writeHead(200, head)
    response.flushHeaders()
    if (lasts) {
      ending.add(this.request.socket)
      this.#forgetRequestHead()
    }
    return head
  }

  /** The head of a request whose stream lasts would stay in memory for as long. */
  #forgetRequestHead(): void {
    this.#sawRequest()
    this.request.headers = NO_FIELDS
    this.request.rawHeaders = []
  }

  /** A message, or the opening (no bytes), went out on the stream that `beginStream` gave the head of. */
  sawEvent(head: HeadFields, bytes: Uint8Array | undefined, id: string | undefined): void {
    this.#sent(200, head, bytes, id === undefined ? STREAMED : { id })
  }

  #sent(
    status: number,
    head: HeadFields,
    bytes: Uint8Array | undefined,
    event?: { readonly id?: string },
  ): void {
    if (this.#tap === undefined) return
    this.#sawRequest()
    const http = this.#responseFacts(status, head, event)
    this.#tap.record(
      bytes === undefined
        ? { kind: 'http', direction: 'sent', bytes: NOTHING, http }
        : { kind: 'message', direction: 'sent', bytes, http },
    )
  }

  /** A request without a message is seen as soon as something is answered. */
  #sawRequest(): void {
    if (this.#receivedSeen) return
    this.#receivedSeen = true
    this.#tap?.record({ kind: 'http', direction: 'received', bytes: NOTHING, http: this.#requestFacts() })
  }

  #responseFacts(status: number, head: HeadFields, event: { readonly id?: string } | undefined): HttpFacts {
    // The events of a stream that have no id are alike.
    if (event === STREAMED && this.#streamedFacts?.headers === head) return this.#streamedFacts
    const { method = '', url = '' } = this.request
    const facts = { exchange: this.#number, method, url, status, headers: head }
    if (event === undefined) return facts
    const streamed = { ...facts, event }
    if (event === STREAMED) this.#streamedFacts = streamed
    return streamed
  }

  #requestFacts(): HttpFacts {
    const { method = '', url = '' } = this.request
    return { exchange: this.#number, method, url, headers: this.headers() }
  }
}

function errorBytes(error: ProtocolError, id?: RequestId | null): Buffer {
  return Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: error.toBody() }),
  )
}

/** Handlers learn who calls, never by which secret. */
function withoutCredentials(headers: HeadFields): HeadFields {
  if (!CREDENTIALS.some((name) => name in headers)) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.includes(name)))
}

function asText(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('latin1')
}
