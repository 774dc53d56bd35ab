import type { ProcessRegistry } from '../processes/process-registry.ts'
import type { Limits } from '../protocol/limits.ts'
import type { ClientAuthorization } from '../ports/client-authorization.ts'
import type { ClientTransport } from '../ports/contract.ts'
import type { StdioOptions } from './stdio/stdio-client.ts'
import type { Tap } from '../ports/tap.ts'

/** The address and transport of a server; `auto` is negotiated, as far as the address leaves it open. */
export type ServerAddress =
  | ({ readonly transport: 'stdio' } & Pick<StdioOptions, 'command' | 'args' | 'cwd' | 'graceMs'> &
      Partial<Pick<StdioOptions, 'env'>>)
  | {
      readonly transport: 'http' | 'sse' | 'websocket' | 'auto'
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      readonly authorization?: ClientAuthorization
    }

/** What a transport takes beside its address. */
export type TransportOptions = {
  readonly tap?: Tap
  readonly limits?: Partial<Limits>
  /** Keeps which processes live. */
  readonly processes?: ProcessRegistry
}

/** Makes a transport that was never used. Its library is loaded with the first. */
export type Open = () => ClientTransport | Promise<ClientTransport>

/** The ways to one server, as `connect` takes them. */
export type TransportFactory = {
  readonly open: Open
  /** The older transport at the same address, for a server that refuses `open` (HTTP+SSE, 2024-11-05). */
  readonly openOlder?: Open
}

/**
 * The ways to a server. A transport that was chosen is the only one; with `auto`, ws:// and wss:// are WebSocket and
 * everything else Streamable HTTP, then HTTP+SSE (2025-03-26, transports: backwards compatibility).
 */
export function transportsFor(address: ServerAddress, parts: TransportOptions = {}): TransportFactory {
  const { tap, limits, processes } = parts
  const shared = { ...(tap === undefined ? {} : { tap }), ...(limits === undefined ? {} : { limits }) }
  if (address.transport === 'stdio') {
    const { transport: _, env = {}, ...rest } = address
    const options = { ...rest, env }
    return {
      open: async () => {
        const { stdioTransport } = await import('./stdio/stdio-client.ts')
        return stdioTransport({ ...options, ...shared, ...(processes && { processes }) })
      },
    }
  }
  const { url, headers, authorization } = address
  const options = {
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(authorization === undefined ? {} : { authorization }),
    ...shared,
  }
  const http: Open = async () => (await import('./http/http-client.ts')).httpTransport(options)
  const sse: Open = async () => (await import('./http/sse-client.ts')).sseTransport(options)
  const websocket: Open = async () =>
    (await import('./websocket/websocket-client.ts')).webSocketTransport(options)
  switch (address.transport) {
    case 'http':
      return { open: http }
    case 'sse':
      return { open: sse }
    case 'websocket':
      return { open: websocket }
    case 'auto':
      return /^wss?:/i.test(url) ? { open: websocket } : { open: http, openOlder: sse }
  }
}
