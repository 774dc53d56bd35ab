import { firstSeq } from './row-number.ts'
import type { Row } from './row.ts'
import type { Usage } from './usage.ts'

/** Exchanges that say who the two sides are; the newest of each server are kept whatever else comes. */
const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover'])
const KEPT_HANDSHAKES = 16
/** The share of the list that dropped rows may take before it is compacted: until then they use memory. */
const DROPPED_SHARE = 1 / 16
/** With fewer rows the list is not compacted. */
const FEW_ROWS = 1_024

/** The rows of one server on one side, in the order in which they started. */
export class RowList {
  readonly #usage: Usage
  readonly #removed: (row: Row) => void
  #rows: Row[] = []
  #gone = 0
  #cost = 0
  /** The newest handshakes. */
  #handshakes: Row[] = []

  /** `removed` is called with each row that is dropped. */
  constructor(usage: Usage, removed: (row: Row) => void) {
    this.#usage = usage
    this.#removed = removed
  }

  /** How many rows are stored. */
  get size(): number {
    return this.#rows.length - this.#gone
  }

  /** Bytes of memory that the rows take, roughly. */
  get cost(): number {
    return this.#cost
  }

  add(row: Row): void {
    this.#rows.push(row)
    this.#count(1, row.cost)
    if (row.parent !== undefined) row.parent.inside += 1
    if (row.kind !== 'request' || !HANDSHAKES.has(row.method)) return
    this.#handshakes.push(row)
    if (this.#handshakes.length > KEPT_HANDSHAKES) this.#handshakes.shift()
  }

  /** Whether the row outlives the frames around it: it is open, contains stored rows, or is a recent handshake. */
  outlives(row: Row): boolean {
    return !row.isDropped && (row.outcome === 'open' || row.inside > 0 || this.#handshakes.includes(row))
  }

  isHandshake(row: Row): boolean {
    return this.#handshakes.includes(row)
  }

  /** Drops a row. */
  remove(row: Row): void {
    if (row.isDropped) return
    row.isDropped = true
    row.connection.forget(row)
    this.#gone += 1
    this.#count(-1, -row.cost)
    if (row.parent !== undefined) row.parent.inside -= 1
    this.#removed(row)
    if (this.#rows.length > FEW_ROWS && this.#gone > this.#rows.length * DROPPED_SHARE) this.compact()
  }

  /** The stored rows. */
  *stored(): Generator<Row> {
    for (const row of this.#rows) if (!row.isDropped) yield row
  }

  /** Frees the places of rows that were dropped. */
  compact(): void {
    // A new list, because somebody may be iterating over the old one.
    this.#rows = this.#rows.filter((row) => !row.isDropped)
    this.#handshakes = this.#handshakes.filter((row) => !row.isDropped)
    this.#gone = 0
  }

  #count(rows: number, cost: number): void {
    this.#usage.rows += rows
    this.#usage.cost += cost
    this.#cost += cost
  }
}

/** Sorts rows by the order in which they started. */
export function byStart(one: Row, other: Row): number {
  return one.number - other.number
}

/** Whether a row started before the frame with that number. */
export function startedBefore(row: Row, seq: number): boolean {
  return firstSeq(row.number) < seq
}
