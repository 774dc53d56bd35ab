import type { ComparedCall } from '../../comparison/compare-calls.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import { plural } from '../../protocol/plural.ts'

/** How many calls are the same, and how many differ in which way. */
export type CallCounts = {
  readonly same: number
  readonly changed: number
  /** Of the same and the changed. */
  readonly moved: number
  readonly onlyBefore: number
  readonly onlyAfter: number
}

/** Counts compared calls. */
export function countsOf(calls: readonly ComparedCall[]): CallCounts {
  const both = calls.filter((call) => call.type === 'both')
  const changed = both.filter(({ comparison }) => comparison.changes.length > 0).length
  return {
    same: both.length - changed,
    changed,
    moved: both.filter(({ moved }) => moved).length,
    onlyBefore: calls.filter(({ type }) => type === 'before').length,
    onlyAfter: calls.filter(({ type }) => type === 'after').length,
  }
}

/** Returns whether a compared call is worth showing: the others are the same. */
export function isShown(call: ComparedCall): boolean {
  return call.type !== 'both' || call.moved || call.comparison.changes.length > 0
}

/** A compared call for JSON: without what the recordings say themselves. */
export function toJson(call: ComparedCall) {
  const brief = ({ frame, kind, direction, method, target, durationMs }: RecordedCall) => ({
    frame,
    kind,
    direction,
    method,
    target,
    ...(durationMs !== undefined && { durationMs }),
  })
  if (call.type === 'before') return { type: 'before', before: brief(call.before) }
  if (call.type === 'after') return { type: 'after', after: brief(call.after) }
  const { before, after, moved, comparison } = call
  return { type: 'both', before: brief(before), after: brief(after), moved, ...comparison }
}

/** Writes the counts as one line. */
export function countsText({ same, changed, moved, onlyBefore, onlyAfter }: CallCounts): string {
  return [
    `${plural(same, 'call')} the same`,
    `${changed} changed`,
    `${onlyBefore} only before`,
    `${onlyAfter} only after`,
    ...(moved > 0 ? [`${moved} in another order`] : []),
  ].join(', ')
}

/** Returns whether something differs. Another order does not count. */
export function differs({ changed, onlyBefore, onlyAfter }: CallCounts): boolean {
  return changed + onlyBefore + onlyAfter > 0
}
