import type { Finding, FuzzedTool } from '../../fuzz/fuzz-tool.ts'
import { plural } from '../../protocol/plural.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { Paint } from '../output/paint.ts'

/** A finding with the command that repeats it. */
export type ReportedFinding = Finding & { readonly command: string }

/** What `patchbay fuzz` found, as `--json` prints it. */
export type FuzzReport = {
  readonly passed: boolean
  readonly seed: number
  readonly runs: number
  readonly calls: number
  readonly tools: readonly (Omit<FuzzedTool, 'findings'> & {
    readonly findings: readonly ReportedFinding[]
  })[]
  /** Tools that were not permitted. */
  readonly notCalled: readonly string[]
  /** The command that repeats the whole run. */
  readonly command: string
}

const LONGEST = 400

/** A report for people. */
export function describeFuzz(report: FuzzReport, paint: Paint): string {
  const { tools, notCalled, calls, seed, command } = report
  const count = tools.reduce((sum, { findings }) => sum + findings.length, 0)
  const head = `${count === 0 ? 'no finding' : plural(count, 'finding')} in ${plural(calls, 'call')} of ${plural(tools.length, 'tool')}, seed ${seed}`
  return [
    ...tools.flatMap((tool) => [
      toolLine(tool, paint),
      ...tool.findings.flatMap((each) => findingLines(each, paint)),
    ]),
    '',
    count === 0 ? head : paint('red', head),
    ...(notCalled.length > 0 ? [paint('dim', `${plural(notCalled.length, 'tool')} not permitted`)] : []),
    paint('dim', visibleLine(command, LONGEST)),
  ].join('\n')
}

function toolLine(tool: FuzzReport['tools'][number], paint: Paint): string {
  const { name, valid, invalid, toolErrors, undecided, findings, stopped } = tool
  const parts = [
    `${valid} valid`,
    `${invalid} invalid`,
    ...(toolErrors > 0 ? [`${toolErrors} answered with isError`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(stopped === undefined ? [] : [`ended early: ${stopped}`]),
  ]
  const line = `${findings.length === 0 ? ' ' : '!'} ${visibleLine(name, LONGEST)}: ${visibleLine(parts.join(', '), LONGEST)}`
  return findings.length === 0 ? line : paint('red', line)
}

function findingLines(finding: ReportedFinding, paint: Paint): string[] {
  const { property, input, fault, expected, actual, repeats, command } = finding
  const row = (label: string, text: string) => `      ${label.padEnd(9)} ${visibleLine(text, LONGEST)}`
  return [
    paint('red', `    ${property}`),
    row('input', `${JSON.stringify(input)}${fault === undefined ? '' : ' (invalid)'}`),
    row('expected', expected),
    row('actual', actual),
    ...(repeats
      ? []
      : [row('note', 'it did not fail again over a new connection; earlier calls may have a part in it')]),
    paint('dim', row('repeat', command)),
  ]
}
