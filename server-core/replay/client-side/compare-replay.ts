import { compareCalls, type ComparedCall } from '../../comparison/compare-calls.ts'
import type { ComparisonOptions } from '../../comparison/compare-values.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import { revisionRow, type Revision } from '../../protocol/revisions.ts'
import { isLaterRound, opensConnection } from './replay-plan.ts'
import type { ReturnedValues } from './returned-values.ts'

/** Members of results that only some revisions have. */
const MEMBERS_OF_REVISIONS = ['/result/resultType', '/result/ttlMs', '/result/cacheScope', '/result/_meta/**']

/** A place whose value differs between two replays of the same calls. */
export type VaryingPlace = { readonly method: string; readonly target: string; readonly pointer: string }

export type ReplayComparisonOptions = Pick<ComparisonOptions, 'ignore' | 'exact'> & {
  /** Calls of the recording that were not sent, by the number of their frame. */
  readonly skipped: ReadonlySet<number>
  readonly recordedRevision: Revision | undefined
  readonly revision: Revision
  readonly values: ReturnedValues
  /** Places that do not count, see `varyingPlaces`. */
  readonly varying: readonly VaryingPlace[]
}

/**
 * Compares a recording with the recording of its replay, call by call. What opens a connection does not count, and
 * between eras the way of asking does not: requests of the server there, rounds here.
 */
export function compareReplay(
  recorded: readonly RecordedCall[],
  replayed: readonly RecordedCall[],
  {
    skipped,
    recordedRevision,
    revision,
    values,
    varying,
    ignore = [],
    exact = false,
  }: ReplayComparisonOptions,
): ComparedCall[] {
  const isOtherEra =
    recordedRevision !== undefined && revisionRow(recordedRevision)?.era !== revisionRow(revision)?.era
  const counts = (call: RecordedCall): boolean =>
    !opensConnection(call) && !(isOtherEra && (isLaterRound(call) || isQuestion(call)))
  const compared = compareCalls(
    recorded.filter((call) => counts(call) && !skipped.has(call.frame)),
    replayed.filter(counts),
    {
      exact,
      ignore: recordedRevision === revision ? ignore : [...ignore, ...MEMBERS_OF_REVISIONS],
      isReplaced: (before, after) => values.isReplaced(before, after),
    },
  )
  const places = new Set(varying.map(keyOf))
  return compared.map((call) => withoutVarying(call, places))
}

/** Returns the places at which two replays of the same calls differ: those that vary by themselves. */
export function varyingPlaces(
  one: readonly RecordedCall[],
  other: readonly RecordedCall[],
): readonly VaryingPlace[] {
  const places = new Map<string, VaryingPlace>()
  for (const call of compareCalls(one, other)) {
    if (call.type !== 'both') continue
    const { method, target } = call.after
    for (const { pointer } of call.comparison.changes)
      places.set(keyOf({ method, target, pointer }), { method, target, pointer })
  }
  return [...places.values()]
}

function withoutVarying(call: ComparedCall, places: ReadonlySet<string>): ComparedCall {
  if (call.type !== 'both' || places.size === 0) return call
  const { method, target } = call.after
  const changes = call.comparison.changes.filter(
    ({ pointer }) => !places.has(keyOf({ method, target, pointer })),
  )
  return { ...call, comparison: { ...call.comparison, changes } }
}

function isQuestion({ direction, kind }: RecordedCall): boolean {
  return direction === 'received' && kind === 'request'
}

function keyOf({ method, target, pointer }: VaryingPlace): string {
  return JSON.stringify([method, target, pointer])
}
