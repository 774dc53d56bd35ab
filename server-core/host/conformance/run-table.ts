import type { Catalogue } from '../../conformance/catalogue/catalogue.ts'
import type { ConformanceReport, ReportedCheck } from '../../conformance/report/report-schema.ts'
import type { Cell } from '../../conformance/verdict.ts'
import type { CellState, CheckStatus, RunView } from '../contract/conformance.ts'
import { STATUS_LETTERS } from '../contract/conformance-letters.ts'

/** A check in one cell: before it has ended it has no result. */
export type TableRow = {
  readonly id: string
  readonly title: string
  readonly severity: ReportedCheck['severity']
  readonly statements: readonly string[]
  readonly status: CheckStatus
  readonly check?: ReportedCheck
}

type TableCell = { readonly cell: Cell; readonly rows: Map<string, TableRow> }

/** The checks of a run by cell, in the order of the catalogue. */
export class RunTable {
  readonly #catalogue: Catalogue
  readonly #order: ReadonlyMap<string, number>
  readonly #cells = new Map<string, TableCell>()
  unsupported: ConformanceReport['unsupported'] = []

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#order = new Map([...catalogue.checks.keys()].map((id, index) => [id, index]))
  }

  /** The table of a report. */
  static of(report: ConformanceReport, catalogue: Catalogue): RunTable {
    const table = new RunTable(catalogue)
    table.unsupported = report.unsupported
    for (const check of report.checks.toSorted((one, other) => table.#place(one.id) - table.#place(other.id)))
      table.set(check)
    return table
  }

  /** Puts checks that will run in place of what they came to before. */
  queue(cell: Cell, rows: readonly Omit<TableRow, 'status' | 'check'>[]): void {
    const known = this.#cellOf(cell)
    for (const row of rows) known.rows.set(row.id, { ...row, status: 'queued' })
    const sorted = [...known.rows.values()].toSorted((a, b) => this.#place(a.id) - this.#place(b.id))
    known.rows.clear()
    for (const row of sorted) known.rows.set(row.id, row)
  }

  begin(cell: Cell, id: string): void {
    const { rows } = this.#cellOf(cell)
    const row = rows.get(id)
    if (row !== undefined) rows.set(id, { ...row, status: 'running' })
  }

  set(check: ReportedCheck): void {
    const { id, title, severity, statements, verdict } = check
    const { rows } = this.#cellOf(check as Cell)
    rows.set(id, { id, title, severity, statements, status: verdict, check })
  }

  /** All rows of a cell; empty for one that has none. */
  rows(cell: Pick<Cell, 'revision' | 'transport'>): readonly TableRow[] {
    return [...(this.#cells.get(keyOf(cell))?.rows.values() ?? [])]
  }

  row(cell: Pick<Cell, 'revision' | 'transport'>, id: string): TableRow | undefined {
    return this.#cells.get(keyOf(cell))?.rows.get(id)
  }

  get cells(): readonly Cell[] {
    return [...this.#cells.values()].map(({ cell }) => cell)
  }

  /** The name of the subject that a check belongs to. */
  areaOf(id: string): string {
    const group = this.#catalogue.checks.get(withoutSide(id))?.group ?? 'Other'
    return group.replace(/ \((?!\d{4}-\d{2}-\d{2}\)).*$/, '')
  }

  /** What a page draws of the table. */
  view(): Pick<RunView, 'cells' | 'areas' | 'counts' | 'expected' | 'unsupported'> {
    const counts: Record<string, number> = {}
    const areas = new Map<string, { total: number; failed: number; warned: number; ended: number }>()
    let expected = 0
    const cells = [...this.#cells.values()].map(({ cell, rows }): CellState => {
      let letters = ''
      for (const { id, status, check } of rows.values()) {
        letters += STATUS_LETTERS[status]
        counts[status] = (counts[status] ?? 0) + 1
        const name = this.areaOf(id)
        const area = areas.get(name) ?? { total: 0, failed: 0, warned: 0, ended: 0 }
        areas.set(name, area)
        area.total += 1
        if (isFailure(status) && check?.baseline === 'known') expected += 1
        else if (isFailure(status)) area.failed += 1
        if (status === 'warned') area.warned += 1
        if (status !== 'queued' && status !== 'running') area.ended += 1
      }
      return { revision: cell.revision, transport: cell.transport, letters }
    })
    return {
      cells,
      areas: [...areas].map(([name, area]) => ({ name, ...area })),
      counts,
      expected,
      unsupported: this.unsupported.map(({ revision, transport, reason }) => ({
        revision: revision as Cell['revision'],
        transport,
        reason,
      })),
    }
  }

  #cellOf(cell: Cell): TableCell {
    const known = this.#cells.get(keyOf(cell))
    if (known !== undefined) return known
    const { side, revision, transport } = cell
    const made: TableCell = { cell: { side, revision, transport }, rows: new Map() }
    this.#cells.set(keyOf(cell), made)
    return made
  }

  #place(id: string): number {
    return this.#order.get(withoutSide(id)) ?? 0
  }
}

/** Whether a check failed, by its status. */
export function isFailure(status: CheckStatus | undefined): boolean {
  return status === 'failed' || status === 'broken' || status === 'flaky'
}

/** A check of both sides has its side behind its id in reports; the catalogue has none. */
export function withoutSide(id: string): string {
  return id.replace(/\/(server|client)$/, '')
}

function keyOf({ revision, transport }: Pick<Cell, 'revision' | 'transport'>): string {
  return `${revision} ${transport}`
}
