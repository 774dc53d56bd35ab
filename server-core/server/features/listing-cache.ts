import type { JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { CacheHints } from '../../registry/entries.ts'
import { badCursor, readCursor, writeCursor } from './cursor.ts'
import { addResultMetadata } from '../result-metadata.ts'

/** One of the four lists: its name on the wire, what identifies an item, and how an item is written. */
export type ListingFormat<T> = {
  readonly member: string
  readonly keyOf: (item: T) => string
  readonly write: (item: T, row: RevisionRow) => JsonObject
}

type Kept = {
  readonly items: readonly unknown[]
  /** Serialised results by the place of their first item; only whole pages are kept. */
  readonly pages: Map<number, Buffer>
  places: Map<string, number> | undefined
}

/**
 * Serialised pages of the lists, made once per revision and kept as long as the registry gives the same array, so
 * that a list of thousands of tools costs one copy.
 */
export class ListingCache {
  readonly #pageItems: number
  readonly #kept = new Map<string, Kept>()

  /** `pageItems`: how many items a page has. */
  constructor(pageItems: number) {
    this.#pageItems = pageItems
  }

  /**
   * The serialised result with the page that `cursor` asks for; `info` is who the server is, `cache` how long
   * clients may keep the list.
   * Throws a `ProtocolError` (`invalidParams`) if the cursor is not of this list or its item no longer exists.
   */
  page<T>(
    info: JsonObject,
    row: RevisionRow,
    kind: ListingFormat<T>,
    items: readonly T[],
    cursor: unknown,
    cache: CacheHints,
  ): Buffer {
    const kept = this.#keptFor(`${kind.member} ${row.revision}`, items)
    const last = readCursor(kind.member, cursor)
    const start = last === undefined ? 0 : placeAfter(kept, kind, items, last)
    const known = kept.pages.get(start)
    if (known !== undefined) return known
    const page = items.slice(start, start + this.#pageItems)
    const end = page.at(-1)
    const more = start + this.#pageItems < items.length && end !== undefined
    const result = {
      [kind.member]: page.map((item) => kind.write(item, row)),
      ...(more ? { nextCursor: writeCursor(kind.member, kind.keyOf(end)) } : {}),
    }
    const bytes = Buffer.from(JSON.stringify(addResultMetadata(info, row, result, cache)))
    // A cursor may name any item; pages that begin elsewhere are recreated, or callers could fill the memory.
    if (start % this.#pageItems === 0) kept.pages.set(start, bytes)
    return bytes
  }

  #keptFor(key: string, items: readonly unknown[]): Kept {
    const known = this.#kept.get(key)
    if (known?.items === items) return known
    const kept: Kept = { items, pages: new Map(), places: undefined }
    this.#kept.set(key, kept)
    return kept
  }
}

function placeAfter<T>(kept: Kept, kind: ListingFormat<T>, items: readonly T[], key: string): number {
  kept.places ??= new Map(items.map((item, place) => [kind.keyOf(item), place]))
  const place = kept.places.get(key)
  if (place === undefined) throw badCursor()
  return place + 1
}
