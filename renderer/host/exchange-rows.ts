import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/** A removed row, and the place that it had. */
export interface RemovedRow {
  readonly place: number
  readonly row: Exchange
}

/** The rows of the timeline in the order in which they came. */
export interface Exchanges {
  /** By place. A row keeps its place while it grows; the place of a removed row stays empty. */
  readonly rows: readonly (Exchange | undefined)[]
  readonly placeOf: (id: string) => number | undefined
  /** Grows by one with every change. */
  readonly version: number
  /** The rows that the last change removed. */
  readonly removed: readonly RemovedRow[]
}

/** When so many places are empty for each row, and at least so many, the rows are moved together. */
const EMPTY_SHARE = 3
const EMPTY_LEAST = 10_000

/** Keeps rows by id. Adding, changing and removing rows costs only what changes. */
export class ExchangeRows {
  #rows: (Exchange | undefined)[] = []
  #places = new Map<string, number>()
  #snapshot: Exchanges = { rows: [], placeOf: () => undefined, version: 0, removed: [] }

  /** The rows after the last change. Its `rows` is another array only when places changed. */
  get snapshot(): Exchanges {
    return this.#snapshot
  }

  /** Applies a change of the host: first what was removed, then new and changed rows. */
  apply(change: {
    cleared?: boolean | undefined
    removed?: readonly string[] | undefined
    exchanges?: readonly Exchange[] | undefined
  }): void {
    if (change.cleared === true) {
      this.#rows = []
      this.#places = new Map()
    }
    const removed = (change.removed ?? []).flatMap((id) => this.#remove(id) ?? [])
    const empty = this.#rows.length - this.#places.size
    if (empty > EMPTY_LEAST && empty > this.#places.size * EMPTY_SHARE) this.#moveTogether()
    for (const exchange of change.exchanges ?? []) {
      const place = this.#places.get(exchange.id)
      if (place === undefined) {
        this.#places.set(exchange.id, this.#rows.length)
        this.#rows.push(exchange)
      } else {
        this.#rows[place] = exchange
      }
    }
    const places = this.#places
    this.#snapshot = {
      rows: this.#rows,
      placeOf: (id) => places.get(id),
      version: this.#snapshot.version + 1,
      removed,
    }
  }

  /** Adds rows before all others. Every row has another place afterwards. */
  prepend(older: readonly Exchange[]): void {
    this.#rows = [...older, ...this.#rows]
    this.#moveTogether()
    const places = this.#places
    this.#snapshot = {
      rows: this.#rows,
      placeOf: (id) => places.get(id),
      version: this.#snapshot.version + 1,
      removed: [],
    }
  }

  #remove(id: string): RemovedRow | undefined {
    const place = this.#places.get(id)
    const row = place === undefined ? undefined : this.#rows[place]
    if (place === undefined || row === undefined) return undefined
    this.#rows[place] = undefined
    this.#places.delete(id)
    return { place, row }
  }

  #moveTogether(): void {
    this.#rows = this.#rows.filter((row) => row !== undefined)
    this.#places = new Map(this.#rows.flatMap((row, place) => (row === undefined ? [] : [[row.id, place]])))
  }
}
