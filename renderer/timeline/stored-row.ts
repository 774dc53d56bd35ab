import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/** What is stored of a row to find it again. */
export type StoredRow = Pick<Exchange, 'id' | 'serverId' | 'method' | 'startedAt'>

/** Milliseconds by which the clocks of memory and recording may differ. */
const TOLERANCE_MS = 20

/**
 * The row that was stored: the one with its id, if Patchbay was not started since; else the one of the same server and
 * method that began at that time.
 *
 * @param byId the row that has the id now
 */
export function findStoredRow(
  stored: StoredRow,
  rows: readonly (Exchange | undefined)[],
  byId: Exchange | undefined,
): Exchange | undefined {
  if (byId !== undefined && differenceOf(byId, stored) === 0) return byId
  let nearest: Exchange | undefined
  let least = TOLERANCE_MS
  for (const row of rows) {
    if (row === undefined) continue
    const difference = differenceOf(row, stored)
    if (difference > least) continue
    nearest = row
    least = difference
  }
  return nearest
}

function differenceOf(row: Exchange, { serverId, method, startedAt }: StoredRow): number {
  if (row.serverId !== serverId || row.method !== method) return Infinity
  return Math.abs(row.startedAt - startedAt)
}
