import { Row, type RowStart, type StoredFrame } from './row.ts'
import { joinRow } from './row-growth.ts'
import { byStart, startedBefore } from './row-list.ts'
import { rowNumber } from './row-number.ts'

/** Methods that are remembered, so that rows of one method share its text. */
const METHODS = 256

/** Starts rows and collects which of them changed since listeners were last notified. */
export class RowStore {
  readonly #methods = new Map<string, string>()
  readonly #changed = new Set<Row>()
  #removed: string[] = []
  /** Without listeners nobody would take what is collected. */
  #collecting = false
  /** The frame that started the newest row, and how many rows it started. */
  #seq = 0
  #index = 0

  /** Starts a row with its first frame; it is the newest of its connection. */
  start(start: RowStart, frame: StoredFrame): Row {
    this.#index = frame.seq === this.#seq ? this.#index + 1 : 0
    this.#seq = frame.seq
    const { connection } = start
    const label = connection.newest?.label === start.label ? connection.newest.label : start.label
    const method = this.#shared(start.method)
    const row = new Row(rowNumber(frame.seq, this.#index), { ...start, method, label }, frame)
    joinRow(row, frame)
    connection.newest = row
    connection.rows.add(row)
    this.touch(row)
    return row
  }

  /** Marks a row as changed. */
  touch(row: Row): void {
    if (this.#collecting && !row.isDropped) this.#changed.add(row)
  }

  /** A row is no longer stored. */
  dropped(row: Row): void {
    this.#changed.delete(row)
    if (row.parent !== undefined) this.touch(row.parent)
    if (this.#collecting && row.isKnown) this.#removed.push(row.id)
  }

  /** Starts or stops collecting what `takeChanges` returns. */
  collectChanges(collecting: boolean): void {
    this.#collecting = collecting
    if (!collecting) this.forgetChanges()
  }

  forgetChanges(): void {
    this.#changed.clear()
    this.#removed = []
  }

  /**
   * The rows that changed since the last call, in the order in which they started, and the ids of dropped rows that
   * listeners know. Rows that a frame from `beforeSeq` on started stay for a later call.
   */
  takeChanges(beforeSeq: number): { readonly rows: Row[]; readonly removed: string[] } {
    const rows: Row[] = []
    for (const row of this.#changed) {
      if (!startedBefore(row, beforeSeq)) continue
      rows.push(row)
      this.#changed.delete(row)
    }
    const removed = this.#removed
    this.#removed = []
    return { rows: rows.sort(byStart), removed }
  }

  #shared(method: string): string {
    const known = this.#methods.get(method)
    if (known !== undefined) return known
    if (this.#methods.size < METHODS) this.#methods.set(method, method)
    return method
  }
}
