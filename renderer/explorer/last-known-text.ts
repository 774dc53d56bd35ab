import type { ServerState } from '../../server-core/host/contract/servers.ts'

/** Returns the note that the list is from before the connection ended, and the present state of the server. */
export function lastKnownText(server: Pick<ServerState, 'status' | 'transport'>): string {
  if (server.status === 'connecting') return 'last known, connecting…'
  return server.status === 'failed' && server.transport === 'stdio'
    ? 'last known, not running'
    : 'last known, not connected'
}
