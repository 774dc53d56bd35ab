import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { timeWindow, type TimeWindow } from './time-window.ts'

/** Requests that stay open for hours; their bar is cut off rather than all others squeezed. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen'])

/** The window that holds what is in sight; up to now if some of it is open. */
export function windowOf(rows: readonly Exchange[], now: number): TimeWindow {
  if (rows.length === 0) return timeWindow(now, now)
  const from = Math.min(...rows.map((row) => row.startedAt))
  const to = Math.max(...rows.map((row) => endInSight(row, now)))
  return timeWindow(from, to)
}

function endInSight(row: Exchange, now: number): number {
  if (LASTING.has(row.method)) return row.startedAt
  return row.endedAt ?? (row.outcome === 'open' ? now : row.startedAt)
}
