import { connectedUpstream } from './proxy/connected-upstream.ts'
import type { Connection } from '../client/connect.ts'
import { openProxy, type ProxiedServer } from './proxied-server.ts'

export type ClientSourceOptions = {
  /** Of the source; unlike those of all others in the same composition. */
  readonly id: string
  /** What people call it; what its server calls itself unless given. */
  readonly label?: string
  readonly prefix?: string
  readonly separator?: '.' | '_'
  /** Names, patterns (`read_*`) or tags (`tag:weather`) of the tools that are served; all unless given. */
  readonly only?: readonly string[]
  readonly except?: readonly string[]
}

/**
 * Serves what a connected client reaches as a source, in code: nothing is stored or approved, since the program made the
 * connection itself. All who call share it: a server with a handshake asks the responders that it was made with, one of
 * 2026-07-28 whoever calls. Closing
 * the source leaves the connection open; when that ends, the entries stay and their calls say why they fail.
 */
export function clientSource(connection: Connection, options: ClientSourceOptions): ProxiedServer {
  const { id, label, prefix, separator, only, except } = options
  const { name } = connection.serverInfo ?? {}
  const server = label ?? (typeof name === 'string' && name !== '' ? name : id)
  return openProxy(
    {
      server,
      ...(prefix !== undefined && { prefix }),
      ...(separator !== undefined && { separator }),
      ...(only !== undefined && { only: [...only] }),
      ...(except !== undefined && { except: [...except] }),
    },
    { id, open: connectedUpstream(connection), identity: connection.declaration.identity },
  )
}
