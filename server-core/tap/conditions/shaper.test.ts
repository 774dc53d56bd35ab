import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DirectionConditions } from './conditions-schema.ts'
import { areConditions, Shaper } from './shaper.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function shaped(conditions: DirectionConditions) {
  const arrived: { readonly at: number; readonly bytes: number }[] = []
  const closed: string[] = []
  const full: boolean[] = []
  const from = performance.now()
  const shaper = new Shaper(conditions, {
    out: (bytes) => arrived.push({ at: Math.round(performance.now() - from), bytes: bytes.byteLength }),
    close: (reason) => closed.push(reason),
    full: (isFull) => full.push(isFull),
    seed: 1,
    name: 'to-server',
  })
  return { shaper, arrived, closed, full }
}

it('delays, and keeps the order whatever the jitter', () => {
  const { shaper, arrived } = shaped({ latencyMs: 100, jitterMs: 80 })
  for (let size = 1; size <= 20; size += 1) shaper.push(Buffer.alloc(size))
  vi.advanceTimersByTime(1_000)
  expect(arrived.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(arrived[0]?.at).toBeGreaterThanOrEqual(20)
  expect(arrived.at(-1)?.at).toBeLessThanOrEqual(181)
})

it('limits the rate, and asks the sender to wait', () => {
  const { shaper, arrived, full } = shaped({ bytesPerSecond: 1024 * 1024 })
  for (let count = 0; count < 3; count += 1) shaper.push(Buffer.alloc(512 * 1024))
  expect(full).toEqual([true])
  vi.advanceTimersByTime(1_000)
  expect(arrived.map(({ at }) => at)).toEqual([500, 1_000])
  vi.advanceTimersByTime(501)
  expect(arrived).toHaveLength(3)
  expect(full).toEqual([true, false])
})

it('slices, closes after a number of bytes, resets after a time, and stops without closing', () => {
  const slices = shaped({ sliceBytes: 10, sliceMs: 5 })
  slices.shaper.push(Buffer.alloc(25))
  vi.advanceTimersByTime(100)
  expect(slices.arrived.map(({ bytes }) => bytes)).toEqual([10, 10, 5])

  const limited = shaped({ limitBytes: 15 })
  limited.shaper.push(Buffer.alloc(10))
  limited.shaper.push(Buffer.alloc(10))
  expect(limited.arrived.map(({ bytes }) => bytes)).toEqual([10, 5])
  expect(limited.closed).toEqual(['the connection was closed after 15 bytes'])

  const reset = shaped({ resetMs: 50 })
  vi.advanceTimersByTime(60)
  reset.shaper.push(Buffer.alloc(1))
  expect(reset.arrived).toEqual([])
  expect(reset.closed).toEqual(['the connection was reset after 50 ms'])

  const silent = shaped({ timeoutMs: 50 })
  silent.shaper.push(Buffer.alloc(1))
  vi.advanceTimersByTime(60)
  silent.shaper.push(Buffer.alloc(1))
  vi.advanceTimersByTime(10_000)
  expect(silent.arrived).toHaveLength(1)
  expect(silent.closed).toEqual([])
})

it('passes the end on when everything has arrived, and later if it closes slowly', async () => {
  const { shaper, arrived } = shaped({ latencyMs: 100, slowCloseMs: 50 })
  shaper.push(Buffer.alloc(1))
  let isOver = false
  const ended = shaper.end().then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(120)
  expect(arrived).toHaveLength(1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(50)
  await ended
  expect(areConditions({ latencyMs: 0 })).toBe(false)
  expect(areConditions({ latencyMs: 1 })).toBe(true)
})
