import type { WireTransport } from '../protocol/transport-kind.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { CheckEntry, Severity, Side } from './catalogue/catalogue.ts'
import type { CapturedFrame } from './frames/captured-frame.ts'

/** The outcome of one check in one cell of the matrix. */
export type Verdict =
  | 'passed'
  /** A MUST is broken. */
  | 'failed'
  /** A SHOULD is broken. */
  | 'warned'
  | 'inconclusive'
  | 'notApplicable'
  /** The harness itself failed. */
  | 'broken'
  /** Repeated runs disagree. */
  | 'flaky'

export const VERDICTS: readonly Verdict[] = [
  'passed',
  'failed',
  'warned',
  'inconclusive',
  'notApplicable',
  'broken',
  'flaky',
]

/** One revision on one transport. */
export type Cell = { readonly side: Side; readonly revision: Revision; readonly transport: WireTransport }

/** One breach of one statement. */
export type Finding = {
  readonly severity: Severity
  readonly statement: string
  readonly revision: Revision
  readonly transport: WireTransport
  readonly expected: string
  readonly actual: string
  /** The offending member as a JSON Pointer into the message of the first frame. */
  readonly member?: string
  /** Numbers of the frames that show it. */
  readonly frames: readonly number[]
}

/** One check in one cell. */
export type CheckResult = {
  readonly id: string
  readonly title: string
  readonly cell: Cell
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  /** Why it is inconclusive, not applicable, broken or flaky. */
  readonly reason?: string
  readonly durationMs: number
  /** The frames of the check, in memory; reports and the recording take what they need. */
  readonly frames: readonly CapturedFrame[]
}

/** The verdict that findings amount to. An unused MAY is not a reason to warn. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'critical' || severity === 'error')) return 'failed'
  return findings.some(({ severity }) => severity === 'warning') ? 'warned' : 'passed'
}

/** The name of a check, with its side where it has two. */
export function examinationId(entry: CheckEntry, side: Side): string {
  return entry.sides.length > 1 ? `${entry.id}/${side}` : entry.id
}
