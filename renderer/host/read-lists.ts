import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { withRead } from '../../server-core/host/contract/lists.ts'
import type { Kinds, StaleLists } from './stale-lists.ts'

interface ListsToRead {
  readonly client: QueryClient
  readonly queryKey: QueryKey
  readonly serverId: string
  readonly stale: StaleLists
  readonly signal: AbortSignal
  readonly ask: (kinds: Kinds) => Promise<Lists>
}

/** Readings one after the other before a server that keeps on changing is left alone for a moment. */
const MOST = 3
const MOMENT_MS = 500

/**
 * Reads what is out of date of a server's lists, for React Query. What changes meanwhile is read after it: a query that
 * has no data yet is not begun again by being invalidated. There are servers that report a change with each answer.
 */
export async function readLists(toRead: ListsToRead): Promise<Lists> {
  const { client, queryKey, serverId, stale, signal, ask } = toRead
  const known = (): Lists | undefined => client.getQueryData<Lists>(queryKey)
  for (let reading = 1; ; reading += 1) {
    const kinds = stale.begin(serverId, known() !== undefined)
    const read = await ask(kinds)
    // What is known may have grown by a page while this was asked for.
    const lists = withRead(known(), read, kinds)
    if (signal.aborted || stale.end(serverId)) return lists
    if (reading === MOST) {
      setTimeout(() => void client.invalidateQueries({ queryKey }), MOMENT_MS)
      return lists
    }
    client.setQueryData(queryKey, lists)
  }
}
