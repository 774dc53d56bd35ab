import { isDeepStrictEqual } from 'node:util'
import { entryData } from './entry-data.ts'
import { RegistryError } from './errors.ts'

/**
 * Entries of one kind, by key, in order of registration. `list` gives the same array until something changes;
 * `changed` is called once for each real change.
 */
export class Shelf<Entry extends object> {
  #entries = new Map<string, Entry>()
  #list: readonly Entry[] | undefined
  readonly #what: string
  readonly #changed: () => void

  /** `what` names the kind in errors ("A tool named"). */
  constructor(what: string, changed: () => void) {
    this.#what = what
    this.#changed = changed
  }

  list(): readonly Entry[] {
    return (this.#list ??= Object.freeze([...this.#entries.values()]))
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Throws a `RegistryError` with code `duplicate` if the key is taken. */
  add(key: string, entry: Entry): void {
    this.requireFree(key)
    this.#entries.set(key, entry)
    this.#touch()
  }

  /**
   * Puts another entry in the place of the one at `key`, under `newKey`. Gives the entry that now stands there:
   * the old one, unchanged, if the two tell the same.
   */
  replace(key: string, newKey: string, entry: Entry): Entry {
    const old = this.#entries.get(key)
    if (old !== undefined && key === newKey && isDeepStrictEqual(entryData(old), entryData(entry))) return old
    if (key === newKey) {
      this.#entries.set(key, entry)
    } else {
      this.requireFree(newKey)
      const moved = [...this.#entries].map(([at, it]): [string, Entry] =>
        at === key ? [newKey, entry] : [at, it],
      )
      this.#entries = new Map(moved)
    }
    this.#touch()
    return entry
  }

  remove(key: string): boolean {
    const removed = this.#entries.delete(key)
    if (removed) this.#touch()
    return removed
  }

  /** Throws a `RegistryError` with code `duplicate` if the key is taken. */
  requireFree(key: string): void {
    if (this.#entries.has(key))
      throw new RegistryError('duplicate', `${this.#what} "${key}" is registered already.`)
  }

  #touch(): void {
    this.#list = undefined
    this.#changed()
  }
}
