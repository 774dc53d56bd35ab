import { Observable } from '../state/observable.ts'

const KEY = 'patchbay.paged-lists'

/** Servers whose lists are read one page at a time; it stays with the window. */
export const pagedServers = new Observable<ReadonlySet<string>>(
  new Set(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly string[]),
)

/** Reads the lists of a server page by page from now on, or whole. */
export function setPaged(serverId: string, isPaged: boolean): void {
  const next = new Set(pagedServers.get())
  if (isPaged) next.add(serverId)
  else next.delete(serverId)
  sessionStorage.setItem(KEY, JSON.stringify([...next]))
  pagedServers.set(next)
}
