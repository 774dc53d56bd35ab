import type { RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import { percentileOf } from '../../../server-core/protocol/percentile.ts'

/** One of the calls: how long the server took, and its outcome. */
export type RepeatedCall = {
  readonly durationMs: number
  readonly outcome: Outcome
}

export type Outcome =
  /** `key` is the same for the same result. */
  { readonly type: 'result'; readonly key: string } | { readonly type: 'failed'; readonly reason: string }

/** Durations in milliseconds. */
export type Durations = {
  readonly least: number
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly greatest: number
  readonly mean: number
}

export type RepeatStatistics = {
  readonly sent: number
  readonly failed: number
  /** Of the calls that succeeded; undefined if none did. */
  readonly durations: Durations | undefined
  /** Calls with the most frequent result. */
  readonly same: number
  /** Different results. */
  readonly results: number
  /** Why calls failed, the most frequent reason first. */
  readonly reasons: readonly (readonly [reason: string, count: number])[]
}

/** A column of a histogram: durations from `from` up to, but not including, `to`. */
export type Bin = { readonly from: number; readonly to: number; readonly count: number }

/** What a message that answers a request says, whichever request it answers. */
export function outcomeOf(outcome: RequestOutcome): Outcome {
  switch (outcome.type) {
    case 'result':
    case 'task':
      return resultOf(outcome.messageText)
    case 'error':
      return { type: 'failed', reason: `${String(outcome.code)} ${outcome.message}` }
    case 'failure':
      return { type: 'failed', reason: outcome.message }
  }
}

function resultOf(text: string): Outcome {
  const { result } = JSON.parse(text) as { readonly result?: unknown }
  const isError =
    typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
  const key = keyOf(JSON.stringify(result))
  return isError ? { type: 'failed', reason: `tool error: ${key.slice(0, 200)}` } : { type: 'result', key }
}

/** Longer results are told apart by their length and a hash (FNV-1a), so that thousands of them take no memory. */
const MAX_KEY = 2_000

function keyOf(text: string): string {
  if (text.length <= MAX_KEY) return text
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${String(text.length)} ${String(hash >>> 0)}`
}

/** The statistics of calls, in any order. */
export function statisticsOf(calls: readonly RepeatedCall[]): RepeatStatistics {
  const results = new Map<string, number>()
  const reasons = new Map<string, number>()
  const durations: number[] = []
  for (const { durationMs, outcome } of calls) {
    if (outcome.type === 'failed') reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1)
    else {
      results.set(outcome.key, (results.get(outcome.key) ?? 0) + 1)
      durations.push(durationMs)
    }
  }
  return {
    sent: calls.length,
    failed: calls.length - durations.length,
    durations: durationsOf(durations.toSorted((a, b) => a - b)),
    same: Math.max(0, ...results.values()),
    results: results.size,
    reasons: [...reasons].sort(([, a], [, b]) => b - a),
  }
}

function durationsOf(sorted: readonly number[]): Durations | undefined {
  const [least] = sorted
  if (least === undefined) return undefined
  return {
    least,
    p50: percentileOf(sorted, 50),
    p90: percentileOf(sorted, 90),
    p95: percentileOf(sorted, 95),
    p99: percentileOf(sorted, 99),
    greatest: sorted.at(-1) ?? least,
    mean: sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
  }
}

/** The successful calls by duration, in columns of one width from 0 to the longest. */
export function histogramOf(calls: readonly RepeatedCall[], columns: number): readonly Bin[] {
  const durations = calls.flatMap(({ durationMs, outcome }) =>
    outcome.type === 'result' ? [durationMs] : [],
  )
  const greatest = durations.reduce((a, b) => Math.max(a, b), 0)
  const width = roundUp((greatest || 1) / columns)
  const counts = new Array<number>(Math.floor(greatest / width) + 1).fill(0)
  for (const duration of durations) {
    const place = Math.floor(duration / width)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts.map((count, place) => ({ from: place * width, to: (place + 1) * width, count }))
}

/** 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((each) => each * power >= value) ?? 10) * power
}
