import { VERDICTS } from '../verdict.ts'
import { compareWithBaseline, isFailure, type Baseline } from './baseline.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

/** Names a check in one cell of a report. */
export function checkKey({
  id,
  side,
  revision,
  transport,
}: Pick<ReportedCheck, 'id' | 'side' | 'revision' | 'transport'>): string {
  return `${id} ${side} ${revision} ${transport}`
}

/**
 * A report with the checks of a later run of some of them in place of the earlier ones: seed, time and command are those
 * of the later run.
 */
export function mergeReports(before: ConformanceReport, later: ConformanceReport): ConformanceReport {
  const again = new Map(later.checks.map((check) => [checkKey(check), check]))
  const kept = before.checks.map((check) => {
    const newer = again.get(checkKey(check))
    again.delete(checkKey(check))
    return newer ?? check
  })
  const checks = [...kept, ...again.values()]
  const reached = new Set(later.cells.map(cellKey))
  const cells = [
    ...before.cells,
    ...later.cells.filter((cell) => !before.cells.some((known) => cellKey(known) === cellKey(cell))),
  ]
  const { baseline: _, reason: _reason, ...rest } = later
  const suite = { name: before.suite.name, ...scoreOf(before, checks) }
  const merged: ConformanceReport = {
    ...rest,
    suite,
    cells,
    unsupported: before.unsupported.filter((cell) => !reached.has(cellKey(cell))),
    clauses: { ...before.clauses, ...later.clauses },
    checks,
    summary: summaryOfChecks(checks),
    verdict: 'passed',
  }
  return judged(merged, later.baseline?.file ?? before.baseline?.file)
}

/** A report compared with another baseline than before. */
export function withBaseline(
  report: ConformanceReport,
  baseline: Baseline,
  file: string,
  today: string,
): ConformanceReport {
  const plain = report.checks.map(({ baseline: _, ...check }) => check)
  return judged({ ...report, checks: [...compareWithBaseline(plain, baseline, today)] }, file)
}

/** How many checks of a report have each verdict. */
export function summaryOfChecks(checks: readonly ReportedCheck[]): ConformanceReport['summary'] {
  const count = (verdict: string): number => checks.filter((check) => check.verdict === verdict).length
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)]))
}

/** The verdict and the counts of the baseline that follow from the checks. */
function judged(report: ConformanceReport, file: string | undefined): ConformanceReport {
  const { checks, cells, baseline: _, ...rest } = report
  const marked = (mark: ReportedCheck['baseline']): number =>
    checks.filter((check) => check.baseline === mark).length
  const hasFailed = checks.some((check) => isFailure(check) && check.baseline !== 'known')
  return {
    ...rest,
    cells,
    checks,
    verdict: cells.length === 0 ? 'inconclusive' : hasFailed ? 'failed' : 'passed',
    ...(file !== undefined && {
      baseline: { file, new: marked('new'), known: marked('known'), fixed: marked('fixed') },
    }),
  }
}

function scoreOf({ suite }: ConformanceReport, checks: readonly ReportedCheck[]): { score?: number } {
  if (suite.score === undefined) return {}
  const { passed = 0, warned = 0, failed = 0, flaky = 0 } = summaryOfChecks(checks)
  const total = passed + warned + failed + flaky
  return total === 0 ? {} : { score: Math.round((1000 * passed) / total) / 10 }
}

function cellKey({ side, revision, transport }: ConformanceReport['cells'][number]): string {
  return `${side} ${revision} ${transport}`
}
