import { isFailure } from './baseline.ts'
import { explanation, transportLabel } from './check-name.ts'
import type { ReportedCheck } from './report-schema.ts'

/** What a row of the report says at first sight. */
export type RowKind = 'new' | 'failed' | 'known' | 'broken' | 'warned' | 'inconclusive' | 'skipped' | 'passed'

const ORDER: readonly RowKind[] = [
  'new',
  'failed',
  'broken',
  'known',
  'warned',
  'inconclusive',
  'skipped',
  'passed',
]

/** One check with the same outcome in several cells. */
export type CheckGroup = {
  readonly kind: RowKind
  readonly first: ReportedCheck
  readonly all: readonly ReportedCheck[]
}

/** The checks of a report, those with the same outcome together; what must be read first comes first. */
export function checkGroups(checks: readonly ReportedCheck[]): readonly CheckGroup[] {
  const groups = Map.groupBy(checks, (check) =>
    JSON.stringify([check.id, kindOf(check), kindOf(check) === 'passed' ? '' : explanation(check)]),
  )
  return [...groups.values()]
    .flatMap((all): CheckGroup[] => {
      const [first] = all
      return first === undefined ? [] : [{ kind: kindOf(first), first, all }]
    })
    .toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
}

export function kindOf(check: ReportedCheck): RowKind {
  if (check.baseline === 'known') return 'known'
  if (check.verdict === 'broken' || check.verdict === 'flaky') return 'broken'
  if (isFailure(check)) return check.baseline === 'new' ? 'new' : 'failed'
  if (check.verdict === 'notApplicable') return 'skipped'
  return check.verdict === 'warned' || check.verdict === 'inconclusive' ? check.verdict : 'passed'
}

/** Where a group applies: `2025-11-25, stdio` or `3 revisions, stdio`. */
export function cellsLabel(all: readonly ReportedCheck[]): string {
  const revisions = [...new Set(all.map(({ revision }) => revision))]
  const transports = [...new Set(all.map(({ transport }) => transport))]
  const [transport] = transports
  return [
    revisions.length === 1 ? revisions.join() : `${revisions.length} revisions`,
    transports.length === 1 && transport !== undefined
      ? transportLabel(transport)
      : `${transports.length} transports`,
  ].join(', ')
}
