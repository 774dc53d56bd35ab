import type { Connection } from '../client/connect.ts'
import { runLoad, type LoadOptions, type LoadSample } from './run-load.ts'

/** Measurements of two servers in turn, so that what else the machine does concerns both. */
export type ComparedLoad = {
  readonly sample: LoadSample
  readonly baseline?: LoadSample
  /** Durations of the server, and of the baseline, round by round. */
  readonly rounds: readonly (readonly [durations: readonly number[], baseline: readonly number[]])[]
}

const ROUNDS = 10

/**
 * Measures a server: in rounds in turn with a baseline, or in one go without one, so that calls that wait for a slow
 * server go on to wait. The parts of one go are its rounds; with a rate it has one, since its calls may wait longer
 * and longer.
 */
export async function compareLoad(
  connections: readonly Connection[],
  baseline: readonly Connection[] | undefined,
  options: LoadOptions,
): Promise<ComparedLoad> {
  if (baseline === undefined) {
    const sample = await runLoad(connections, options)
    const length = options.rate === undefined ? Math.ceil(sample.durations.length / ROUNDS) : Infinity
    return { sample, rounds: partsOf(sample.durations, length).map((part) => [part, []]) }
  }
  const rounds = Math.min(ROUNDS, options.count)
  const own: LoadSample[] = []
  const other: LoadSample[] = []
  for (let round = 0; round < rounds; round += 1) {
    const count =
      Math.floor(((round + 1) * options.count) / rounds) - Math.floor((round * options.count) / rounds)
    const part = { ...options, count, durationMs: options.durationMs / (rounds * 2) }
    own.push(await runLoad(connections, part))
    other.push(await runLoad(baseline, part))
  }
  return {
    sample: together(own),
    baseline: together(other),
    rounds: own.map((each, at) => [each.durations, other[at]?.durations ?? []]),
  }
}

function partsOf(durations: readonly number[], length: number): readonly (readonly number[])[] {
  const parts: (readonly number[])[] = []
  for (let from = 0; from < durations.length; from += length) parts.push(durations.slice(from, from + length))
  return parts
}

function together(samples: readonly LoadSample[]): LoadSample {
  const errors: Record<string, number> = {}
  for (const sample of samples)
    for (const [kind, count] of Object.entries(sample.errors)) errors[kind] = (errors[kind] ?? 0) + count
  return {
    durations: samples.flatMap(({ durations }) => durations),
    errors,
    elapsedMs: samples.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  }
}
