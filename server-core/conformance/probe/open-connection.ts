import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { ConnectOptions, ProbeConnection } from './connection.ts'
import { HttpConnection } from './http-connection.ts'
import type { ServerTarget } from './server-target.ts'
import type { IdleConnection } from './shared-connections.ts'
import { SseConnection } from './sse-connection.ts'
import { StdioConnection } from './stdio-connection.ts'
import type { Waits } from './waits.ts'
import { WebSocketConnection } from './websocket-connection.ts'

/** What a connection takes beside its target. */
export type OpenParts = {
  readonly log: FrameLog
  readonly waits: () => Waits
  readonly guard: (message: unknown) => void
  readonly onTimeout: () => void
  readonly inputSchema: (tool: string) => JsonObject | undefined
  /** stdio: the process and session to go on with. */
  readonly before?: IdleConnection
}

/** Makes a connection that is not open yet. Throws a `RangeError` if the target has no such transport. */
export function createConnection(
  target: ServerTarget,
  transport: WireTransport,
  revision: Revision,
  options: ConnectOptions,
  open: OpenParts,
): ProbeConnection {
  const parts = { ...open, revision, options }
  const headers = target.headers ?? {}
  const place = options.url ?? target[transport]
  if (place === undefined) throw new RangeError(`the server has no address for ${transport}`)
  if (typeof place === 'function') return new StdioConnection(parts, place, open.before)
  switch (transport) {
    case 'http':
      return new HttpConnection({ ...parts, url: place, headers })
    case 'sse':
      return new SseConnection({ ...parts, url: place, headers })
    default:
      return new WebSocketConnection({ ...parts, url: place, headers })
  }
}
