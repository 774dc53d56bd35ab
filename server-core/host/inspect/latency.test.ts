import { expect, it } from 'vitest'
import { LatencyRecorder } from './latency.ts'

it('takes median and 95th percentile of the newest fifty calls', () => {
  const recorder = new LatencyRecorder()
  expect(recorder.latency).toBeUndefined()
  recorder.add(7)
  expect(recorder.latency).toEqual({ count: 1, p50Ms: 7, p95Ms: 7 })
  for (let ms = 1_000; ms > 0; ms -= 1) recorder.add(ms)
  expect(recorder.latency).toEqual({ count: 50, p50Ms: 25, p95Ms: 48 })
  recorder.clear()
  expect(recorder.latency).toBeUndefined()
})
