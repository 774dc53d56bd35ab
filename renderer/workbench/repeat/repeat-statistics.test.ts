import { expect, test } from 'vitest'
import { histogramOf, outcomeOf, statisticsOf, type RepeatedCall } from './repeat-statistics.ts'

const FACTS = { durationMs: 1, revision: '2025-11-25' } as const

function answer(id: number, result: object) {
  const messageText = JSON.stringify({ jsonrpc: '2.0', id, result })
  return { ...FACTS, type: 'result', messageText, bytes: 1, outputCheck: { state: 'no-schema' } } as const
}

function took(durationMs: number, key = 'a'): RepeatedCall {
  return { durationMs, outcome: { type: 'result', key } }
}

test('the same result has the same key, whichever request it answers', () => {
  const result = { content: [{ type: 'text', text: 'x' }] }
  expect(outcomeOf(answer(1, result))).toEqual(outcomeOf(answer(2, result)))
  expect(outcomeOf(answer(1, result))).not.toEqual(outcomeOf(answer(1, { content: [] })))
})

test('errors of tools and of the protocol, and calls without an answer, failed', () => {
  expect(outcomeOf(answer(1, { content: [], isError: true }))).toMatchObject({ type: 'failed' })
  const error = { ...FACTS, type: 'error', messageText: '{}', bytes: 2, code: -32602, message: 'no' } as const
  expect(outcomeOf(error)).toEqual({ type: 'failed', reason: '-32602 no' })
  expect(outcomeOf({ ...FACTS, type: 'failure', code: 'timeout', message: 'late' })).toEqual({
    type: 'failed',
    reason: 'late',
  })
})

test('percentiles are of the calls that succeeded', () => {
  const calls = Array.from({ length: 100 }, (_, place) => took(place + 1, place < 3 ? 'b' : 'a'))
  const failed: RepeatedCall = { durationMs: 9_999, outcome: { type: 'failed', reason: 'no' } }
  expect(statisticsOf([...calls, failed, failed])).toEqual({
    sent: 102,
    failed: 2,
    durations: { least: 1, p50: 50, p90: 90, p95: 95, p99: 99, greatest: 100, mean: 50.5 },
    same: 97,
    results: 2,
    reasons: [['no', 2]],
  })
  expect(statisticsOf([failed])).toMatchObject({ failed: 1, durations: undefined, same: 0, results: 0 })
})

test('each call that succeeded is in one column of the histogram', () => {
  const bins = histogramOf(
    [0.2, 3, 3.9, 61, 100].map((ms) => took(ms)),
    30,
  )
  expect(bins[0]).toEqual({ from: 0, to: 5, count: 3 })
  expect(bins.at(-1)).toEqual({ from: 100, to: 105, count: 1 })
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  expect(histogramOf([took(0)], 30)).toHaveLength(1)
})
