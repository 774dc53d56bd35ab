import type { RunReport, TestReport } from './report-schema.ts'

/** The report as TAP version 14. */
export function tap(report: RunReport): string {
  const lines = report.tests.flatMap((test, index) => testLines(test, index + 1))
  const bail = report.errors.length === 0 ? [] : [`Bail out! ${oneLine(report.errors[0] ?? '')}`]
  return [`TAP version 14`, `1..${report.tests.length}`, ...lines, ...bail, ''].join('\n')
}

function testLines(test: TestReport, number: number): readonly string[] {
  const project = test.project === '' ? [] : [`[${test.project}]`]
  const name = [...project, test.file, ...test.groups, test.title]
    .map(oneLine)
    .join(' > ')
    .replaceAll('#', '\\#')
  const ok = test.outcome === 'failed' ? 'not ok' : 'ok'
  const directive = test.outcome === 'skipped' ? ' # SKIP' : ''
  const head = `${ok} ${number} - ${name}${directive}`
  if (test.outcome !== 'failed') return [head]
  // A JSON string is a YAML string.
  const facts = {
    message: test.errors.map(({ message }) => message).join('\n\n'),
    at: `${test.file}:${test.line}:${test.column}`,
    repeat: test.repeat,
    duration_ms: test.durationMs,
  }
  return [
    head,
    '  ---',
    ...Object.entries(facts).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
    '  ...',
  ]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
