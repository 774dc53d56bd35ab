import { percentileOf } from '../protocol/percentile.ts'

/** A figure with the interval in which 95 of 100 repeated samples would have it. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number }

/** How long answers took, in milliseconds. */
export type LoadStatistics = {
  readonly p50: Estimate
  readonly p90: Estimate
  readonly p95: Estimate
  readonly p99: Estimate
  readonly min: number
  readonly max: number
  readonly mean: number
}

/** Answers from `from` to below `to` milliseconds. */
export type Bucket = { readonly from: number; readonly to: number; readonly count: number }

const RESAMPLES = 200
/** Values of one resample; of more, every n-th of the sorted ones is used. */
const LARGEST_SAMPLE = 2_000

/** Statistics of durations; undefined if there are none. The same durations and seed give the same intervals. */
export function loadStatistics(durations: readonly number[], seed = 1): LoadStatistics | undefined {
  const sorted = durations.toSorted((one, other) => one - other)
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return undefined
  const resamples = resampled(sorted, seed)
  const estimate = (percentile: number): Estimate => {
    const values = resamples.map((each) => percentileOf(each, percentile)).sort((one, other) => one - other)
    return {
      value: percentileOf(sorted, percentile),
      low: percentileOf(values, 2.5),
      high: percentileOf(values, 97.5),
    }
  }
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  return { p50: estimate(50), p90: estimate(90), p95: estimate(95), p99: estimate(99), min, max, mean }
}

/** Buckets that double in width, from the one with the shortest duration to the one with the longest. */
export function histogramOf(durations: readonly number[]): readonly Bucket[] {
  const counts = new Map<number, number>()
  for (const duration of durations) {
    const power = Math.floor(Math.log2(Math.max(duration, 2 ** -7)))
    counts.set(power, (counts.get(power) ?? 0) + 1)
  }
  const powers = [...counts.keys()]
  if (powers.length === 0) return []
  const first = Math.min(...powers)
  return Array.from({ length: Math.max(...powers) - first + 1 }, (_, at) => ({
    from: 2 ** (first + at),
    to: 2 ** (first + at + 1),
    count: counts.get(first + at) ?? 0,
  }))
}

function resampled(sorted: readonly number[], seed: number): readonly (readonly number[])[] {
  const step = Math.max(1, sorted.length / LARGEST_SAMPLE)
  const size = Math.min(sorted.length, LARGEST_SAMPLE)
  const sample = Array.from({ length: size }, (_, at) => sorted[Math.floor(at * step)] ?? 0)
  const random = generator(seed)
  return Array.from({ length: RESAMPLES }, () =>
    Array.from({ length: size }, () => sample[Math.floor(random() * size)] ?? 0).sort(
      (one, other) => one - other,
    ),
  )
}

/** Numbers from 0 to below 1 that come the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
