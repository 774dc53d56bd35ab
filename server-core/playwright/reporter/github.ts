import type { RunReport, TestReport } from './report-schema.ts'

const MOST_ANNOTATIONS = 50
const MOST_IN_SUMMARY = 100
const LONGEST_ERROR = 4_000

/** Failures as workflow commands, which GitHub shows in the changed files. */
export function githubAnnotations(report: RunReport): string {
  const commands = report.tests
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'flaky')
    .slice(0, MOST_ANNOTATIONS)
    .map((test) => {
      const at = test.errors.find(({ file }) => file !== undefined)
      const message = test.errors.map((error) => error.message).join('\n\n')
      const level = test.outcome === 'flaky' ? 'warning' : 'error'
      const properties = {
        file: at?.file ?? test.file,
        line: String(at?.line ?? test.line),
        title: nameOf(test),
      }
      const listed = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
      return `::${level} ${listed.join()}::${data(`${message}\n\nRepeat: ${test.repeat}`)}`
    })
  return [...commands, ...report.errors.map((error) => `::error ::${data(error)}`)]
    .map((line) => `${line}\n`)
    .join('')
}

/** The summary of a job, as Markdown. */
export function githubSummary(report: RunReport): string {
  const { tests, passed, failed, flaky, skipped } = report.summary
  const verdict = report.status === 'passed' ? '✅' : '❌'
  const failures = report.tests.filter(({ outcome }) => outcome === 'failed')
  const left = failures.length - MOST_IN_SUMMARY
  return [
    `## ${verdict} MCP tests: ${passed} of ${tests} passed`,
    '',
    `| Passed | Failed | Flaky | Skipped | Time |`,
    '|---|---|---|---|---|',
    `| ${passed} | ${failed} | ${flaky} | ${skipped} | ${(report.durationMs / 1000).toFixed(1)} s |`,
    '',
    ...failures.slice(0, MOST_IN_SUMMARY).flatMap(failure),
    ...(left > 0 ? [`… and ${left} more failures`, ''] : []),
  ].join('\n')
}

function failure(test: TestReport): readonly string[] {
  const text = test.errors
    .map(({ message }) => message)
    .join('\n\n')
    .slice(0, LONGEST_ERROR)
  // A fence longer than any in the text cannot be closed by it.
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [
    `<details><summary>❌ ${nameOf(test).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>`,
    '',
    `${fence}\n${text}\n${fence}`,
    '',
    `Repeat: \`${test.repeat}\``,
    '</details>',
    '',
  ]
}

function nameOf({ project, file, groups, title }: TestReport): string {
  return [...(project === '' ? [] : [`[${project}]`]), file, ...groups, title].join(' › ')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
