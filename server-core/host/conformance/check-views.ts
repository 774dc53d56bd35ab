import type { Catalogue } from '../../conformance/catalogue/catalogue.ts'
import { checkPageUrl } from '../../conformance/report/check-page-url.ts'
import type { clauseOf } from '../../conformance/report/conformance-report.ts'
import { checkKey } from '../../conformance/report/merge-reports.ts'
import { timesLabel } from '../../conformance/report/check-name.ts'
import type { Cell } from '../../conformance/verdict.ts'
import type { CheckDetail, CheckRow } from '../contract/conformance.ts'
import { isFailure, withoutSide, type RunTable, type TableRow } from './run-table.ts'
import type { StoredSummary } from './run-store.ts'

type CellName = Pick<Cell, 'side' | 'revision' | 'transport'>

/** The rows of one cell. */
export function checkRows(
  table: RunTable,
  cell: CellName,
  catalogue: Catalogue,
  before: StoredSummary | undefined,
): CheckRow[] {
  return table.rows(cell).map((row) => rowOf(row, table, cell, catalogue, before))
}

function rowOf(
  row: TableRow,
  table: RunTable,
  cell: CellName,
  catalogue: Catalogue,
  before: StoredSummary | undefined,
): CheckRow {
  const { id, title, severity, status, statements, check } = row
  const [first] = statements
  const section = first === undefined ? undefined : catalogue.statements.get(first)?.section
  const earlier = before?.verdicts[checkKey({ id, ...cell })]
  const hasEnded = status !== 'queued' && status !== 'running'
  return {
    id,
    title,
    area: table.areaOf(id),
    status,
    severity,
    clause: section === undefined ? '' : clauseLabel(section),
    ...(check !== undefined && { durationMs: check.durationMs }),
    ...(check?.baseline !== undefined && { baseline: check.baseline }),
    ...(hasEnded && earlier !== undefined && earlier !== status && { before: earlier }),
  }
}

/** `basic/transports#session-management` as people read it: `Transports, session management`. */
export function clauseLabel(section: string): string {
  const [first = ''] = section.split(';')
  const [page = '', anchor] = first.trim().split('#')
  const parts = page.split('/').filter((part) => part !== 'index' && part !== '')
  const name = (parts.at(-1) ?? page).replaceAll('-', ' ')
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return anchor === undefined ? title : `${title}, ${anchor.replaceAll('-', ' ')}`
}

/** What a detail needs beside its row. */
export type DetailParts = {
  readonly table: RunTable
  readonly cell: CellName
  readonly catalogue: Catalogue
  readonly summaries: readonly StoredSummary[]
  readonly before: StoredSummary | undefined
  readonly clauseOf: typeof clauseOf
  readonly repeat: string
}

/** Runs of one check that are shown. */
const HISTORY = 20

/** Everything about one check in one cell. */
export function checkDetail(row: TableRow, parts: DetailParts): CheckDetail {
  const { table, cell, catalogue, summaries, before } = parts
  const { check, id, statements } = row
  const entry = catalogue.checks.get(withoutSide(id))
  const broken = new Set(check?.findings.map(({ statement }) => statement))
  const key = checkKey({ id, ...cell })
  return {
    ...rowOf(row, table, cell, catalogue, before),
    revision: cell.revision,
    transport: cell.transport,
    ...(check?.reason !== undefined && { reason: check.reason }),
    probe: entry?.probe ?? '',
    pass: entry?.pass ?? '',
    findings: (check?.findings ?? []).map(({ expected, actual, member, severity, frames, times }) => ({
      expected,
      actual: `${actual}${timesLabel(times)}`,
      severity,
      frames,
      ...(member !== undefined && { member }),
    })),
    frames: (check?.frames ?? []).map(({ at, ...frame }) => ({ ...frame, at: Date.parse(at) })),
    clauses: statements.flatMap((statement) => {
      const found = catalogue.statements.get(statement)
      if (found === undefined) return []
      return [{ id: statement, ...parts.clauseOf(found), isBroken: broken.has(statement) }]
    }),
    alsoIn: table.cells
      .filter(({ revision, transport }) => revision !== cell.revision || transport !== cell.transport)
      .filter((other) => {
        const status = table.row(other, id)?.status
        return isFailure(row.status) ? isFailure(status) : row.status === 'warned' && status === 'warned'
      })
      .map(({ revision, transport }) => ({ revision, transport })),
    history: summaries.slice(-HISTORY).flatMap(({ number, verdicts }) => {
      const status = verdicts[key]
      return status === undefined ? [] : [{ number, status }]
    }),
    repeat: parts.repeat,
    page: checkPageUrl(withoutSide(id)),
  }
}
