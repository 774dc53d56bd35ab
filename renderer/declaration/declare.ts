import type { Lists } from '../../server-core/host/contract/inspect.ts'
import type { Declaration, ServerState } from '../../server-core/host/contract/servers.ts'
import { showFailure } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { listsOptions } from '../host/lists.ts'
import { queryClient } from '../host/live.ts'
import { forgetLists, rememberLists } from './list-change.ts'

/**
 * Declares something else to a server, which connects anew if it was connected; what its lists were stays known, so that
 * the change can be told. Null is what this client declares by itself. Gives whether it was done; a failure is shown.
 */
export async function declare(server: ServerState, declaration: Declaration | null): Promise<boolean> {
  try {
    const before = await listsNow(server)
    await api.servers.declare({ id: server.id, declaration })
    if (before === undefined) forgetLists(server.id)
    else rememberLists(server.id, before)
    return true
  } catch (error) {
    showFailure(`${server.name} was left as it was`, error)
    return false
  }
}

/** What it lists now, or listed when it was connected last. */
async function listsNow(server: ServerState): Promise<Lists | undefined> {
  const key = query.inspect.lists.queryOptions({ input: { serverId: server.id } }).queryKey
  const known = queryClient.getQueryData<Lists>(key)
  if (known !== undefined || server.status !== 'connected') return known
  return queryClient.query(listsOptions(server.id))
}
