import type { EntryFault } from './source.ts'

/** An entry of one source in the list of its kind. */
export type Slot<Entry> = {
  readonly source: string
  /** Its original name with the prefix; of resources and templates the URI. */
  readonly name: string
  /** What it is called by outside. */
  readonly shownName: string
  /** As its source has it. */
  readonly own: Entry
  /** As it is served; undefined where it cannot be. */
  readonly published: Entry | undefined
  /** Why it cannot be. */
  readonly fault?: EntryFault
  readonly enabled: boolean
  /** It precedes any other of its name. */
  readonly overrides: boolean
}

/** Who has which name: the one that had it first, but for overrides. Those that are switched off have none. */
export class NameTable<Entry> {
  readonly #byName = new Map<string, readonly Slot<Entry>[]>()

  /** The slot that has the name. */
  holder(shownName: string): Slot<Entry> | undefined {
    return this.#byName.get(shownName)?.[0]
  }

  add(slot: Slot<Entry>): void {
    if (!claims(slot)) return
    const all = this.#byName.get(slot.shownName) ?? []
    const overriding = slot.overrides ? all.filter(({ overrides }) => overrides).length : all.length
    this.#byName.set(slot.shownName, all.toSpliced(overriding, 0, slot))
  }

  remove(slot: Slot<Entry>): void {
    const left = this.#byName.get(slot.shownName)?.filter((each) => each !== slot) ?? []
    if (left.length > 0) this.#byName.set(slot.shownName, left)
    else this.#byName.delete(slot.shownName)
  }

  /** Puts a slot in the place of one of the same source; under the same name it keeps its turn. */
  replace(before: Slot<Entry>, now: Slot<Entry>): void {
    const all = this.#byName.get(before.shownName)
    const sameName = before.shownName === now.shownName && before.overrides === now.overrides
    if (sameName && claims(now) && all?.includes(before) === true) {
      this.#byName.set(
        now.shownName,
        all.map((each) => (each === before ? now : each)),
      )
      return
    }
    this.remove(before)
    this.add(now)
  }
}

function claims({ enabled, published }: Slot<unknown>): boolean {
  return enabled && published !== undefined
}
