import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeIn, tickLabels, timeWindow, windowName } from './time-window.ts'

/** 21:42:01.304 of this computer. */
const AT = new Date(2026, 10, 21, 21, 42, 1, 304).getTime()

describe('timeWindow', () => {
  it('begins at a round time and has round steps', () => {
    const window = timeWindow(AT, AT + 24_000)
    expect(window).toMatchObject({ span: 30_000, step: 5_000 })
    expect(tickLabels(window)).toEqual(['21:42:00', '+5 s', '+10 s', '+15 s', '+20 s', '+25 s'])
    expect(windowName(window)).toBe('30 seconds')
  })

  it('shows milliseconds where they matter', () => {
    const window = timeWindow(AT, AT + 40)
    expect(window.step).toBe(10)
    expect(tickLabels(window).slice(0, 2)).toEqual(['21:42:01.300', '+10 ms'])
  })

  it('holds everything, with room at both ends, and is not much longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.oneof(fc.nat(10), fc.nat(100_000), fc.nat(100_000_000), fc.nat(1e11)),
        (from, length) => {
          const window = timeWindow(from, from + length)
          expect(placeIn(window, from)).toBeGreaterThan(0)
          expect(placeIn(window, from + length)).toBeLessThanOrEqual(0.93)
          if (length > 10) expect(length / window.span).toBeGreaterThan(0.1)
        },
      ),
    )
  })
})
