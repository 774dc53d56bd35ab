import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { Exchanges } from '../host/exchange-rows.ts'

const NONE: readonly number[] = []

/**
 * Which exchange contains which. Rows never change their parent, so a change costs what came and went; only when the
 * rows were moved to other places the tree is built again.
 */
export class ExchangeTree {
  #exchanges: Exchanges | undefined
  #read = 0
  #roots: number[] = []
  #children = new Map<string, number[]>()

  /**
   * Places of the rows that no other contains, in time order. A row whose parent was dropped is one of them. The array is
   * another one after rows were removed, and grows otherwise.
   */
  get roots(): readonly number[] {
    return this.#roots
  }

  /** Applies the next change of the rows. */
  update(exchanges: Exchanges): void {
    const before = this.#exchanges
    this.#exchanges = exchanges
    const { rows, removed, version } = exchanges
    if (rows === before?.rows && version <= before.version + 1) {
      if (version > before.version) this.#remove(removed.map(({ row }) => row))
    } else {
      this.#read = 0
      this.#roots = []
      this.#children = new Map()
    }
    for (; this.#read < rows.length; this.#read += 1) {
      const row = rows[this.#read]
      if (row !== undefined) this.#add(row, this.#read)
    }
  }

  at(place: number): Exchange | undefined {
    return this.#exchanges?.rows[place]
  }

  placeOf(id: string): number | undefined {
    const place = this.#exchanges?.placeOf(id)
    return place !== undefined && place < this.#read ? place : undefined
  }

  /** Places of the rows inside, in time order. */
  childrenOf(id: string): readonly number[] {
    return this.#children.get(id) ?? NONE
  }

  /** How deep a row stands; 0 for a root. */
  depthOf(row: Exchange): number {
    let depth = 0
    for (let parent = this.parentOf(row); parent !== undefined; parent = this.parentOf(parent)) depth += 1
    return depth
  }

  parentOf(row: Exchange): Exchange | undefined {
    const place = row.parentId === undefined ? undefined : this.placeOf(row.parentId)
    return place === undefined ? undefined : this.at(place)
  }

  #add(row: Exchange, place: number): void {
    const parent = row.parentId === undefined ? undefined : this.#exchanges?.placeOf(row.parentId)
    if (row.parentId === undefined || parent === undefined || parent > place) {
      this.#roots.push(place)
      return
    }
    const siblings = this.#children.get(row.parentId)
    if (siblings === undefined) this.#children.set(row.parentId, [place])
    else siblings.push(place)
  }

  #remove(removed: readonly Exchange[]): void {
    if (removed.length === 0) return
    const isStored = (place: number): boolean => this.at(place) !== undefined
    const parents = new Set<string>()
    const orphans: number[] = []
    for (const row of removed) {
      if (row.parentId !== undefined) parents.add(row.parentId)
      orphans.push(...this.childrenOf(row.id).filter(isStored))
      this.#children.delete(row.id)
    }
    for (const id of parents) {
      const left = this.childrenOf(id).filter(isStored)
      if (left.length === 0) this.#children.delete(id)
      else this.#children.set(id, left)
    }
    this.#roots = this.#roots.filter(isStored)
    if (orphans.length > 0) this.#roots = [...this.#roots, ...orphans].sort((a, b) => a - b)
  }
}

export interface TreeView {
  /** Places of the rows that are shown, from top to bottom. */
  readonly places: readonly number[]
  /** Whether `places` rise from top to bottom: nothing is expanded. */
  readonly isSorted: boolean
  /** How many exchanges (rows without a parent) are shown, and how many there are. */
  readonly shown: number
  readonly total: number
}

/**
 * The rows that are shown: every root with what is expanded, or with a filter the matching rows and
 * their parents. A parent that is there only for a row inside it shows just that.
 */
export function viewOf(
  tree: ExchangeTree,
  expanded: ReadonlySet<string>,
  matches: ((row: Exchange) => boolean) | undefined,
): TreeView {
  const { roots } = tree
  if (expanded.size === 0 && matches === undefined) {
    return { places: roots, isSorted: true, shown: roots.length, total: roots.length }
  }
  const places: number[] = []
  let shown = 0
  for (const root of roots) if (addRow(root)) shown += 1
  return { places, isSorted: expanded.size === 0 && matches === undefined, shown, total: roots.length }

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

/** Whether `next` is `before` with more places at its end, so that nothing shown moves. */
export function onlyAppends(before: readonly number[], next: readonly number[]): boolean {
  if (next === before) return true
  return next.length >= before.length && before.every((place, index) => next[index] === place)
}

type Places = Pick<TreeView, 'places' | 'isSorted'>

/** The index of a place among those that are shown; -1 if it is not. */
export function indexOfPlace({ places, isSorted }: Places, place: number): number {
  if (!isSorted) return places.indexOf(place)
  const index = lowerBound(places, place)
  return places[index] === place ? index : -1
}

/** How many of the shown rows came after the one at that place. */
export function countAfter({ places, isSorted }: Places, place: number): number {
  if (isSorted) return places.length - lowerBound(places, place + 1)
  return places.reduce((count, each) => (each > place ? count + 1 : count), 0)
}

/** The index of the first place that is not before `place`; `places` must rise. */
function lowerBound(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle] ?? Infinity) < place) low = middle + 1
    else high = middle
  }
  return low
}
