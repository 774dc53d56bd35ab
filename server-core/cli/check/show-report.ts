import { isFailure } from '../../conformance/report/baseline.ts'
import { explanation, transportLabel } from '../../conformance/report/check-name.ts'
import type { ConformanceReport, ReportedCheck } from '../../conformance/report/report-schema.ts'
import { table } from '../output/table.ts'

/** Problems first, then what changed against the baseline, then the counts. */
export function describeReport(report: ConformanceReport, onlyFailed: boolean): string {
  const problems = report.checks.filter((check) =>
    onlyFailed ? isFailure(check) : !['passed', 'notApplicable'].includes(check.verdict),
  )
  const fixed = report.checks.filter(({ baseline }) => baseline === 'fixed')
  const counts = Object.entries(report.summary)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict === 'notApplicable' ? 'not applicable' : verdict}`)
  const { baseline, suite, seed, unsupported } = report
  const unreached = unsupported.map(
    ({ revision, transport, reason }) =>
      `${revision} ${transportLabel(transport)}: not supported (${reason})`,
  )
  return [
    ...(problems.length === 0 ? [] : [table(problems.map(row)), '']),
    ...pagesOf(problems),
    ...(fixed.length === 0
      ? []
      : [
          'Fixed; --update-baseline removes them:',
          table(fixed.map(({ id, revision, transport }) => [id, revision, transport])),
          '',
        ]),
    ...(unreached.length === 0 ? [] : [...unreached, '']),
    ...(baseline === undefined
      ? []
      : [`${baseline.new} new, ${baseline.known} known, ${baseline.fixed} fixed (${baseline.file})`]),
    ...(suite.score === undefined ? [] : [`score of the suite ${suite.name}: ${suite.score} of 100`]),
    `${counts.join(', ')}; ${(report.durationMs / 1000).toFixed(1)} s, seed ${seed}`,
  ].join('\n')
}

const MOST_PAGES = 10

/** Where the checks that failed are described. */
function pagesOf(problems: readonly ReportedCheck[]): readonly string[] {
  const pages = [...new Set(problems.filter(isFailure).flatMap(({ page }) => page ?? []))]
  const left = pages.length - MOST_PAGES
  if (pages.length === 0) return []
  return [
    'What the failed checks examine:',
    ...pages.slice(0, MOST_PAGES).map((page) => `  ${page}`),
    ...(left > 0 ? [`  … and ${left} more`] : []),
    '',
  ]
}

function row(check: ReportedCheck): readonly string[] {
  const { verdict, baseline, id, revision, transport } = check
  const mark = isFailure(check) && baseline !== undefined ? `${verdict} (${baseline})` : verdict
  return [mark, id, revision, transport, explanation(check).split('\n')[0] ?? '']
}
