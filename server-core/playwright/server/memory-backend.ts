import type { Tap } from '../../ports/tap.ts'
import { startHttpListener, type HttpListener } from '../../listener/http-listener.ts'
import { memoryPair } from '../../transports/memory/memory-link.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { McpServer } from '../../server/server.ts'
import type { MemoryServer, SdkServer } from '../options.ts'
import { TestSetupError } from '../test-error.ts'
import { SdkTransport } from './sdk-transport.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'
import { reachUrl } from './url-backend.ts'

/** A server in this process, connected in memory. A server of Patchbay can be reached over HTTP, HTTP+SSE and WebSocket too. */
export class MemoryBackend implements ServerBackend {
  readonly pid = undefined
  readonly stderr = ''
  readonly #given: MemoryServer
  readonly #servers = new Set<SdkServer>()
  #listener: HttpListener | undefined

  constructor(given: MemoryServer) {
    this.#given = given
  }

  get url(): string | undefined {
    return this.#listener?.url
  }

  async reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    if (transport === 'auto' || transport === 'memory') return { open: () => this.#open(tap) }
    const server = this.#make()
    if (transport === 'stdio' || !isOurs(server)) {
      const message = `the transport is "${transport}", but the server is in this process: use "memory" or "auto"`
      throw new TestSetupError('option', message)
    }
    this.#listener ??= await startHttpListener({
      server,
      port: 0,
      routes: { mcp: true, sse: true, ws: true },
      warns: false,
    })
    const { urls } = this.#listener
    const url = { http: urls.mcp, sse: urls.sse, websocket: urls.ws }[transport] ?? this.#listener.url
    return reachUrl({ url }, transport, undefined, tap)
  }

  async stop(): Promise<void> {
    await this.#listener?.close()
    this.#listener = undefined
    for (const server of this.#servers) await server.close()
    this.#servers.clear()
  }

  kill(): Promise<void> {
    const message =
      'server.kill(): the server runs in this process, so it cannot be killed; use server.restart()'
    return Promise.reject(new TestSetupError('server', message))
  }

  async #open(tap: Tap): Promise<ReturnType<typeof memoryPair>['client']> {
    const server = this.#make()
    const pair = memoryPair({ tap })
    if (isOurs(server)) server.attach(pair.server)
    else {
      this.#servers.add(server)
      // The SDKs declare a class of their own for what they take; this one has its members.
      await server.connect(new SdkTransport(pair.server) as never)
    }
    return pair.client
  }

  #make(): SdkServer | McpServer {
    return 'create' in this.#given ? this.#given.create() : this.#given
  }
}

function isOurs(server: SdkServer | McpServer): server is McpServer {
  return 'attach' in server
}
