import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Check } from '../check.ts'
import type { ClientDriver } from '../exam/client-driver.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { ServerFacts } from '../probe/server-facts.ts'
import type { ProbeSupport } from '../probe/server-probe.ts'
import type { ServerTarget } from '../probe/server-target.ts'
import type { Waits } from '../probe/waits.ts'
import type { Cell, CheckResult, Verdict } from '../verdict.ts'

/** What is examined. */
export type Subject =
  | {
      readonly side: 'server'
      readonly target: ServerTarget
      readonly support: ProbeSupport
      /** Used where discovery fails, for servers that are known to support a cell. */
      readonly knownFacts?: (cell: Cell) => ServerFacts | undefined
    }
  | {
      readonly side: 'client'
      readonly driver: ClientDriver
      /** Leaves out the cells in which the client does not connect. */
      readonly discover?: boolean
    }

export type RunOptions = {
  readonly subject: Subject
  readonly catalogue: Catalogue
  readonly checks: readonly Check[]
  /** Cells that are examined; all that the peer supports if not given. */
  readonly revisions?: readonly Revision[]
  readonly transports?: readonly WireTransport[]
  /** Runs only checks whose id, title or statements contain the text. */
  readonly grep?: string
  /** Runs only these checks in these cells, such as those that failed before. */
  readonly only?: (id: string, cell: Cell) => boolean
  /** Runs each check so often; runs that disagree are flaky. */
  readonly repeat?: number
  readonly seed?: number
  /** Also runs checks that wait for more than 5 s. */
  readonly slow?: boolean
  /** Also runs checks that end or restart the peer. */
  readonly ends?: boolean
  /** Also runs checks that flood or may crash the peer. */
  readonly destructive?: boolean
  /** How many checks run at once; 8 if not given. */
  readonly parallel?: number
  /** Milliseconds for one check; 60,000 if not given. */
  readonly deadlineMs?: number
  /** Milliseconds for the whole run; checks that have not ended by then are inconclusive. */
  readonly budgetMs?: number
  readonly waits?: Waits
  readonly signal?: AbortSignal
  /** Receives every frame with the check that caused it, for a recording; undefined while discovering. */
  readonly onFrame?: (frame: CapturedFrame, mark: { id: string | undefined; cell: Cell }) => void
}

export type Summary = Readonly<Record<Verdict, number>>

/** Name and version of a peer as it gave them. */
export type PeerName = { readonly name: string; readonly version: string | undefined }

export type RunReport = {
  readonly seed: number
  readonly durationMs: number
  /** The cells that were examined. */
  readonly cells: readonly Cell[]
  /** What the peer calls itself, once it has said so. */
  readonly peer: PeerName | undefined
  /** The cells that are not supported, and why. */
  readonly unsupported: readonly { readonly cell: Cell; readonly reason: string }[]
  readonly results: readonly CheckResult[]
  readonly summary: Summary
}

/** What happens in a run, for a live display. */
export type RunEvent =
  | { readonly type: 'discovered'; readonly cells: readonly Cell[]; readonly total: number }
  | { readonly type: 'started'; readonly id: string; readonly cell: Cell }
  | { readonly type: 'finished'; readonly result: CheckResult }
  | { readonly type: 'ended'; readonly report: RunReport }
