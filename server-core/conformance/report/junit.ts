import { escaped } from '../../protocol/markup.ts'
import { isFailure } from './baseline.ts'
import { cellLabel, explanation } from './check-name.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

/** The report as JUnit XML: a suite for each revision and transport. Known failures are skipped tests. */
export function junit(report: ConformanceReport): string {
  const { checks, durationMs, reason } = report
  const suites = Map.groupBy(checks, cellLabel)
  const counts = countsOf(checks)
  const unreachable = reason === undefined ? 0 : 1
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-patchbay" tests="${checks.length + unreachable}" failures="${counts.failed}" errors="${counts.broken + unreachable}" skipped="${counts.skipped}" time="${seconds(durationMs)}">`,
    ...[...suites].map(([name, all]) => suite(name, all, report)),
    ...(reason === undefined
      ? []
      : [
          `<testsuite name="${escaped(report.subject.name)}" tests="1" failures="0" errors="1" skipped="0" time="0"><testcase name="connect" classname="run"><error message="${escaped(reason)}"/></testcase></testsuite>`,
        ]),
    '</testsuites>\n',
  ].join('\n')
}

function suite(name: string, checks: readonly ReportedCheck[], { startedAt }: ConformanceReport): string {
  const { failed, broken, skipped } = countsOf(checks)
  const time = seconds(checks.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return [
    `<testsuite name="${escaped(name)}" tests="${checks.length}" failures="${failed}" errors="${broken}" skipped="${skipped}" time="${time}" timestamp="${startedAt}">`,
    ...checks.map(testCase),
    '</testsuite>',
  ].join('\n')
}

function testCase(check: ReportedCheck): string {
  const { id, title, verdict, durationMs, repeat, baseline, page } = check
  const area = id.split('.', 1)[0] ?? id
  const head = `<testcase name="${escaped(`${id}: ${title}`)}" classname="${escaped(area)}" time="${seconds(durationMs)}"`
  const text = escaped(explanation(check))
  if (verdict === 'passed') return `${head}/>`
  if (isSkipped(check)) {
    const why = baseline === 'known' ? escaped(`known failure: ${explanation(check)}`) : text
    return `${head}><skipped message="${why}"/></testcase>`
  }
  if (verdict === 'warned') return `${head}><system-out>${text}</system-out></testcase>`
  const element = verdict === 'broken' ? 'error' : 'failure'
  const [first = ''] = explanation(check).split('\n')
  const link = page === undefined ? '' : `\nCheck: ${escaped(page)}`
  return `${head}><${element} message="${escaped(first)}">${text}\n\nRepeat: ${escaped(repeat ?? '')}${link}</${element}></testcase>`
}

function countsOf(checks: readonly ReportedCheck[]): { failed: number; broken: number; skipped: number } {
  const counts = { failed: 0, broken: 0, skipped: 0 }
  for (const check of checks) {
    if (isSkipped(check)) counts.skipped += 1
    else if (check.verdict === 'broken') counts.broken += 1
    else if (isFailure(check)) counts.failed += 1
  }
  return counts
}

function isSkipped({ verdict, baseline }: ReportedCheck): boolean {
  return verdict === 'notApplicable' || verdict === 'inconclusive' || baseline === 'known'
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
