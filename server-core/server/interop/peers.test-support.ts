import { leftOpen } from '../../left-open.test-support.ts'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { JsonObject } from '../../protocol/json.ts'
import { encodeHeaderValue } from '../../protocol/header-value.ts'
import { DEFAULT_LIMITS, type Limits } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { stdioServerLink } from '../../transports/stdio/stdio-server.ts'
import { envelope } from '../raw-client.test-support.ts'
import { createServer } from '../server.ts'
import { exchange, openSession, type RawResponse } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

/** The result of one message: what was said, by HTTP or by closing the connection. */
export type Said = {
  readonly status?: number
  readonly retryAfter?: string | undefined
  readonly message?: JsonObject
  readonly closed?: number
}

export type Peer = {
  /** Sends a text as one message and gives the answer to it. */
  send(text: string): Promise<Said>
  /** Sends a request whose answer nobody waits for. */
  fire(text: string): void
  /** Makes a request of a method in the peer's era. */
  request(method: string, params?: JsonObject, id?: number | string): JsonObject
}

/** A server's worth: a tool that waits, one that tells its arguments' names, a resource. */
function gatedRegistry() {
  const registry = new Registry()
  let running = 0
  const gate = Promise.withResolvers<void>()
  leftOpen.push(gate.resolve)
  registry.addTool({
    name: 'gated',
    run: async () => {
      running += 1
      await gate.promise
      return 'opened'
    },
  })
  registry.addTool({ name: 'keys', run: (args) => JSON.stringify(Object.keys(args)) })
  registry.addResource({ uri: 'test://one', name: 'one', read: () => '1' })
  return { registry, running: () => running }
}

type Started = ReturnType<typeof gatedRegistry>
type Open = (limits: Limits, started: Started, protocolVersion: string) => Promise<Peer>

const legacyRequest: Peer['request'] = (method, params, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
})
const modernRequest: Peer['request'] = (method, params = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: envelope() },
})

/** The answer of a response: its body, or the message of its stream that has the id or an error. */
export async function saidBy(response: RawResponse, text: string): Promise<Said> {
  const { status, headers } = response
  const heard = { status, retryAfter: headers['retry-after'] }
  if (headers['content-type'] !== 'text/event-stream') return { ...heard, message: await response.body() }
  const { id, method } = JSON.parse(text) as { id?: unknown; method?: string }
  const isSubscription = method === 'subscriptions/listen'
  return { ...heard, message: await response.seen((each) => isSubscription || each['id'] === id) }
}

const overHttp: Open = async (limits, { registry }, protocolVersion) => {
  const { url } = await serve(registry, { limits })
  const session = await openSession(url, {}, {}, protocolVersion)
  return {
    send: async (text) => saidBy(await exchange(url, { headers: session.headers, body: text }), text),
    fire: (text) => void exchange(url, { headers: session.headers, body: text }).catch(() => undefined),
    request: legacyRequest,
  }
}

/** What the text says of itself, as far as headers can repeat it. */
function routingHeaders(text: string): Record<string, string> {
  const method = /"method":"([\x21-\x7e]+?)"/.exec(text)?.[1]
  const name = /"name":("(?:[^"\\]|\\.)*"),/.exec(text)?.[1]
  return {
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(name === undefined ? {} : { 'mcp-name': encodeHeaderValue(JSON.parse(name) as string) }),
  }
}

const overModernHttp: Open = async (limits, { registry }) => {
  const { url } = await serve(registry, { limits })
  const post = (text: string) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', ...routingHeaders(text) }
    return exchange(url, { headers, body: text })
  }
  return {
    send: async (text) => saidBy(await post(text), text),
    fire: (text) => void post(text).catch(() => undefined),
    request: modernRequest,
  }
}

const overSse: Open = async (limits, { registry }, protocolVersion) => {
  const { listener } = await serve(registry, { limits, routes: { sse: true } })
  const stream = await exchange(listener.url, { method: 'GET', headers: { accept: 'text/event-stream' } })
  const endpoint = await new Promise<string>((resolve) => {
    const look = () => {
      const data = stream.events[0]?.data
      if (data === undefined) setImmediate(look)
      else resolve(data.toString())
    }
    look()
  })
  const url = new URL(endpoint, listener.url).href
  const read = () =>
    stream.events
      .slice(1)
      .flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data.toString()) as unknown]))
  const post = (text: string) => exchange(url, { body: text })
  const peer: Peer = {
    send: async (text) => {
      const before = read().length
      const response = await post(text)
      if (response.status !== 202) return saidBy(response, text)
      await expect.poll(() => read().length, { interval: 5 }).toBeGreaterThan(before)
      return { status: 202, message: read()[before] as JsonObject }
    },
    fire: (text) => void post(text).catch(() => undefined),
    request: legacyRequest,
  }
  await peer.send(initialize(protocolVersion))
  return peer
}

/** A connection on which each message is answered by the next that comes, or by its end. */
function duplex(
  write: (text: string) => void,
  listen: (said: (said: Said) => void) => void,
  request: Peer['request'],
): Peer {
  const heard: Said[] = []
  let wake: () => void = () => undefined
  listen((said) => {
    heard.push(said)
    wake()
  })
  return {
    send: async (text) => {
      write(text)
      for (;;) {
        const said = heard.shift()
        if (said !== undefined) return said
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    fire: write,
    request,
  }
}

const socketOf =
  (request: Peer['request']): Open =>
  async (limits, { registry }, protocolVersion) => {
    const { listener } = await serve(registry, { limits, routes: { ws: true } })
    const socket = new WebSocket(listener.url, 'mcp')
    leftOpen.push(() => {
      socket.terminate()
    })
    await once(socket, 'open')
    const peer = duplex(
      (text) => {
        socket.send(text)
      },
      (hear) => {
        socket.on('message', (data: Buffer) => {
          hear({ message: JSON.parse(data.toString()) as JsonObject })
        })
        socket.on('close', (code) => {
          hear({ closed: code })
        })
      },
      request,
    )
    if (request === legacyRequest) await peer.send(initialize(protocolVersion))
    return peer
  }

const stdioOf =
  (request: Peer['request']): Open =>
  async (limits, { registry }, protocolVersion) => {
    const server = createServer({ registry, info: { name: 'test', version: '1' }, limits })
    const [input, output] = [new PassThrough(), new PassThrough()]
    server.attach(stdioServerLink({ input, output, limits }))
    leftOpen.push(() => server.close())
    const peer = duplex(
      (text) => {
        input.write(`${text}\n`)
      },
      (hear) => {
        output.on('data', (chunk: Buffer) => {
          for (const line of chunk.toString().split('\n')) {
            if (line !== '') hear({ message: JSON.parse(line) as JsonObject })
          }
        })
      },
      request,
    )
    if (request === legacyRequest) await peer.send(initialize(protocolVersion))
    return peer
  }

export function initialize(protocolVersion: string): string {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  return JSON.stringify(legacyRequest('initialize', params, 0))
}

export const LEGACY = [
  ['Streamable HTTP, a session', overHttp],
  ['HTTP+SSE', overSse],
  ['WebSocket, a session', socketOf(legacyRequest)],
  ['stdio, a session', stdioOf(legacyRequest)],
] as const
export const MODERN = [
  ['Streamable HTTP, modern', overModernHttp],
  ['WebSocket, modern', socketOf(modernRequest)],
  ['stdio, modern', stdioOf(modernRequest)],
] as const

export const start = async (open: Open, limits: Partial<Limits>, protocolVersion = '2025-11-25') => {
  const started = gatedRegistry()
  return {
    ...(await open({ ...DEFAULT_LIMITS, ...limits }, started, protocolVersion)),
    running: started.running,
  }
}
