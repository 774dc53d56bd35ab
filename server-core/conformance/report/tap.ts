import { isFailure } from './baseline.ts'
import { cellLabel, explanation } from './check-name.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

/** The report as TAP version 14. Known failures are marked TODO, which a reader does not count as failures. */
export function tap({ checks, reason }: ConformanceReport): string {
  const lines = checks.flatMap((check, index) => checkLines(check, index + 1))
  const bail = reason === undefined ? [] : [`Bail out! ${oneLine(reason)}`]
  return ['TAP version 14', `1..${checks.length}`, ...lines, ...bail, ''].join('\n')
}

function checkLines(check: ReportedCheck, number: number): readonly string[] {
  const { id, title, verdict, severity, baseline, repeat, page, durationMs } = check
  const name = `${id} (${cellLabel(check)}): ${title}`
  const why = oneLine(explanation(check))
  const isOut = verdict === 'notApplicable' || verdict === 'inconclusive'
  const directive = isOut ? ` # SKIP ${why}` : baseline === 'known' ? ' # TODO known failure' : ''
  const head = `${isFailure(check) ? 'not ok' : 'ok'} ${number} - ${oneLine(name).replaceAll('#', '\\#')}${directive}`
  if (verdict === 'passed' || isOut) return [head]
  const facts = { verdict, severity, message: explanation(check), repeat, page, duration_ms: durationMs }
  return [
    head,
    '  ---',
    // A JSON string is a YAML string.
    ...Object.entries(facts).flatMap(([key, value]) =>
      value === undefined ? [] : [`  ${key}: ${JSON.stringify(value)}`],
    ),
    '  ...',
  ]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
