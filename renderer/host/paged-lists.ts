import { z } from 'zod'
import { Observable } from '../state/observable.ts'
import { Persisted } from '../state/persisted.ts'
import { hostText } from './text.ts'

const stored = new Persisted({
  key: 'patchbay.paged-lists',
  name: hostText.pagedLists.choiceName,
  schema: z.array(z.string()),
  maxLength: 100_000,
})

/** Servers whose lists are read one page at a time; it stays with the window. */
export const pagedServers = new Observable<ReadonlySet<string>>(new Set(stored.load()))

/** Reads the lists of a server page by page from now on, or whole. */
export function setPaged(serverId: string, isPaged: boolean): void {
  const next = new Set(pagedServers.get())
  if (isPaged) next.add(serverId)
  else next.delete(serverId)
  pagedServers.set(next)
  stored.saveSoon(() => [...pagedServers.get()])
}
