import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/**
 * Which exchange stands inside which. Rows only ever come at the end of the same array and never change their
 * parent, so a longer array costs only what came; another array is read anew.
 */
export class ExchangeTree {
  #rows: readonly Exchange[] = []
  #read = 0
  #roots: number[] = []
  #places = new Map<string, number>()
  #children = new Map<string, number[]>()

  /** Places of the rows that stand in no other, in time order. A row whose parent is gone is one of them. */
  get roots(): readonly number[] {
    return this.#roots
  }

  update(rows: readonly Exchange[]): void {
    if (rows !== this.#rows || rows.length < this.#read) {
      this.#rows = rows
      this.#read = 0
      this.#roots = []
      this.#places = new Map()
      this.#children = new Map()
    }
    for (; this.#read < rows.length; this.#read += 1) {
      const row = rows[this.#read]
      if (row !== undefined) this.#add(row, this.#read)
    }
  }

  at(place: number): Exchange | undefined {
    return this.#rows[place]
  }

  placeOf(id: string): number | undefined {
    return this.#places.get(id)
  }

  /** Places of what stands inside, in time order. */
  childrenOf(id: string): readonly number[] {
    return this.#children.get(id) ?? []
  }

  /** How deep a row stands; 0 for a root. */
  depthOf(row: Exchange): number {
    let depth = 0
    for (let parent = this.parentOf(row); parent !== undefined; parent = this.parentOf(parent)) depth += 1
    return depth
  }

  parentOf(row: Exchange): Exchange | undefined {
    const place = row.parentId === undefined ? undefined : this.#places.get(row.parentId)
    return place === undefined ? undefined : this.#rows[place]
  }

  #add(row: Exchange, place: number): void {
    this.#places.set(row.id, place)
    if (row.parentId === undefined || !this.#places.has(row.parentId)) {
      this.#roots.push(place)
      return
    }
    const siblings = this.#children.get(row.parentId)
    if (siblings === undefined) this.#children.set(row.parentId, [place])
    else siblings.push(place)
  }
}

export interface TreeView {
  /** Places of the rows that are shown, from top to bottom. */
  readonly places: readonly number[]
  /** How many exchanges (rows that stand in no other) are shown, and how many there are. */
  readonly shown: number
  readonly total: number
}

/**
 * The rows that are shown: every root with what is expanded, or with a filter the rows that match and what they
 * stand in. A parent that is there only for a row inside it shows just that.
 */
export function viewOf(
  tree: ExchangeTree,
  expanded: ReadonlySet<string>,
  matches: ((row: Exchange) => boolean) | undefined,
): TreeView {
  const { roots } = tree
  if (expanded.size === 0 && matches === undefined) {
    return { places: roots.slice(), shown: roots.length, total: roots.length }
  }
  const places: number[] = []
  let shown = 0
  for (const root of roots) if (addRow(root)) shown += 1
  return { places, shown, total: roots.length }

  function addRow(place: number): boolean {
    const row = tree.at(place)
    if (row === undefined) return false
    const start = places.length
    places.push(place)
    if (matches === undefined || matches(row)) {
      if (expanded.has(row.id)) for (const child of tree.childrenOf(row.id)) addAll(child)
      return true
    }
    let found = false
    for (const child of tree.childrenOf(row.id)) found = addRow(child) || found
    if (!found) places.length = start
    return found
  }

  function addAll(place: number): void {
    const row = tree.at(place)
    if (row === undefined) return
    places.push(place)
    if (expanded.has(row.id)) for (const child of tree.childrenOf(row.id)) addAll(child)
  }
}

/** Whether `next` is `before` with more rows at its end, so that nothing that is shown moves. */
export function onlyAppends(before: readonly number[], next: readonly number[]): boolean {
  return next.length >= before.length && before.every((place, index) => next[index] === place)
}
