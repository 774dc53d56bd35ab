import { CodedError } from '../protocol/coded-error.ts'
import type { Severity, CheckEntry } from './catalogue/catalogue.ts'
import type { CapturedFrame } from './frames/captured-frame.ts'
import type { FrameLog } from './frames/frame-log.ts'
import type { Cell, Finding } from './verdict.ts'

/** What a check reports of a breach. Statement and severity are those of the catalogue unless given. */
export type FindingInput = {
  readonly expected: string
  readonly actual: string
  readonly frame?: CapturedFrame | readonly CapturedFrame[] | undefined
  /** JSON Pointer to the offending member. */
  readonly member?: string
  /** One of the check's statements; the first if not given. */
  readonly statement?: string
  /** Lower than that of the check. */
  readonly severity?: Severity
}

/** Ends a check without a verdict on the peer. */
export class Stopped extends CodedError<'inconclusive' | 'notApplicable'> {
  override readonly name = 'Stopped'
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2, critical: 3 }

/** What every kind of check has: where it runs, and how it reports. */
export class Examination {
  readonly entry: CheckEntry
  readonly cell: Cell
  readonly log: FrameLog
  readonly findings: Finding[] = []
  /** An owed answer did not come in time, so a finding may rest on a wait. */
  timedOut = false

  constructor(entry: CheckEntry, cell: Cell, log: FrameLog) {
    this.entry = entry
    this.cell = cell
    this.log = log
  }

  /** Whether the revision of the cell is 2026-07-28 or newer. */
  get isModern(): boolean {
    return this.cell.revision >= '2026-07-28'
  }

  /** Whether the transport has HTTP statuses: Streamable HTTP or HTTP+SSE. */
  get hasHttp(): boolean {
    return this.cell.transport === 'http' || this.cell.transport === 'sse'
  }

  /** Reports a breach with the severity of the check. The check goes on. */
  fail(input: FindingInput): void {
    const statement = input.statement ?? this.entry.statements[0] ?? ''
    if (!this.entry.statements.includes(statement)) {
      throw new RangeError(`${this.entry.id} does not cover the statement ${statement}`)
    }
    const severity = input.severity ?? this.entry.severity
    const frames = input.frame === undefined ? [] : Array.isArray(input.frame) ? input.frame : [input.frame]
    this.findings.push({
      severity: RANK[severity] < RANK[this.entry.severity] ? severity : this.entry.severity,
      statement,
      revision: this.cell.revision,
      transport: this.cell.transport,
      expected: input.expected,
      actual: input.actual,
      ...(input.member !== undefined && { member: input.member }),
      frames: frames.map((frame: CapturedFrame) => frame.index),
    })
  }

  /** Reports a breach as a warning. */
  warn(input: Omit<FindingInput, 'severity'>): void {
    this.fail({ ...input, severity: 'warning' })
  }

  /** Reports a remark that changes no verdict. */
  inform(input: Omit<FindingInput, 'severity'>): void {
    this.fail({ ...input, severity: 'info' })
  }

  /** Reports a breach unless the condition holds, and returns whether it does. */
  expect(holds: boolean, input: FindingInput): boolean {
    if (!holds) this.fail(input)
    return holds
  }

  /** Ends the check: what it needs to know could not be seen. */
  inconclusive(reason: string): never {
    throw new Stopped('inconclusive', reason)
  }

  /** Ends the check: the peer does not offer what it examines. */
  notApplicable(reason: string): never {
    throw new Stopped('notApplicable', reason)
  }
}
