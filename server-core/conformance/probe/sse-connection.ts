import { Stopped } from '../examination.ts'
import { ProbeConnection, type SendOptions, type Sent } from './connection.ts'
import { HttpExchange } from './http-exchange.ts'
import type { HttpParts } from './http-connection.ts'
import type { RawHttpRequest } from './http-request.ts'

/** HTTP+SSE (2024-11-05): messages are posted, answers come on one stream. */
export class SseConnection extends ProbeConnection {
  readonly transport = 'sse'
  /** Where messages are posted, as the endpoint event says. */
  endpoint = ''
  stream: HttpExchange | undefined
  readonly exchanges: HttpExchange[] = []
  readonly #parts: HttpParts

  constructor(parts: HttpParts) {
    super('sse', parts)
    this.#parts = parts
  }

  get url(): string {
    return this.#parts.url
  }

  /** Sends any HTTP request, to the endpoint of messages unless it has a URL. */
  http(request: Partial<RawHttpRequest> & { readonly method: string }): HttpExchange {
    const headers = { ...this.#parts.headers, ...this.options.headers, ...request.headers }
    return this.#exchange({ url: this.endpoint, ...request, headers })
  }

  async open(): Promise<void> {
    const stream = this.http({ method: 'GET', url: this.url, headers: { accept: 'text/event-stream' } })
    this.stream = stream
    void stream.ended.then((reason) => {
      this.ended(reason ?? 'the event stream ended')
    })
    const { answerMs } = this.parts.waits()
    for (const until = performance.now() + answerMs; performance.now() < until;) {
      const event = stream.events.find(({ name }) => name === 'endpoint')
      if (event?.data !== undefined) {
        this.endpoint = new URL(event.data.toString(), this.url).href
        return
      }
      if (stream.isEnded) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const status = stream.response?.status
    throw new Stopped('inconclusive', `expected an endpoint event, got ${status ?? 'no response'}`)
  }

  close(): Promise<void> {
    for (const exchange of this.exchanges) exchange.close()
    this.ended('closed by the probe')
    return Promise.resolve()
  }

  protected write(bytes: Uint8Array, _message: unknown, options: SendOptions): Promise<Sent> {
    const exchange = this.http({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: bytes,
      ...(options.splitAt !== undefined && { chunksAt: options.splitAt }),
    })
    const frame = exchange.requestFrame
    if (frame === undefined) throw new TypeError('an exchange records its request')
    return Promise.resolve({ frame, exchange })
  }

  /** An accepted POST is answered on the stream. */
  protected override async exchangeOver(exchange: HttpExchange): Promise<void> {
    await exchange.ended
    const status = exchange.response?.status
    if (status !== undefined && status < 300) await this.closed
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
}
