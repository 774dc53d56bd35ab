import type { QueryClient } from '@tanstack/react-query'
import type { ListKind } from '../../server-core/protocol/list-kind.ts'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { withPage } from '../../server-core/host/contract/lists.ts'
import { api, query } from './api.ts'
import { pagedServers } from './paged-lists.ts'
import { readLists } from './read-lists.ts'
import { StaleLists } from './stale-lists.ts'

const stale = new StaleLists()

/**
 * What a server lists, for React Query. Read again, it reads what is known to have changed, and everything if nobody
 * told what did.
 */
export function listsOptions(serverId: string) {
  const options = query.inspect.lists.queryOptions({ input: { serverId } })
  return {
    queryKey: options.queryKey,
    queryFn: ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<Lists> =>
      readLists({
        client,
        queryKey: options.queryKey,
        serverId,
        stale,
        signal,
        ask: (kinds) =>
          api.inspect.lists(
            { serverId, kinds: [...kinds], ...(pagedServers.get().has(serverId) && { isPaged: true }) },
            { signal },
          ),
      }),
  }
}

/** Reads one more page of a list that is known in part. Throws what the host refuses. */
export async function readNextPage(client: QueryClient, serverId: string, readingId: string): Promise<void> {
  const page = await api.inspect.nextPage({ serverId, readingId })
  client.setQueryData<Lists>(
    listsOptions(serverId).queryKey,
    (known) => known && withPage(known, readingId, page),
  )
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
