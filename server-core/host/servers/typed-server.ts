import { isDeepStrictEqual } from 'node:util'
import type { Approvable } from '../../profile/approvals.ts'
import type { ServerDraft } from '../../profile/server-target.ts'
import type { ServerState } from '../contract/servers.ts'
import type { ServersService } from './servers-service.ts'

/**
 * Stores the server that a user typed on the command line of Patchbay, approves it, since the user has seen what will
 * run, and begins to connect. The same command or address as before is not stored twice.
 *
 * @returns the id of the server
 * @throws what storing throws; a connection that fails is a state of the server
 */
export async function openTypedServer(servers: ServersService, draft: ServerDraft): Promise<string> {
  const { id } = (await storedAlready(servers, draft)) ?? (await servers.add(draft, 'user'))
  const { hash } = await servers.approval(id)
  await servers.approve(id, hash)
  // The window shows how that goes.
  servers.connect(id).catch(() => undefined)
  return id
}

async function storedAlready(servers: ServersService, draft: ServerDraft): Promise<ServerState | undefined> {
  for (const state of servers.states()) {
    if (state.origin === 'embedded' || state.approval !== 'approved') continue
    const target = await servers.approvedTarget(state.id)
    if (isDeepStrictEqual(essence(target), essence(draft.target))) return state
  }
  return undefined
}

/** What decides whether two targets are the same, whatever was chosen about transport and revision since. */
function essence(target: Approvable | ServerDraft['target']): unknown {
  if (target.transport === 'stdio')
    return [target.command, target.args, target.cwd, target.env.map(({ name, value }) => [name, value])]
  return [target.url, target.headers.map(({ name, value }) => [name, value])]
}
