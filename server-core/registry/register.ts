import type { Changes, Handle } from './definitions.ts'
import { RegistryError } from './errors.ts'
import type { EntryTable } from './entry-table.ts'

/** How definitions of one kind become entries. */
export type Kind<Definition, Prepared, Entry extends object> = {
  /** "tool", for errors. */
  readonly what: string
  readonly table: EntryTable<Entry>
  keyOf(definition: Definition): string
  /** Checks it. Throws a `RegistryError`. */
  prepare(definition: Definition): Prepared
  /** `current` gives what is prepared at the moment of a call: a new handler needs no new entry. */
  entryOf(prepared: Prepared, current: () => Prepared): Entry
}

/** Registers a definition; returns its handle, and what it is prepared to be at the moment. Throws a `RegistryError`. */
export function register<Definition extends { readonly exposed?: boolean }, Prepared, Entry extends object>(
  kind: Kind<Definition, Prepared, Entry>,
  first: Definition,
): { readonly handle: Handle<Definition>; readonly current: () => Prepared } {
  const { table: table } = kind
  let definition = first
  let prepared = kind.prepare(first)
  let key = kind.keyOf(first)
  let there = true
  const current = () => prepared
  table.add(key, kind.entryOf(prepared, current), first.exposed !== false)
  return {
    current,
    handle: {
      update(changes) {
        if (!there)
          throw new RegistryError('removed', `The ${kind.what} "${key}" was removed; register it again.`)
        const changed = merge(definition, changes)
        const preparedNow = kind.prepare(changed)
        const from = key
        const to = kind.keyOf(changed)
        if (to !== from) table.requireFree(to)
        definition = changed
        prepared = preparedNow
        key = to
        table.replace(from, to, kind.entryOf(prepared, current), changed.exposed !== false)
      },
      remove() {
        if (!there) return false
        there = false
        return table.remove(key)
      },
    },
  }
}

function merge<Definition extends object>(definition: Definition, changes: Changes<Definition>): Definition {
  const members = Object.entries({ ...definition, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as Definition
}
