import type { ComparedCall } from '../../comparison/compare-calls.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import type { VaryingPlace } from '../../replay/client-side/compare-replay.ts'
import type { UnexpectedQuestion } from '../../replay/client-side/recorded-responders.ts'
import type { SkippedCall } from '../../replay/client-side/replay-plan.ts'
import type { CallCounts } from '../diff/compared-calls.ts'
import type { CallTimes } from './call-times.ts'

/** What a replay came to. The first one is compared with the recording. */
export type ReplayReport = {
  readonly revision: string
  readonly transport: string
  readonly replays: number
  readonly counts: CallCounts
  readonly calls: readonly ComparedCall[]
  readonly skipped: readonly SkippedCall[]
  readonly failed: readonly { readonly call: RecordedCall; readonly reason: string }[]
  readonly unexpected: readonly UnexpectedQuestion[]
  readonly replaced: readonly { readonly recorded: string; readonly received: string }[]
  /** Found by comparing the first two replays. */
  readonly varying: readonly VaryingPlace[]
  readonly times: readonly CallTimes[]
}
