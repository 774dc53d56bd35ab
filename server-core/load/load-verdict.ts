import { percentileOf } from '../protocol/percentile.ts'
import type { Estimate } from './load-statistics.ts'

/** Whether a figure stays within a limit. */
export type LoadVerdict =
  | { readonly type: 'passed' | 'failed' }
  /** The machine was too noisy, or the run too short, to say. */
  | { readonly type: 'no-decision'; readonly reason: string }

/** Rounds from which a spread can be read. */
const FEWEST_ROUNDS = 4
/** The largest spread of the medians of rounds, as a share of their median, that is not noise. */
const MOST_SPREAD = 0.5

/** Decides by the interval, not by the figure alone: if the limit lies within it, another run may say the opposite. */
export function verdictOf({ low, high }: Estimate, limit: number, noise: string | undefined): LoadVerdict {
  if (noise !== undefined) return { type: 'no-decision', reason: noise }
  if (high <= limit) return { type: 'passed' }
  if (low > limit) return { type: 'failed' }
  return {
    type: 'no-decision',
    reason: `the limit ${limit} lies within the interval ${low.toFixed(2)} to ${high.toFixed(2)}`,
  }
}

/** Why the rounds differ too much among themselves to be compared with a limit; undefined if they do not. */
export function noiseOf(rounds: readonly (readonly number[])[]): string | undefined {
  const medians = rounds
    .filter((each) => each.length > 0)
    .map(medianOf)
    .sort((one, other) => one - other)
  if (medians.length < FEWEST_ROUNDS) return undefined
  const spread = (percentileOf(medians, 75) - percentileOf(medians, 25)) / medianOf(medians)
  if (spread <= MOST_SPREAD) return undefined
  return `the medians of ${medians.length} rounds differ by ${Math.round(spread * 100)} %: the machine is too noisy`
}

/** The ratio of two servers, from the medians of each round. */
export function ratioOf(
  rounds: readonly (readonly [durations: readonly number[], baseline: readonly number[]])[],
): Estimate | undefined {
  const ratios = rounds
    .filter(([own, other]) => own.length > 0 && other.length > 0)
    .map(([own, other]) => medianOf(own) / medianOf(other))
    .sort((one, other) => one - other)
  if (ratios.length === 0) return undefined
  return { value: percentileOf(ratios, 50), low: percentileOf(ratios, 10), high: percentileOf(ratios, 90) }
}

function medianOf(values: readonly number[]): number {
  return percentileOf(
    values.toSorted((one, other) => one - other),
    50,
  )
}
