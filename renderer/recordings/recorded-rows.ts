import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { ExchangeRows, type Exchanges } from '../host/exchange-rows.ts'
import { Observable } from '../state/observable.ts'
import { timelineStateOf, type TimelineState } from '../timeline/selection.ts'

/** The rows of a recording as a timeline. */
export class RecordedRows {
  readonly state: TimelineState
  readonly #exchanges = new Observable<Exchanges>(new ExchangeRows().snapshot)
  #shown: readonly Exchange[] = []

  constructor() {
    this.state = timelineStateOf(this.#exchanges)
    this.state.following.setFollow(false)
  }

  /** Shows these rows, in time order, in place of those before. */
  show(rows: readonly Exchange[]): void {
    if (rows.length === this.#shown.length && rows.every((row, place) => row === this.#shown[place])) return
    this.#shown = rows
    const next = new ExchangeRows()
    next.apply({ exchanges: rows })
    // Rows of another array are read again as a whole.
    this.#exchanges.set({ ...next.snapshot, version: this.#exchanges.get().version + 2 })
  }
}
