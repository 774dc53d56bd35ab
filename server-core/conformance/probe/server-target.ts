import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { ProtectedServer } from './protected-server.ts'
import type { StartProcess } from './process-handle.ts'

/** Where a server is reached: by its command, by addresses, or both. */
export type ServerTarget = {
  /** Starts the server over stdio. */
  readonly stdio?: StartProcess
  /** The URL of Streamable HTTP. */
  readonly http?: string
  /** The URL of HTTP+SSE. */
  readonly sse?: string
  /** The URL of the WebSocket. */
  readonly websocket?: string
  /** HTTP headers of every request, such as a token. */
  readonly headers?: Readonly<Record<string, string>>
  /** A server that wants a token, beside the open one or the same. */
  readonly protected?: ProtectedServer
}

/** The transports by which a target can be reached. */
export function transportsOf(target: ServerTarget): readonly WireTransport[] {
  const all: WireTransport[] = ['stdio', 'http', 'sse', 'websocket']
  return all.filter((name) => target[name] !== undefined)
}
