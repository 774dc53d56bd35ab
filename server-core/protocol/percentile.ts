/**
 * Returns a percentile by its nearest rank: the smallest value that so many of 100 values do not exceed.
 *
 * @param sorted ascending
 * @param percentile from 0 to 100
 * @returns 0 without values
 */
export function percentileOf(sorted: readonly number[], percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0
}
