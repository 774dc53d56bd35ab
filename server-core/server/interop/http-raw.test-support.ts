import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { JsonObject } from '../../protocol/json.ts'
import { SseParser, type SseEvent } from '../../transports/http/sse-codec.ts'
import { envelope } from '../raw-client.test-support.ts'

export type Sent = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A response as it came, while it comes. */
export class RawResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly events: SseEvent[] = []
  /** Resolves when the response is over, whole or cut. */
  readonly ended: Promise<void>
  readonly #message: IncomingMessage
  #text = ''
  readonly #waiting = new Set<() => void>()

  constructor(message: IncomingMessage) {
    this.#message = message
    this.status = message.statusCode ?? 0
    this.headers = message.headers
    const parser = new SseParser(10_000_000, (event) => this.events.push(event))
    const stream = message.headers['content-type'] === 'text/event-stream'
    message.on('data', (chunk: Buffer) => {
      if (stream) parser.push(chunk)
      else this.#text += chunk.toString()
      this.#wake()
    })
    message.on('error', () => undefined)
    this.ended = new Promise((resolve) => message.on('close', resolve))
    void this.ended.then(() => {
      this.#wake()
    })
  }

  /** The body, once it is whole: JSON, or the text. */
  async body(): Promise<JsonObject & { readonly text?: string }> {
    await this.ended
    try {
      return JSON.parse(this.#text) as JsonObject
    } catch {
      return { text: this.#text }
    }
  }

  /** The messages of the stream so far. */
  get messages(): JsonObject[] {
    return this.events.flatMap(({ name, data }) =>
      name !== 'message' || data === undefined || data.length === 0
        ? []
        : [JSON.parse(data.toString()) as JsonObject],
    )
  }

  /** Resolves with the first message of the stream that fits; rejects if the stream ends before. */
  async seen(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found !== undefined) return found
      if (this.#message.closed) throw new Error(`the stream ended with ${JSON.stringify(this.messages)}`)
      await this.#change()
    }
  }

  /** Resolves when that is so; rejects if the response ends before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#message.closed) throw new Error(`the response ended with ${this.events.length} events`)
      await this.#change()
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  /** Reads nothing more for now. */
  pause(): void {
    this.#message.pause()
  }

  drop(): void {
    this.#message.destroy()
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Sends exactly that, on a connection of its own. */
export function exchange(url: string, sent: Sent): Promise<RawResponse> {
  const { method = 'POST', headers = {}, body } = sent
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers: { ...(body === undefined ? {} : JSON_HEADERS), ...headers }, agent: new Agent() },
      (message) => {
        resolve(new RawResponse(message))
      },
    )
    request.on('error', reject)
    request.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
  })
}

export type ModernCall = {
  readonly id?: string | number
  readonly capabilities?: JsonObject
  readonly meta?: JsonObject
  readonly headers?: Record<string, string>
}

/** A request of 2026-07-28 with all that belongs to it. */
export function modern(url: string, method: string, params: JsonObject = {}, call: ModernCall = {}) {
  const name = params['name'] ?? params['uri']
  return exchange(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...call.headers,
    },
    body: {
      jsonrpc: '2.0',
      id: call.id ?? 1,
      method,
      params: { ...params, _meta: envelope(call.capabilities, call.meta) },
    },
  })
}

/** A session, of 2025-11-25 unless told otherwise: what it sends carries the session's headers. */
export async function openSession(
  url: string,
  capabilities: JsonObject = {},
  headers: Record<string, string> = {},
  protocolVersion = '2025-11-25',
) {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } }
  const opened = await exchange(url, {
    headers,
    body: { jsonrpc: '2.0', id: 0, method: 'initialize', params },
  })
  const id = opened.headers['mcp-session-id']
  if (typeof id !== 'string')
    throw new Error(`no session: ${opened.status} ${JSON.stringify(await opened.body())}`)
  const own = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion }
  const post = (body: unknown) => exchange(url, { headers: own, body })
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    id,
    opened,
    headers: own,
    post,
    request: (requestId: string | number, method: string, sent?: JsonObject) =>
      post({ jsonrpc: '2.0', id: requestId, method, ...(sent === undefined ? {} : { params: sent }) }),
    listen: (more: Record<string, string> = {}) =>
      exchange(url, { method: 'GET', headers: { accept: 'text/event-stream', ...own, ...more } }),
    end: () => exchange(url, { method: 'DELETE', headers: own }),
  }
}
