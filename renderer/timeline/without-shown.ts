import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/** Milliseconds by which the clocks of memory and recording may differ. */
export const TOLERANCE_MS = 20

/**
 * The recorded rows that are not shown yet. A shown row stands for one recorded row: the nearest one of the same server and
 * method.
 */
export function withoutShown<Row extends Exchange>(
  recorded: readonly Row[],
  shown: readonly (Exchange | undefined)[],
): Row[] {
  const left = new Set(recorded)
  for (const row of shown) {
    if (row === undefined) continue
    let nearest: Row | undefined
    let least = TOLERANCE_MS
    for (const each of left) {
      const difference = Math.abs(each.startedAt - row.startedAt)
      if (difference > least || each.serverId !== row.serverId || each.method !== row.method) continue
      nearest = each
      least = difference
    }
    if (nearest !== undefined) left.delete(nearest)
  }
  return [...left]
}
