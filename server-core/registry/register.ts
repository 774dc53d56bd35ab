import type { Changes, Handle } from './definitions.ts'
import { RegistryError } from './errors.ts'
import type { Shelf } from './shelf.ts'

/** How definitions of one kind become entries. */
export type Kind<Definition, Prepared, Entry extends object> = {
  /** "tool", for errors. */
  readonly what: string
  readonly shelf: Shelf<Entry>
  keyOf(definition: Definition): string
  /** Checks it. Throws a `RegistryError`. */
  prepare(definition: Definition): Prepared
  /** `current` gives what is prepared at the moment of a call: a new handler needs no new entry. */
  entryOf(prepared: Prepared, current: () => Prepared): Entry
}

/** Registers a definition and gives its handle. Throws a `RegistryError`. */
export function register<Definition extends object, Prepared, Entry extends object>(
  kind: Kind<Definition, Prepared, Entry>,
  first: Definition,
): Handle<Definition> {
  const { shelf } = kind
  let definition = first
  let prepared = kind.prepare(first)
  let key = kind.keyOf(first)
  let there = true
  const current = () => prepared
  shelf.add(key, kind.entryOf(prepared, current))
  return {
    update(changes) {
      if (!there)
        throw new RegistryError('removed', `The ${kind.what} "${key}" was removed; register it again.`)
      const changed = merge(definition, changes)
      const preparedNow = kind.prepare(changed)
      const from = key
      const to = kind.keyOf(changed)
      if (to !== from) shelf.requireFree(to)
      definition = changed
      prepared = preparedNow
      key = to
      shelf.replace(from, to, kind.entryOf(prepared, current))
    },
    remove() {
      if (!there) return false
      there = false
      return shelf.remove(key)
    },
  }
}

function merge<Definition extends object>(definition: Definition, changes: Changes<Definition>): Definition {
  const members = Object.entries({ ...definition, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as Definition
}
