import { performance } from 'node:perf_hooks'
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test'
import type { Timeline } from '../timeline/timeline.ts'
import { matcherResult } from './failure-text.ts'

/** Limits in milliseconds, and how they are measured. */
export type DurationBudget = {
  readonly p50?: number
  readonly p95?: number
  readonly p99?: number
  readonly max?: number
  readonly mean?: number
  /** How often a function is called; 30 unless given. */
  readonly runs?: number
  /** Calls before, which do not count; 3 unless given. */
  readonly warmUp?: number
}

const LIMITS = ['p50', 'p95', 'p99', 'max', 'mean'] as const
type Limit = (typeof LIMITS)[number]

/** `toStayWithin` for a function that is called again and again, and for the requests of a timeline. */
export const durationMatcher = {
  async toStayWithin(
    this: ExpectMatcherState,
    received: Timeline | (() => Promise<unknown>),
    budget: DurationBudget,
  ): Promise<MatcherReturnType> {
    const limits = LIMITS.filter((name) => budget[name] !== undefined)
    if (limits.length === 0)
      throw new RangeError(`toStayWithin: expected a limit (${LIMITS.join(', ')} in milliseconds), got none`)
    const durations = typeof received === 'function' ? await measured(received, budget) : requestsOf(received)
    const sorted = durations.toSorted((one, other) => one - other)
    const exceeded = limits.filter((name) => statistic(name, sorted) > (budget[name] ?? Infinity))
    const figures = LIMITS.map((name) => `${name} ${statistic(name, sorted).toFixed(1)}`).join(', ')
    return matcherResult(this, 'toStayWithin', {
      pass: sorted.length > 0 && exceeded.length === 0,
      expected: limits.map((name) => `${name} ≤ ${budget[name]} ms`).join(', '),
      received: sorted.length === 0 ? 'no request' : `${figures} ms over ${sorted.length} runs`,
    })
  },
}

async function measured(
  run: () => Promise<unknown>,
  { runs = 30, warmUp = 3 }: DurationBudget,
): Promise<readonly number[]> {
  const durations: number[] = []
  for (let number = 0; number < warmUp + runs; number += 1) {
    const startedAt = performance.now()
    await run()
    if (number >= warmUp) durations.push(performance.now() - startedAt)
  }
  return durations
}

function requestsOf(timeline: Timeline): readonly number[] {
  return timeline
    .exchanges()
    .filter(({ from }) => from === 'client')
    .flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]))
}

function statistic(name: Limit, sorted: readonly number[]): number {
  if (name === 'mean') return sorted.reduce((sum, one) => sum + one, 0) / Math.max(1, sorted.length)
  const share = { p50: 0.5, p95: 0.95, p99: 0.99, max: 1 }[name]
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
