import type { ServerState } from '../../server-core/host/contract/servers.ts'

/** Says that what is listed was told before the connection ended, and what is with the server now. */
export function lastKnownText(server: Pick<ServerState, 'status' | 'transport'>): string {
  if (server.status === 'connecting') return 'last known, connecting…'
  return server.status === 'failed' && server.transport === 'stdio'
    ? 'last known, not running'
    : 'last known, not connected'
}
