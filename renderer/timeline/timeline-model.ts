import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { Exchanges } from '../host/exchange-rows.ts'
import { Observable } from '../state/observable.ts'
import { ExchangeTree, onlyAppends, viewOf, type TreeView } from './exchange-tree.ts'
import { holds, type FilterTerm } from './filter.ts'

const MANY_ROWS = 5_000
const TYPING_PAUSE_MS = 150

/** What the timeline shows at one moment. `places` point into `rows`. */
export interface TimelineView extends TreeView {
  /** By place; the place of a removed row is empty. */
  readonly rows: readonly (Exchange | undefined)[]
  readonly tree: ExchangeTree
  readonly expanded: ReadonlySet<string>
  readonly terms: readonly FilterTerm[]
  /** Grows with every change of any row. */
  readonly version: number
}

/**
 * Turns the stream of rows into what is shown: nesting, filter, expansion. While it is held (the pointer is over
 * the list) rows may come at the end, but none comes, goes or moves among those that are shown, unless the user
 * asked for it.
 */
export class TimelineModel {
  readonly view: Observable<TimelineView>
  readonly #tree = new ExchangeTree()
  #exchanges: Exchanges
  #expanded: ReadonlySet<string> = new Set()
  #terms: readonly FilterTerm[] = []
  #isHeld = false
  #version = 0
  #pending: ReturnType<typeof setTimeout> | undefined
  /** What the filter says of rows that are over; a row that changes is another object. */
  #verdicts = new WeakMap<Exchange, boolean>()

  constructor(source: Pick<Observable<Exchanges>, 'get' | 'subscribe'>) {
    this.#exchanges = source.get()
    this.view = new Observable(this.#next())
    source.subscribe(() => {
      const { rows } = this.#exchanges
      this.#exchanges = source.get()
      const onlyGrew = rows === this.#exchanges.rows && this.#exchanges.removed.length === 0
      this.#publish(this.#isHeld && onlyGrew)
    })
  }

  readonly isHeld = (): boolean => this.#isHeld

  /** Whether the rows that are shown must stay where they are. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#publish(false)
  }

  /** Shows only what the words ask for; with many rows not before the typing pauses. */
  filter(terms: readonly FilterTerm[]): void {
    clearTimeout(this.#pending)
    if (this.#exchanges.rows.length <= MANY_ROWS) this.#filter(terms)
    else this.#pending = setTimeout(() => this.#filter(terms), TYPING_PAUSE_MS)
  }

  #filter(terms: readonly FilterTerm[]): void {
    this.#terms = terms
    this.#verdicts = new WeakMap()
    this.#publish(false)
  }

  setExpanded(ids: Iterable<string>, isExpanded: boolean): void {
    const next = new Set(this.#expanded)
    for (const id of ids) {
      if (isExpanded) next.add(id)
      else next.delete(id)
    }
    this.#expanded = next
    this.#publish(false)
  }

  collapseAll(): void {
    this.#expanded = new Set()
    this.#publish(false)
  }

  /** How many exchanges would be shown with these words instead of the present ones. */
  countWith(terms: readonly FilterTerm[]): number {
    const now = Date.now()
    return viewOf(this.#tree, new Set(), (row) => holds(terms, row, now)).shown
  }

  #publish(keepPlaces: boolean): void {
    const next = this.#next()
    const { places } = this.view.get()
    this.view.set(keepPlaces && !onlyAppends(places, next.places) ? { ...next, places } : next)
  }

  #next(): TimelineView {
    this.#tree.update(this.#exchanges)
    this.#version += 1
    const matches = this.#terms.length === 0 ? undefined : this.#matcher()
    return {
      ...viewOf(this.#tree, this.#expanded, matches),
      rows: this.#exchanges.rows,
      tree: this.#tree,
      expanded: this.#expanded,
      terms: this.#terms,
      version: this.#version,
    }
  }

  #matcher(): (row: Exchange) => boolean {
    const now = Date.now()
    return (row) => {
      if (row.outcome === 'open') return holds(this.#terms, row, now)
      const known = this.#verdicts.get(row)
      if (known !== undefined) return known
      const verdict = holds(this.#terms, row, now)
      this.#verdicts.set(row, verdict)
      return verdict
    }
  }
}
