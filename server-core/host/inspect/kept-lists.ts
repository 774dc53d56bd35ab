import type { Connection } from '../../client/connection.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import type { Lists, NextPage } from '../contract/inspect.ts'
import { ofKinds, withPage, withRead } from '../contract/lists.ts'
import { readLists, readNextPage } from './lists.ts'
import { PageReadings } from './page-readings.ts'

type Kept = {
  lists: Lists | undefined
  /** The kinds that are in `lists` and not out of date. */
  readonly current: Set<ListKind>
}

type Wanted = {
  readonly kinds: readonly ListKind[]
  /** Reads the first page of each list only. */
  readonly isPaged?: boolean | undefined
  /** Ends the reading, between pages and within one. */
  readonly signal?: AbortSignal | undefined
}

/**
 * What a server listed on its present connection. A list goes over the wire when it is read for the first time, and
 * after `changed` was called for its kind; never because a page was loaded again.
 */
export class KeptLists {
  readonly #readings = new PageReadings()
  /** How often each kind was called out of date. */
  readonly #changes = new Map<ListKind, number>()
  #connection: Connection | undefined
  #whole = nothing()
  #paged = nothing()

  /** The connection from now on; what the server listed on another one is discarded. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    this.#whole = nothing()
    this.#paged = nothing()
  }

  /** The lists of these kinds are out of date. */
  changed(kinds: readonly ListKind[]): void {
    for (const kind of kinds) {
      this.#changes.set(kind, this.#changesOf(kind) + 1)
      this.#whole.current.delete(kind)
      this.#paged.current.delete(kind)
    }
  }

  /** Returns the lists of these kinds, and asks the server for those that are not known or out of date. */
  async read(connection: Connection, { kinds, isPaged = false, signal }: Wanted): Promise<Lists> {
    this.follow(connection)
    const kept = isPaged ? this.#paged : this.#whole
    const missing = kinds.filter((kind) => !kept.current.has(kind))
    if (missing.length > 0 || kept.lists === undefined) {
      const before = missing.map((kind) => ({ kind, changes: this.#changesOf(kind) }))
      const read = await readLists(connection, missing, signal, isPaged ? this.#readings : undefined)
      kept.lists = withRead(kept.lists, read, missing)
      // What changed while it was read is out of date already.
      for (const { kind, changes } of before) if (changes === this.#changesOf(kind)) kept.current.add(kind)
    }
    return ofKinds(kept.lists, kinds)
  }

  /** Reads one more page of a list. Throws what the client throws, and `NOT_FOUND` if that reading is over. */
  async next(connection: Connection, readingId: string): Promise<NextPage> {
    const kept = this.#paged
    const page = await readNextPage(connection, this.#readings, readingId)
    if (kept.lists !== undefined) kept.lists = withPage(kept.lists, readingId, page)
    return page
  }

  #changesOf(kind: ListKind): number {
    return this.#changes.get(kind) ?? 0
  }
}

function nothing(): Kept {
  return { lists: undefined, current: new Set() }
}
