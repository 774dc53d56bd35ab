import type { CheckEntry } from '../catalogue/catalogue.ts'
import { CatalogueError } from '../catalogue/catalogue-error.ts'
import { examines, type Check } from '../check.ts'
import type { Cell } from '../verdict.ts'
import type { RunOptions } from './run-options.ts'

/** A check with what the catalogue says about it. */
export type SelectedCheck = { readonly check: Check; readonly entry: CheckEntry }

/** The checks of a run in one cell, in the order of the catalogue. Throws a `CatalogueError` for an unknown id. */
export function selectChecks(
  options: Pick<RunOptions, 'catalogue' | 'checks' | 'grep' | 'only'>,
  cell: Cell,
): readonly SelectedCheck[] {
  const { catalogue, grep = '', only } = options
  const selected = options.checks.flatMap((check): SelectedCheck[] => {
    const entry = catalogue.checks.get(check.id)
    if (entry === undefined) throw new CatalogueError(`The catalogue has no check ${check.id}`)
    const isMine =
      examines(check, cell.side) &&
      entry.sides.includes(cell.side) &&
      entry.revisions.includes(cell.revision) &&
      entry.transports.includes(cell.transport)
    if (!isMine || only?.(check.id, cell) === false || !matches(entry, check, grep)) return []
    return [{ check, entry: { ...entry, title: check.title ?? entry.title } }]
  })
  const order = new Map([...catalogue.checks.keys()].map((id, index) => [id, index]))
  return selected.toSorted((a, b) => (order.get(a.entry.id) ?? 0) - (order.get(b.entry.id) ?? 0))
}

/** Why a selected check does not run without a further option; undefined if it does. */
export function heldBack({ check, entry }: SelectedCheck, options: RunOptions): string | undefined {
  if (entry.destructive && options.destructive !== true) return 'it may harm the peer; add --destructive'
  if (check.slow === true && options.slow !== true) return 'it waits for more than 5 s; add --slow'
  if (check.ends === true && options.ends !== true) return 'it ends or restarts the peer; add --ends'
  return undefined
}

function matches(entry: CheckEntry, check: Check, grep: string): boolean {
  if (grep === '') return true
  const text = [entry.id, check.title ?? entry.title, ...entry.statements].join('\n').toLowerCase()
  return text.includes(grep.toLowerCase())
}
