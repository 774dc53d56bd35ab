import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/** The rows of the timeline in order of their arrival. `version` grows whenever a row came, grew or went. */
export interface Exchanges {
  readonly rows: readonly Exchange[]
  readonly version: number
}

/** Keeps rows by id; a row that grows stays in its place. */
export class ExchangeRows {
  #rows: Exchange[] = []
  #places = new Map<string, number>()
  #version = 0
  #snapshot: Exchanges = { rows: [], version: 0 }

  /** The present rows. The same array until something is removed; read it anew when `version` has changed. */
  get snapshot(): Exchanges {
    return this.#snapshot
  }

  apply(change: {
    cleared?: boolean | undefined
    removed?: readonly string[] | undefined
    exchanges?: readonly Exchange[] | undefined
  }): void {
    if (change.cleared === true) {
      this.#rows = []
      this.#places = new Map()
    }
    if (change.removed !== undefined && change.removed.length > 0) this.#remove(new Set(change.removed))
    for (const exchange of change.exchanges ?? []) {
      const place = this.#places.get(exchange.id)
      if (place === undefined) {
        this.#places.set(exchange.id, this.#rows.length)
        this.#rows.push(exchange)
      } else {
        this.#rows[place] = exchange
      }
    }
    this.#version += 1
    this.#snapshot = { rows: this.#rows, version: this.#version }
  }

  #remove(ids: ReadonlySet<string>): void {
    this.#rows = this.#rows.filter((row) => !ids.has(row.id))
    this.#places = new Map(this.#rows.map((row, place) => [row.id, place]))
  }
}
