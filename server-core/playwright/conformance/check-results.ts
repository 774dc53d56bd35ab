import { isFailure } from '../../conformance/report/baseline.ts'
import { cellLabel, timesLabel } from '../../conformance/report/check-name.ts'
import type {
  ConformanceReport,
  ReportedCheck,
  ReportedFrame,
} from '../../conformance/report/report-schema.ts'
import type { ConformanceOptions } from './conformance-options.ts'

/** What became of a check in all cells together. */
export type CheckOutcome =
  | { readonly type: 'passed' }
  /** There is no verdict on the server, and why. */
  | { readonly type: 'skipped'; readonly reason: string }
  /** `isExpected`: the baseline has all of it. */
  | { readonly type: 'failed'; readonly isExpected: boolean; readonly results: readonly ReportedCheck[] }
  /** The baseline expects a failure that did not occur. */
  | { readonly type: 'fixed'; readonly results: readonly ReportedCheck[] }

/** Judges the results of one check, after they were compared with the baseline. */
export function outcomeOf(
  results: readonly ReportedCheck[],
  { level = 'error' }: Pick<ConformanceOptions, 'level'>,
): CheckOutcome {
  const failed = results.filter(
    (result) => isFailure(result) || (level === 'warning' && result.verdict === 'warned'),
  )
  const unexpected = failed.filter(({ baseline }) => baseline !== 'known')
  if (unexpected.length > 0) return { type: 'failed', isExpected: false, results: unexpected }
  const fixed = results.filter(({ baseline }) => baseline === 'fixed')
  if (fixed.length > 0) return { type: 'fixed', results: fixed }
  if (failed.length > 0) return { type: 'failed', isExpected: true, results: failed }
  if (results.some(({ verdict }) => verdict === 'passed' || verdict === 'warned')) return { type: 'passed' }
  const [first] = results
  if (first === undefined)
    return { type: 'skipped', reason: 'the server supports no revision and transport of this check' }
  const word = first.verdict === 'inconclusive' ? 'inconclusive' : 'not applicable'
  return { type: 'skipped', reason: `${word}: ${first.reason ?? 'no reason is known'}` }
}

/** Characters of a frame in a message. */
const LONGEST = 600

export type FailureContext = {
  readonly id: string
  readonly title: string
  readonly page: string
  readonly clauses: ConformanceReport['clauses']
  /** The command that repeats the test. */
  readonly repeat: string
}

/** The message of a failure: where, expected and received, the clause, the frames, the page, and how to repeat it. */
export function failureText(results: readonly ReportedCheck[], context: FailureContext): string {
  const { id, title, page, repeat } = context
  const groups = Map.groupBy(results, (result) => JSON.stringify([result.verdict, explained(result)]))
  return [
    `${id}: ${title}`,
    ...[...groups.values()].flatMap((alike) => ['', ...groupText(alike, context)]),
    '',
    `Check:  ${page}`,
    `Repeat: ${repeat}`,
  ].join('\n')
}

/** The message for a failure that is expected and did not occur. */
export function fixedText(results: readonly ReportedCheck[], file: string, { id }: FailureContext): string {
  const cells = results.map(cellLabel).join('; ')
  return `${id} passes now (${cells}), but ${file} expects it to fail. Remove the entry, or run patchbay check with --update-baseline.`
}

/** The frames of the results where the message shows them cut, as JSON for an attachment. */
export function cutFrames(results: readonly ReportedCheck[]): string | undefined {
  const frames = results.flatMap((result) => result.frames ?? [])
  if (frames.every(({ text }) => text.length <= LONGEST)) return undefined
  return JSON.stringify(frames, undefined, 2)
}

function explained({ findings, reason }: ReportedCheck): unknown {
  return [
    findings.map(({ expected, actual, member, statement }) => [expected, actual, member, statement]),
    reason,
  ]
}

function groupText(alike: readonly ReportedCheck[], { clauses }: FailureContext): readonly string[] {
  const [first] = alike
  if (first === undefined) return []
  const { findings, verdict, reason, frames = [] } = first
  const named = new Set(findings.map(({ statement }) => statement))
  return [
    `${alike.map(cellLabel).join('; ')}: ${verdict}`,
    ...findings.flatMap(({ expected, actual, member, times }) => [
      `  Expected: ${expected}`,
      `  Received: ${actual}${member === undefined ? '' : ` at ${member}`}${timesLabel(times)}`,
    ]),
    ...(reason === undefined ? [] : [`  Reason:   ${reason}`]),
    ...[...named].flatMap((id) => {
      const clause = clauses[id]
      return clause === undefined
        ? []
        : [`  Clause:   ${clause.level} ${clause.text}`, `            ${clause.url}`]
    }),
    ...(frames.length === 0 ? [] : ['  Frames:']),
    ...frames.map((frame) => `    ${headOf(frame)} ${shortened(frame.text.replaceAll(/\n\s*/g, ' '))}`),
  ]
}

function headOf({ index, from, kind, head }: ReportedFrame): string {
  const arrow = from === 'client' ? '→' : '←'
  const what = kind === 'message' ? '' : ` [${kind}]`
  return `${String(index).padStart(4)} ${arrow}${what}${head === undefined ? '' : ` ${head}`}`
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
