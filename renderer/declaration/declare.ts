import type { Lists } from '../../server-core/host/contract/inspect.ts'
import type { Declaration, ServerState } from '../../server-core/host/contract/servers.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { listsOptions } from '../host/lists.ts'
import { queryClient } from '../host/live.ts'
import { forgetLists, rememberLists, type ReadLists } from './list-change.ts'
import { declarationText } from './text.ts'

/**
 * Declares something else to a server, which connects again if it was connected; what its lists were stays known, so that
 * can be shown. Null is what this client declares by itself. Returns whether it was done; a failure is shown.
 */
export async function declare(server: ServerState, declaration: Declaration | null): Promise<boolean> {
  try {
    const before = await listsNow(server)
    await api.servers.declare({ id: server.id, declaration })
    if (before === undefined) forgetLists(server.id)
    else rememberLists(server.id, before)
    return true
  } catch (error) {
    showFailure(declarationText.declare.couldNotChange(server.name), error)
    return false
  }
}

/** What it lists now, or listed when it was connected last. */
async function listsNow(server: ServerState): Promise<ReadLists | undefined> {
  const options = listsOptions(server.id)
  const known = (): ReadLists | undefined => {
    const state = queryClient.getQueryState<Lists>(options.queryKey)
    return state?.data === undefined ? undefined : { lists: state.data, readAt: state.dataUpdatedAt }
  }
  if (known() === undefined && server.status === 'connected') await queryClient.query(options)
  return known()
}
