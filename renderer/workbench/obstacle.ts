import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { workbenchText } from './text.ts'

/** Why nothing can be sent to this server now; `undefined` if something can. */
export function obstacleOf(server: ServerState | undefined): string | undefined {
  if (server === undefined) return workbenchText.obstacle.serverRemoved
  if (server.status === 'connected') return undefined
  const name = visibleText(server.name)
  if (server.status === 'connecting') return workbenchText.obstacle.isNotConnectedYet(name)
  if (server.approval !== 'approved') return workbenchText.obstacle.approvalMissing(name)
  return workbenchText.obstacle.notConnected(name, server.status === 'failed' ? 'restart' : 'connect')
}
