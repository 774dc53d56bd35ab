import type { ListKind } from '../../protocol/list-kind.ts'
import type { Lists, NextPage } from './inspect.ts'

/** The lists of each kind, by the names they have in `Lists`. */
export const LISTS_OF = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates'],
  prompts: ['prompts'],
} as const satisfies Record<ListKind, readonly (keyof Lists)[]>

/**
 * Replaces the lists of some kinds, with their problems, by what was read now.
 *
 * @param known the lists so far; `undefined` returns what was read
 * @param kinds the kinds that were read
 */
export function withRead(known: Lists | undefined, read: Lists, kinds: Iterable<ListKind>): Lists {
  if (known === undefined) return read
  const names = Array.from(kinds).flatMap((kind): readonly (keyof Lists)[] => LISTS_OF[kind])
  const isKept = ({ list }: { readonly list: string }): boolean => !names.some((name) => name === list)
  const lists = { ...known }
  for (const kind of kinds) for (const name of LISTS_OF[kind]) lists[name] = read[name]
  return withMore(
    lists,
    [...(known.more ?? []).filter(isKept), ...(read.more ?? [])],
    [...known.problems.filter(isKept), ...read.problems],
  )
}

/** Appends a page to the lists; returns them unchanged if another reading of that list has begun since. */
export function withPage(known: Lists, readingId: string, page: NextPage): Lists {
  const { list, entries, hasMore, isRestarted, problems } = page
  if (known.more?.some((one) => one.readingId === readingId) !== true) return known
  return withMore(
    { ...known, [list]: isRestarted ? entries : [...known[list], ...entries] },
    hasMore ? known.more : known.more.filter((one) => one.readingId !== readingId),
    [...known.problems, ...problems],
  )
}

/** The lists of some kinds alone; those of the others are empty. */
export function ofKinds(lists: Lists, kinds: readonly ListKind[]): Lists {
  const names: readonly string[] = kinds.flatMap((kind): readonly (keyof Lists)[] => LISTS_OF[kind])
  const isWanted = ({ list }: { readonly list: string }): boolean => names.includes(list)
  const wanted = { ...lists }
  for (const name of ['tools', 'resources', 'resourceTemplates', 'prompts'] as const)
    if (!names.includes(name)) wanted[name] = []
  return withMore(wanted, (lists.more ?? []).filter(isWanted), lists.problems.filter(isWanted))
}

function withMore(lists: Lists, more: NonNullable<Lists['more']>, problems: Lists['problems']): Lists {
  const { more: _, ...rest } = lists
  return { ...rest, problems, ...(more.length > 0 && { more }) }
}
