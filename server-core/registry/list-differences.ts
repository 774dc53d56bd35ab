import { isDeepStrictEqual } from 'node:util'
import { entryData } from './entry-data.ts'

/** The entries of one kind, as a view gives them: one list, or several that clients see as one. */
export type EntryLists = readonly (readonly object[])[]

/** Whether a peer can see a difference. Entries that are the same objects cost no more than a look. */
export function listsDiffer(before: EntryLists, now: EntryLists): boolean {
  return before.some((list, index) => {
    const other = now[index] ?? []
    if (list === other) return false
    return list.length !== other.length || list.some((entry, place) => differ(entry, other[place]))
  })
}

function differ(entry: object, other: object | undefined): boolean {
  if (entry === other) return false
  return other === undefined || !isDeepStrictEqual(entryData(entry), entryData(other))
}
