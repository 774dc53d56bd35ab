import { setTimeout as wait } from 'node:timers/promises'
import type { ExpectMatcherState } from '@playwright/test'
import type { Timeline } from '../timeline/timeline.ts'
import type { Outcome } from './failure-text.ts'

/** As `expect.poll` waits. */
const INTERVALS = [100, 250, 500, 1000] as const

/** How long a matcher tries. */
export type RetryOptions = {
  /** Milliseconds; that of `expect` in the configuration unless given. */
  readonly timeout?: number
}

/** Looks again and again until the outcome is the wanted one, or the time is up. */
export async function retried(
  state: ExpectMatcherState,
  { timeout }: RetryOptions,
  look: () => Promise<Outcome>,
): Promise<Outcome> {
  const deadline = performance.now() + (timeout ?? state.timeout)
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await look()
    const isWanted = outcome.pass !== state.isNot
    const pause = INTERVALS[Math.min(attempt, INTERVALS.length - 1)] ?? 0
    if (isWanted || performance.now() + pause > deadline) return outcome
    await wait(pause)
  }
}

/** Looks at each frame of a timeline until the outcome is the wanted one, or the time is up. */
export async function atEachFrame(
  state: ExpectMatcherState,
  { timeout }: RetryOptions,
  timeline: Timeline,
  look: () => Outcome,
): Promise<Outcome> {
  const first = look()
  if (first.pass !== state.isNot) return first
  const wanted = Promise.withResolvers<void>()
  const stop = timeline.onFrame(() => {
    if (look().pass !== state.isNot) wanted.resolve()
  })
  const timer = new AbortController()
  try {
    const timeUp = wait(timeout ?? state.timeout, undefined, { signal: timer.signal }).catch(() => undefined)
    await Promise.race([wanted.promise, timeUp])
    return look()
  } finally {
    timer.abort()
    stop()
  }
}
