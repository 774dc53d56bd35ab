import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Listed, Lists } from '../../server-core/host/contract/inspect.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { listsOptions } from '../host/lists.ts'
import { useServer } from '../host/live.ts'
import type { Observable } from '../state/observable.ts'
import { changeWork, type Work } from './work-store.ts'

export type Definition = {
  readonly server: ServerState | undefined
  /** As listed now, or as it was listed last. */
  readonly listed: Listed | undefined
  /** The server answers, and does not list it. */
  readonly isMissing: boolean
}

/** What the server says about the thing of a tab. `find` must be a stable function. */
export function useListed(
  work: Observable<Work>,
  serverId: string,
  find: (lists: Lists) => Listed | undefined,
): Definition {
  const server = useServer(serverId)
  const isConnected = server?.status === 'connected'
  const lists = useQuery({ ...listsOptions(serverId), enabled: isConnected }).data
  const found = lists === undefined ? undefined : find(lists)

  useEffect(() => {
    if (found !== undefined && found !== work.get().listed) changeWork(work, { listed: found })
  }, [work, found])

  return {
    server,
    listed: found ?? work.get().listed,
    // An unread entry may still exist.
    isMissing: isConnected && lists !== undefined && lists.more === undefined && found === undefined,
  }
}
