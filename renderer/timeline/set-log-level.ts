import type { LogLevel } from '../../server-core/protocol/log-level.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { timelineText } from './text.ts'

/** Sets the least severity of a server's log messages. Never rejects: a refusal is shown as a notice. */
export async function setLogLevel(server: Pick<ServerState, 'id' | 'name'>, level: LogLevel): Promise<void> {
  try {
    await api.inspection.setLogLevel({ serverId: server.id, level })
  } catch (error) {
    showFailure(timelineText.setLogLevel.setFailed(server.name), error)
  }
}
