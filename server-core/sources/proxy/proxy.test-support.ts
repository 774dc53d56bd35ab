import { connect, type Connection, type ConnectOptions } from '../../client/connect.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { RegistryView } from '../../registry/entries.ts'
import { createServer, type McpServer } from '../../server/server.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { memoryPair } from '../../transports/memory/memory-link.ts'
import { transportsFor } from '../../transports/opener.ts'
import type { ServerPort } from '../../ports/server-port.ts'
import type { OpenUpstream } from './upstream.ts'

/** What ends all that a test started, the newest first. */
export class Closing {
  readonly #all: (() => unknown)[] = []

  add(close: () => unknown): void {
    this.#all.push(close)
  }

  async close(): Promise<void> {
    for (const close of this.#all.splice(0).reverse()) await close()
  }
}

/** Opens connections by `open`, as a proxy does. */
export function upstreamBy(
  open: () => ClientTransport | Promise<ClientTransport>,
  options: Partial<ConnectOptions> = {},
): OpenUpstream {
  return ({ declaration, responders, listeners, signal }) =>
    connect({
      open,
      identity: declaration.identity,
      declaration,
      responders,
      listeners,
      signal,
      ...options,
    })
}

/** A server in memory that supports these revisions. */
export function serverOf(
  registry: RegistryView,
  closing: Closing,
  revisions?: readonly Revision[],
): McpServer {
  const server = createServer({
    registry,
    info: { name: 'behind', version: '1' },
    ...(revisions !== undefined && { revisions }),
  })
  closing.add(() => server.close())
  return server
}

export function inMemory(server: ServerPort): () => ClientTransport {
  return () => {
    const pair = memoryPair()
    server.attach(pair.server)
    return pair.client
  }
}

export type Way = 'memory' | 'http' | 'websocket' | 'sse' | 'http without sessions'

/** A way to a server over a transport. */
export async function wayTo(
  server: ServerPort,
  way: Way,
  closing: Closing,
): Promise<() => Promise<ClientTransport>> {
  if (way === 'memory') return () => Promise.resolve(inMemory(server)())
  const listener = await startHttpListener({
    server,
    host: '127.0.0.1',
    port: 0,
    routes: { mcp: way.startsWith('http'), sse: way === 'sse', ws: way === 'websocket' },
    ...(way === 'http without sessions' && { sessions: 'none' as const }),
  })
  closing.add(() => listener.close())
  const url = {
    http: listener.urls.mcp,
    'http without sessions': listener.urls.mcp,
    websocket: listener.urls.ws,
    sse: listener.urls.sse,
  }[way]
  if (url === undefined) throw new Error(`nothing listens for ${way}`)
  const transport = way === 'http without sessions' ? 'http' : way
  const { open } = transportsFor({ transport, url })
  return async () => open()
}

/** A client of the proxy. */
export async function clientOf(
  open: () => ClientTransport | Promise<ClientTransport>,
  closing: Closing,
  options: Partial<ConnectOptions> = {},
): Promise<Connection> {
  const connection = await connect({ open, identity: { name: 'in front', version: '1' }, ...options })
  closing.add(() => connection.close())
  return connection
}
