import { isDeepStrictEqual } from 'node:util'
import { entryData } from './entry-data.ts'
import { RegistryError } from './errors.ts'

type Kept<Entry> = { readonly entry: Entry; readonly exposed: boolean }

/**
 * Entries of one kind, by key, in order of registration; those that are not exposed, and all of them while the shelf
 * is closed, keep their place and their key, and are not seen. `list` gives the same array until something changes;
 * `changed` is called once for each change that can be seen.
 */
export class EntryTable<Entry extends object> {
  #entries = new Map<string, Kept<Entry>>()
  #seen = new Map<string, Entry>()
  #open = true
  #list: readonly Entry[] | undefined
  readonly #what: string
  readonly #changed: () => void

  /** `what` names the kind in errors ("A tool named"). */
  constructor(what: string, changed: () => void) {
    this.#what = what
    this.#changed = changed
  }

  list(): readonly Entry[] {
    return (this.#list ??= Object.freeze([...this.#seen.values()]))
  }

  get(key: string): Entry | undefined {
    return this.#seen.get(key)
  }

  /** Whether there are entries that are not seen just now. */
  get hides(): boolean {
    return this.#seen.size < this.#entries.size
  }

  /** Throws a `RegistryError` with code `duplicate` if the key is taken. */
  add(key: string, entry: Entry, exposed: boolean): void {
    this.requireFree(key)
    this.#entries.set(key, { entry, exposed })
    if (!exposed || !this.#open) return
    this.#seen.set(key, entry)
    this.#touch()
  }

  /**
   * Puts another entry in the place of the one at `key`, under `newKey`; the old one stays if the two tell the same.
   */
  replace(key: string, newKey: string, entry: Entry, exposed: boolean): void {
    const old = this.#entries.get(key)
    const same =
      old !== undefined && key === newKey && isDeepStrictEqual(entryData(old.entry), entryData(entry))
    if (same && old.exposed === exposed) return
    const kept = { entry: same ? old.entry : entry, exposed }
    if (key === newKey) {
      this.#entries.set(key, kept)
    } else {
      this.requireFree(newKey)
      const moved = [...this.#entries].map(([at, it]): [string, Kept<Entry>] =>
        at === key ? [newKey, kept] : [at, it],
      )
      this.#entries = new Map(moved)
    }
    if (this.#open && (exposed || old?.exposed === true)) this.#see()
  }

  remove(key: string): boolean {
    const removed = this.#entries.delete(key)
    if (this.#seen.delete(key)) this.#touch()
    return removed
  }

  /** Shows the entries that are exposed, or none. */
  setOpen(open: boolean): void {
    if (open === this.#open) return
    this.#open = open
    if ([...this.#entries.values()].some(({ exposed }) => exposed)) this.#see()
  }

  /** Throws a `RegistryError` with code `duplicate` if the key is taken. */
  requireFree(key: string): void {
    if (this.#entries.has(key))
      throw new RegistryError('duplicate', `${this.#what} "${key}" is registered already.`)
  }

  /** Finds out again what is seen, in order of registration. */
  #see(): void {
    const seen = [...this.#entries].flatMap(([key, { entry, exposed }]) =>
      exposed && this.#open ? [[key, entry] as const] : [],
    )
    this.#seen = new Map(seen)
    this.#touch()
  }

  #touch(): void {
    this.#list = undefined
    this.#changed()
  }
}
