import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcErrorBody, RequestId } from '../protocol/messages.ts'
import type { Registry } from '../registry/registry.ts'
import type { ClientTransport } from '../ports/contract.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import type { Attachment } from '../ports/server-port.ts'
import type { McpServer, ServerOptions } from './server.ts'
import { createServer } from './server.ts'

/** An answer as it came. */
export type Reply = {
  readonly id?: RequestId
  readonly result?: JsonObject
  readonly error?: JsonRpcErrorBody
}

/**
 * A client that knows nothing: it sends what it is given and shows what comes, so that tests see the wire. Requests
 * of the server are answered by `answer`, if it is there.
 */
export class RawClient {
  readonly messages: JsonObject[] = []
  /** JSON-RPC arrays as they came; their messages are among `messages` too. */
  readonly arrays: (readonly JsonObject[])[] = []
  answer: ((request: JsonObject) => JsonObject | undefined) | undefined
  readonly #transport: ClientTransport
  readonly #waiting: {
    readonly until: (message: JsonObject) => boolean
    readonly done: (m: JsonObject) => void
  }[] = []
  readonly closed: Promise<void>
  #nextId = 1

  private constructor(transport: ClientTransport, closed: Promise<void>) {
    this.#transport = transport
    this.closed = closed
  }

  static async open(transport: ClientTransport): Promise<RawClient> {
    const closed = Promise.withResolvers<void>()
    const client = new RawClient(transport, closed.promise)
    await transport.start({
      message: ({ value }) => {
        if (isJsonObject(value)) client.#take(value)
        else if (Array.isArray(value)) client.#takeArray(value.filter(isJsonObject))
      },
      invalid: (_bytes, reason) => {
        throw new Error(reason)
      },
      requestFailed: (_id, error) => {
        throw error
      },
      closed: () => {
        closed.resolve()
      },
    })
    return client
  }

  /** Resolves with the first message, past or to come, that fits. */
  seen(until: (message: JsonObject) => boolean): Promise<JsonObject> {
    const past = this.messages.find(until)
    if (past !== undefined) return Promise.resolve(past)
    return new Promise((done) => this.#waiting.push({ until, done }))
  }

  notifications(method: string): JsonObject[] {
    return this.messages.filter((message) => message['method'] === method && !('id' in message))
  }

  async send(message: JsonObject): Promise<void> {
    await this.#transport.send(message as never)
  }

  /** Sends a request with a fresh id (or that one) and gives the answer to it. */
  async request(method: string, params?: JsonObject, id: RequestId = this.#nextId++): Promise<Reply> {
    const already = this.messages.length
    await this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
    return this.seen(
      (message) =>
        message['id'] === id && this.messages.indexOf(message) >= already && !('method' in message),
    )
  }

  async initialize(capabilities: JsonObject = {}, protocolVersion = '2025-11-25'): Promise<Reply> {
    const reply = await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'raw', version: '1' },
    })
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return reply
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  #takeArray(messages: readonly JsonObject[]): void {
    this.arrays.push(messages)
    for (const message of messages) this.#take(message)
  }

  #take(message: JsonObject): void {
    this.messages.push(message)
    for (const waiting of [...this.#waiting]) {
      if (!waiting.until(message)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.done(message)
    }
    if (!('method' in message) || !('id' in message)) return
    const result = this.answer?.(message)
    if (result !== undefined) void this.send({ jsonrpc: '2.0', id: message['id'], ...result })
  }
}

/** `_meta` of a modern request. */
export function envelope(capabilities: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    ...more,
  }
}

export type Served = {
  readonly server: McpServer
  readonly client: RawClient
  readonly attachment: Attachment
}

/** A server of that registry and a client connected to it in memory. */
export async function serveRegistry(
  registry: Registry,
  options: Partial<ServerOptions> = {},
): Promise<Served> {
  const server = createServer({ registry, info: { name: 'test', version: '1' }, ...options })
  return { server, ...(await connectTo(server)) }
}

/** One more connection to a running server, with a client that sends only what the test passes. */
export async function connectTo(server: McpServer): Promise<Omit<Served, 'server'>> {
  const pair = memoryPair()
  const attachment = server.attach(pair.server)
  return { attachment, client: await RawClient.open(pair.client) }
}
