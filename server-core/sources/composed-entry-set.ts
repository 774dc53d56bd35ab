import { isDeepStrictEqual } from 'node:util'
import type { Amendment } from './amendment.ts'
import { NameTable, type Slot } from './name-table.ts'
import type { EntryFault } from './source.ts'

/** What a source gives of one kind, and how it is placed. */
export type Placement<Entry> = {
  readonly source: string
  readonly overrides: boolean
  readonly entries: readonly Entry[]
  /** The name with the prefix; undefined where it has no place for one. */
  readonly nameOf: (own: Entry) => string | undefined
  /** The entry under that name. */
  readonly published: (own: Entry) => Entry
  readonly amendmentOf: (name: string) => Amendment | undefined
  readonly amend: (entry: Entry, amendment: Amendment | undefined) => Entry
}

type Placed<Entry> = Slot<Entry> & { readonly amendment: Amendment | undefined }

/** The entries of one kind of all sources, in the order of the sources; the same list until something changes. */
export class ComposedEntries<Entry extends object> {
  readonly #keyOf: (entry: Entry) => string
  readonly #slots = new Map<string, readonly Placed<Entry>[]>()
  readonly #claims = new NameTable<Entry>()
  #order: readonly string[] = []
  #list: readonly Entry[] | undefined

  /** @param keyOf what entries are found by */
  constructor(keyOf: (entry: Entry) => string) {
    this.#keyOf = keyOf
  }

  /** The ids of all sources in the order in which their entries stand; it changes at the end only. */
  setOrder(order: readonly string[]): void {
    this.#order = order
  }

  list(): readonly Entry[] {
    return (this.#list ??= this.#order.flatMap((source) =>
      this.slots(source).flatMap((slot) => (this.isServed(slot) ? (slot.published ?? []) : [])),
    ))
  }

  /** The slot that is served under the name. */
  holder(shownName: string): Slot<Entry> | undefined {
    return this.#claims.holder(shownName)
  }

  slots(source: string): readonly Slot<Entry>[] {
    return this.#slots.get(source) ?? []
  }

  isServed(slot: Slot<Entry>): boolean {
    return this.#claims.holder(slot.shownName) === slot
  }

  /** Sets the entries of a source; unchanged entries stay the same objects. */
  set(placement: Placement<Entry>): void {
    const { source, entries } = placement
    const before = this.#slots.get(source) ?? []
    const byOwn = new Map(before.map((slot) => [slot.own, slot]))
    const now = entries.map((own) => this.#slot(own, byOwn.get(own), placement))
    if (now.length === before.length && now.every((slot, at) => slot === before[at])) return
    this.#list = undefined
    this.#slots.set(source, now)
    const staying = new Set<Slot<Entry>>(now)
    const gone = before.filter((slot) => !staying.has(slot))
    const goneByName = new Map(gone.map((slot) => [slot.name, slot]))
    const known = new Set<Slot<Entry>>(before)
    const fresh: Slot<Entry>[] = []
    for (const slot of now) {
      if (known.has(slot)) continue
      const old = goneByName.get(slot.name)
      if (old === undefined) fresh.push(slot)
      else {
        goneByName.delete(slot.name)
        this.#claims.replace(old, slot)
      }
    }
    for (const slot of goneByName.values()) this.#claims.remove(slot)
    for (const slot of fresh) this.#claims.add(slot)
  }

  remove(source: string): void {
    if (this.slots(source).length === 0) return
    for (const slot of this.slots(source)) this.#claims.remove(slot)
    this.#slots.delete(source)
    this.#list = undefined
  }

  #slot(own: Entry, before: Placed<Entry> | undefined, placement: Placement<Entry>): Placed<Entry> {
    const { source, overrides, nameOf, amendmentOf, amend } = placement
    const name = nameOf(own)
    if (name === undefined) {
      if (before !== undefined && before.published === undefined) return before
      const bare = this.#keyOf(own)
      const none = { published: undefined, amendment: undefined, enabled: true, fault: unprefixable(bare) }
      return { source, overrides, own, name: bare, shownName: bare, ...none }
    }
    const amendment = amendmentOf(name)
    if (before?.name === name && isDeepStrictEqual(before.amendment, amendment)) return before
    const published = amend(placement.published(own), amendment)
    const enabled = amendment?.enabled !== false
    return { source, overrides, own, published, amendment, name, shownName: this.#keyOf(published), enabled }
  }
}

function unprefixable(uri: string): EntryFault {
  const message = `"${uri}" does not begin with a scheme such as "notes:", so it has no place for a prefix; serve it without one, or give it a scheme`
  return { code: 'prefix', message }
}
