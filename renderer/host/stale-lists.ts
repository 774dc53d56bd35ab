import type { ListKind, Lists, NextPage } from '../../server-core/host/contract/inspect.ts'

export type Kinds = ReadonlySet<ListKind>

/** Every kind there is. */
export const ALL_KINDS: Kinds = new Set(['tools', 'resources', 'prompts'])

/** The lists that tell of each kind, by the names they have in an answer. */
const LISTS = {
  tools: ['tools'],
  resources: ['resources', 'resourceTemplates'],
  prompts: ['prompts'],
} as const

/** Which lists of each server are out of date, so that a change of one is no reason to read the others again. */
export class StaleLists {
  readonly #stale = new Map<string, Kinds>()
  /** What is being read, or was to be read by a reading that was given up. */
  readonly #reading = new Map<string, Kinds>()

  /** The lists of these kinds changed. */
  mark(serverId: string, kinds: Iterable<ListKind>): void {
    this.#stale.set(serverId, new Set([...(this.#stale.get(serverId) ?? []), ...kinds]))
  }

  /** Changes may have been missed: whatever is read next is read whole. */
  clear(): void {
    this.#stale.clear()
    this.#reading.clear()
  }

  /** What a reading that begins now has to read: what changed, or everything if nothing is known to have. */
  begin(serverId: string, isKnown: boolean): Kinds {
    const stale = new Set([...(this.#reading.get(serverId) ?? []), ...(this.#stale.get(serverId) ?? [])])
    const kinds = isKnown && stale.size > 0 ? stale : ALL_KINDS
    this.#reading.set(serverId, kinds)
    this.#stale.delete(serverId)
    return kinds
  }

  /** The reading that began last brought what it had to. Gives whether nothing of the server changed meanwhile. */
  end(serverId: string): boolean {
    this.#reading.delete(serverId)
    return !this.#stale.has(serverId)
  }
}

/** The lists known so far, with those of these kinds, and their problems, as they were read now. */
export function withRead(known: Lists | undefined, read: Lists, kinds: Kinds): Lists {
  if (known === undefined) return read
  const names = Array.from(kinds).flatMap((kind): readonly (keyof Lists)[] => LISTS[kind])
  const isKept = ({ list }: { readonly list: string }): boolean => !names.some((name) => name === list)
  const lists = { ...known }
  for (const kind of kinds) for (const name of LISTS[kind]) lists[name] = read[name]
  return withMore(
    lists,
    [...(known.more ?? []).filter(isKept), ...(read.more ?? [])],
    [...known.problems.filter(isKept), ...read.problems],
  )
}

/** The lists known so far with one more page; as they are if that reading was overtaken by another. */
export function withPage(known: Lists, readingId: string, page: NextPage): Lists {
  const { list, entries, hasMore, isRestarted, problems } = page
  if (known.more?.some((one) => one.readingId === readingId) !== true) return known
  return withMore(
    { ...known, [list]: isRestarted ? entries : [...known[list], ...entries] },
    hasMore ? known.more : known.more.filter((one) => one.readingId !== readingId),
    [...known.problems, ...problems],
  )
}

function withMore(lists: Lists, more: NonNullable<Lists['more']>, problems: Lists['problems']): Lists {
  const { more: _, ...rest } = lists
  return { ...rest, problems, ...(more.length > 0 && { more }) }
}
