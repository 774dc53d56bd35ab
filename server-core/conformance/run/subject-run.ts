import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { FrameNumbers } from '../frames/frame-log.ts'
import type { Waits } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import type { Limits } from './examine.ts'
import type { RunOptions, RunReport } from './run-options.ts'
import type { SelectedCheck } from './select-checks.ts'

/** One cell of the matrix as the runner sees it, whatever the side. */
export type CellRun = {
  readonly cell: Cell
  /** The frames of an ordinary use of the peer, which passive checks read beside those of the checks. */
  readonly tour: () => Promise<readonly CapturedFrame[]>
  /** Runs one active check. */
  readonly run: (selected: SelectedCheck) => Promise<CheckResult>
}

/** The cells of a subject. */
export type SubjectRun = {
  readonly cells: readonly CellRun[]
  readonly unsupported: RunReport['unsupported']
  /** What the peer calls itself; known at the latest when all checks have run. */
  readonly peer: () => RunReport['peer']
  readonly close: () => Promise<void>
}

/** What both sides need of a run. */
export type SubjectParts = {
  readonly options: RunOptions & { readonly seed: number }
  readonly numbers: FrameNumbers
  readonly waits: Waits
  readonly limits: Limits
}

/** Milliseconds for one check if nothing else is said. */
export const DEADLINE_MS = 60_000
