import { headerParametersOf, mirroredHeaders } from '../../protocol/header-parameters.ts'
import { encodeHeaderValue } from '../../protocol/header-value.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { Outcome } from './outcome.ts'
import { ProbeConnection, type ConnectionParts, type SendOptions, type Sent } from './connection.ts'
import { HttpExchange } from './http-exchange.ts'
import type { RawHttpRequest } from './http-request.ts'

/** The member of the parameters that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}
const ACCEPT = 'application/json, text/event-stream'

export type HttpParts = ConnectionParts & {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The input schema of a listed tool, for headers that repeat arguments. */
  readonly inputSchema: (tool: string) => JsonObject | undefined
}

/** Streamable HTTP: each message is a POST of its own; both eras. */
export class HttpConnection extends ProbeConnection {
  readonly transport = 'http'
  /** The `Mcp-Session-Id` of the server, if it issues one. */
  sessionId: string | undefined
  /** The GET stream, once it is open. */
  stream: HttpExchange | undefined
  /** Every exchange so far. */
  readonly exchanges: HttpExchange[] = []
  readonly #parts: HttpParts

  constructor(parts: HttpParts) {
    super('http', parts)
    this.#parts = parts
  }

  get url(): string {
    return this.#parts.url
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  /** Sends any HTTP request. Nothing is added but Host, Content-Length, Connection and configured headers. */
  http(request: Partial<RawHttpRequest> & { readonly method: string }): HttpExchange {
    const headers = { ...this.#parts.headers, ...this.options.headers, ...request.headers }
    return this.#exchange({ url: this.url, ...request, headers })
  }

  /** The headers that belong to a message of the revision. */
  headersFor(message: unknown): Record<string, string> {
    const row = revisionRow(this.revision)
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: ACCEPT }
    if (this.isModern) return { ...headers, ...this.#modernHeaders(message) }
    if (this.sessionId !== undefined) headers['mcp-session-id'] = this.sessionId
    const isInitialize = isJsonObject(message) && message['method'] === 'initialize'
    if (row?.versionHeader !== 'none' && !isInitialize) headers['mcp-protocol-version'] = this.revision
    return headers
  }

  override async handshake(): Promise<Outcome | undefined> {
    return super.handshake()
  }

  override async afterInitialize(): Promise<void> {
    const { exchange } = await this.notify('notifications/initialized')
    await exchange?.ended
    if (this.options.stream !== false) await this.openStream()
  }

  /** Opens the GET stream for what the server sends by itself; resolves with its exchange. */
  async openStream(headers: SendOptions['headers'] = {}): Promise<HttpExchange> {
    const exchange = this.http({
      method: 'GET',
      headers: { ...this.#sessionHeaders(), accept: 'text/event-stream', ...headers },
    })
    this.stream = exchange
    await exchange.head
    return exchange
  }

  /** Ends the session by DELETE and resolves with the exchange. */
  async deleteSession(headers: SendOptions['headers'] = {}): Promise<HttpExchange> {
    const exchange = this.http({ method: 'DELETE', headers: { ...this.#sessionHeaders(), ...headers } })
    await exchange.ended
    return exchange
  }

  async close(): Promise<void> {
    if (this.sessionId !== undefined) {
      const { ended } = this.http({ method: 'DELETE', headers: this.#sessionHeaders() })
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))])
    }
    for (const exchange of this.exchanges) exchange.close()
    this.ended('closed by the probe')
  }

  protected async write(bytes: Uint8Array, message: unknown, options: SendOptions): Promise<Sent> {
    const exchange = this.http({
      method: 'POST',
      headers: { ...this.headersFor(message), ...options.headers },
      body: bytes,
      ...(options.splitAt !== undefined && { chunksAt: options.splitAt }),
    })
    if (isJsonObject(message) && message['method'] === 'initialize') {
      const head = await Promise.race([
        exchange.head,
        new Promise<undefined>((resolve) => setTimeout(resolve, this.parts.waits().answerMs, undefined)),
      ])
      this.sessionId = head?.headers['mcp-session-id'] ?? this.sessionId
    }
    const frame = exchange.requestFrame
    if (frame === undefined) throw new TypeError('an exchange records its request')
    return { frame, exchange }
  }

  /** A stream that ends after an event with an id may go on by GET (2025-11-25). */
  protected override async exchangeOver(exchange: HttpExchange): Promise<void> {
    const reason = await exchange.ended
    const id = exchange.events.findLast((event) => event.id !== undefined)?.id
    const isAnswered = exchange.events.some(({ frame }) => frame !== undefined && hasResponse(frame.value))
    if (reason !== undefined || id === undefined || isAnswered || this.isModern) return
    const retry = exchange.events.findLast((event) => event.retry !== undefined)?.retry ?? 0
    await new Promise((resolve) => setTimeout(resolve, Math.min(retry, 1_000)))
    const resumed = this.http({
      method: 'GET',
      headers: { ...this.#sessionHeaders(), accept: 'text/event-stream', 'last-event-id': id },
    })
    await this.exchangeOver(resumed)
  }

  #exchange(request: RawHttpRequest): HttpExchange {
    const exchange = new HttpExchange(request, {
      inbox: this.inbox,
      log: this.parts.log,
      connection: this.captured,
      number: this.exchanges.length + 1,
    })
    this.exchanges.push(exchange)
    return exchange
  }

  #sessionHeaders(): Record<string, string> {
    const { 'content-type': _, ...headers } = this.headersFor(undefined)
    return headers
  }

  #modernHeaders(message: unknown): Record<string, string> {
    const headers: Record<string, string> = { 'mcp-protocol-version': this.options.revision ?? this.revision }
    if (!isJsonObject(message)) return headers
    const { method, params } = message
    if (typeof method !== 'string') return headers
    headers['mcp-method'] = method
    if (!isJsonObject(params)) return headers
    const version = isJsonObject(params['_meta']) ? params['_meta'][MetaKey.protocolVersion] : undefined
    if (typeof version === 'string') headers['mcp-protocol-version'] = version
    const named = Object.hasOwn(NAMED, method) ? params[NAMED[method] ?? ''] : undefined
    if (typeof named === 'string') headers['mcp-name'] = encodeHeaderValue(named)
    if (method !== 'tools/call' || typeof named !== 'string') return headers
    const schema = this.#parts.inputSchema(named)
    const mirrored = schema === undefined ? undefined : headerParametersOf(schema)
    return mirrored?.ok === true
      ? { ...headers, ...mirroredHeaders(mirrored.parameters, params['arguments']) }
      : headers
  }
}

function hasResponse(value: unknown): boolean {
  const messages = Array.isArray(value) ? (value as unknown[]) : [value]
  return messages.some((message) => isJsonObject(message) && message['method'] === undefined)
}
