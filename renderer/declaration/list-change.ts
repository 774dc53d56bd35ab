import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { Observable } from '../state/observable.ts'

/** What the lists of a server gained and lost, by name, each with the kind it is of. */
export type ListChange = { readonly gained: readonly string[]; readonly lost: readonly string[] }

/** Lists, with the time at which they came. */
export type ReadLists = { readonly lists: Lists; readonly readAt: number }

/** The lists as they were before something was declared otherwise, by server. */
export const listsBefore = new Observable<ReadonlyMap<string, ReadLists>>(new Map())

/** Stores the lists that a change is compared with. */
export function rememberLists(serverId: string, read: ReadLists): void {
  listsBefore.set(new Map(listsBefore.get()).set(serverId, read))
}

/** The change was read, or means nothing any more. */
export function forgetLists(serverId: string): void {
  const rest = new Map(listsBefore.get())
  rest.delete(serverId)
  listsBefore.set(rest)
}

const KINDS = [
  ['tools', 'tool'],
  ['resources', 'resource'],
  ['resourceTemplates', 'template'],
  ['prompts', 'prompt'],
] as const

/** Which names are in one and not in the other. */
export function listChange(before: Lists, after: Lists): ListChange {
  return { gained: missingFrom(before, after), lost: missingFrom(after, before) }
}

function missingFrom(known: Lists, lists: Lists): string[] {
  return KINDS.flatMap(([list, kind]) => {
    const names = new Set(known[list].map(({ name }) => name))
    return lists[list].flatMap(({ name }) => (names.has(name) ? [] : [`${kind} ${name}`]))
  })
}
