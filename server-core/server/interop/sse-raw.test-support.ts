import type { JsonObject } from '../../protocol/json.ts'
import { exchange, type RawResponse } from './http-raw.test-support.ts'

/** A client of HTTP+SSE that does nothing by itself: its stream, and a way to post. */
export class RawSse {
  readonly stream: RawResponse
  /** Where the server said that messages go. */
  readonly endpoint: string

  private constructor(stream: RawResponse, endpoint: string) {
    this.stream = stream
    this.endpoint = endpoint
  }

  /** Opens the stream and waits for the endpoint event. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<RawSse> {
    const stream = await exchange(url, {
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers },
    })
    if (stream.status !== 200) throw new Error(`no stream: ${stream.status}`)
    await stream.until(() => stream.events.length > 0)
    const [first] = stream.events
    if (first?.name !== 'endpoint') throw new Error(`expected an endpoint event first, got ${first?.name}`)
    return new RawSse(stream, new URL(String(first.data), url).href)
  }

  get id(): string {
    return new URL(this.endpoint).searchParams.get('sessionId') ?? ''
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<RawResponse> {
    return exchange(this.endpoint, { headers: { accept: '*/*', ...headers }, body })
  }

  /** Posts a request, and gives the answer that comes on the stream. */
  async request(id: string | number, method: string, params: JsonObject = {}): Promise<JsonObject> {
    await this.post({ jsonrpc: '2.0', id, method, params })
    return this.stream.seen((message) => message['id'] === id && !('method' in message))
  }

  async initialize(protocolVersion = '2024-11-05', capabilities: JsonObject = {}): Promise<JsonObject> {
    const clientInfo = { name: 'raw', version: '1' }
    const answer = await this.request('init', 'initialize', { protocolVersion, capabilities, clientInfo })
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return answer
  }

  drop(): void {
    this.stream.drop()
  }
}
