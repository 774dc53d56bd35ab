import { isFailure } from './baseline.ts'
import { cellLabel, explanation } from './check-name.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

const MOST_ANNOTATIONS = 50
const MOST_IN_SUMMARY = 100

/** Failures and warnings as workflow commands, which GitHub shows beside the run. */
export function githubAnnotations(report: ConformanceReport): string {
  const failures = report.checks.filter((check) => isFailure(check) && check.baseline !== 'known')
  const warnings = report.checks.filter(({ verdict }) => verdict === 'warned')
  const lines = [...failures, ...warnings].slice(0, MOST_ANNOTATIONS).map((check) => {
    const title = `${check.id} (${cellLabel(check)})`
    const text = [
      check.title,
      explanation(check),
      '',
      `Repeat: ${check.repeat ?? ''}`,
      ...(check.page === undefined ? [] : [`Check: ${check.page}`]),
    ].join('\n')
    return `::${isFailure(check) ? 'error' : 'warning'} title=${property(title)}::${data(text)}`
  })
  const { reason } = report
  return [...lines, ...(reason === undefined ? [] : [`::error ::${data(reason)}`])]
    .map((line) => `${line}\n`)
    .join('')
}

/** The summary of a job, as Markdown. */
export function githubSummary(report: ConformanceReport): string {
  const { subject, summary, verdict, durationMs, baseline, reason, suite } = report
  const failures = report.checks.filter((check) => isFailure(check) && check.baseline !== 'known')
  const left = failures.length - MOST_IN_SUMMARY
  return [
    `## ${verdict === 'passed' ? '✅' : '❌'} MCP conformance of ${inline(subject.name)}`,
    '',
    ...(reason === undefined ? [] : [inline(reason), '']),
    '| Passed | Failed | Warnings | Inconclusive | Not applicable | Time |',
    '|---|---|---|---|---|---|',
    `| ${summary['passed'] ?? 0} | ${summary['failed'] ?? 0} | ${summary['warned'] ?? 0} | ${summary['inconclusive'] ?? 0} | ${summary['notApplicable'] ?? 0} | ${(durationMs / 1000).toFixed(1)} s |`,
    '',
    ...(suite.score === undefined ? [] : [`Score of the suite ${suite.name}: ${suite.score} of 100.`, '']),
    ...(baseline === undefined
      ? []
      : [`Baseline: ${baseline.new} new, ${baseline.known} known, ${baseline.fixed} fixed.`, '']),
    ...failures.slice(0, MOST_IN_SUMMARY).map(failure),
    ...(left > 0 ? [`- … and ${left} more`] : []),
    '',
  ].join('\n')
}

function failure(check: ReportedCheck): string {
  const [first = ''] = explanation(check).split('\n')
  const id = inline(check.id)
  const name = check.page === undefined ? id : `[${id}](${check.page})`
  return `- **${name}** (${cellLabel(check)}): ${inline(first)}`
}

/** Text that Markdown shows as it is. */
function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`)
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
