import type { QueryClient } from '@tanstack/react-query'
import type { ListKind, Lists } from '../../server-core/host/contract/inspect.ts'
import { api, query } from './api.ts'
import { StaleLists, withRead } from './stale-lists.ts'

const stale = new StaleLists()

/**
 * What a server lists, for React Query. Read again, it reads what is known to have changed, and everything if nobody
 * told what did.
 */
export function listsOptions(serverId: string) {
  const options = query.inspect.lists.queryOptions({ input: { serverId } })
  return {
    queryKey: options.queryKey,
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<Lists> => {
      const known = client.getQueryData<Lists>(options.queryKey)
      const kinds = stale.begin(serverId, known !== undefined)
      const read = await api.inspect.lists({ serverId, kinds: [...kinds] }, { signal })
      if (!signal.aborted) stale.end(serverId, kinds)
      return withRead(known, read, kinds)
    },
  }
}

/** Nobody listened for a while: everything fetched may be out of date. */
export function readAllAgain(client: QueryClient): void {
  stale.clear()
  void client.invalidateQueries()
}

/** Marks lists of a server as changed; those that are shown are read again at once. */
export function readAgain(client: QueryClient, serverId: string, kinds: Iterable<ListKind>): void {
  stale.mark(serverId, kinds)
  void client.invalidateQueries({ queryKey: query.inspect.lists.key({ input: { serverId } }) })
}
