import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'

/** Why nothing can be sent to this server now; `undefined` if something can. */
export function obstacleOf(server: ServerState | undefined): string | undefined {
  if (server === undefined) return 'The server of this tab was removed.'
  if (server.status === 'connected') return undefined
  const name = visibleText(server.name)
  if (server.status === 'connecting') return `${name} is not connected yet.`
  if (server.approval !== 'approved') return `${name} is not connected: approve it first.`
  return `${name} is not connected: ${server.status === 'failed' ? 'restart' : 'connect'} it first.`
}
