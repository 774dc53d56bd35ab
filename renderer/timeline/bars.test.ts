import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answeringMs, plotOf } from './bars.ts'
import { openRow, sampleRow } from './sample-rows.test-support.ts'

const WINDOW = { start: 0, span: 1_000, step: 1_000 / 6 }
const WIDTH = 1_000

const plot = (row: Parameters<typeof plotOf>[0], note = '', now = 800) =>
  plotOf(row, WINDOW, now, WIDTH, note)

describe('plotOf', () => {
  it('is solid while the server works and hollow while the client is to answer', () => {
    const row = sampleRow('a', {
      startedAt: 100,
      endedAt: 600,
      waits: [
        { startedAt: 200, endedAt: 400 },
        { startedAt: 350, endedAt: 500 },
      ],
    })
    const { pieces, mark, labels } = plot(row, '2 rounds')
    expect(pieces.map(({ left, width, hollow }) => [left, width, hollow])).toEqual([
      [0.1, 0.1, false],
      [0.2, 0.2, true],
      [0.4, expect.closeTo(0.1), true],
      [0.5, expect.closeTo(0.1), false],
    ])
    expect(mark).toBeCloseTo(0.61)
    expect(labels.map(({ text, place }) => [text, place])).toEqual([
      ['answering 200 ms', 'inside'],
      ['2 rounds', 'after'],
    ])
    expect(answeringMs(row, 800)).toBe(300)
  })

  it('ends an open bar at the present time, hollow if it waits', () => {
    expect(plot(openRow('a', { startedAt: 100 })).pieces).toEqual([
      { left: 0.1, width: expect.closeTo(0.7), ms: 700, hollow: false, open: true },
    ])
    const waiting = plot(openRow('a', { startedAt: 100, waits: [{ startedAt: 300 }] }))
    expect(waiting.pieces.map(({ hollow, open }) => [hollow, open])).toEqual([
      [false, false],
      [true, true],
    ])
    expect(waiting.mark).toBeUndefined()
  })

  it('draws what the server asks hollow, a notification as instants, stderr as a mark', () => {
    expect(plot(sampleRow('a', { direction: 'received', startedAt: 0, endedAt: 9 })).pieces[0]?.hollow).toBe(
      true,
    )
    const progress = sampleRow('b', { kind: 'notification', startedAt: 100, instants: [100, 300, 2_000] })
    expect(plot(progress)).toMatchObject({ pieces: [], ticks: [0.1, 0.3], mark: undefined })
    expect(plot(sampleRow('c', { kind: 'stderr', startedAt: 500 }))).toMatchObject({ pieces: [], mark: 0.5 })
  })

  it('puts the note where it fits: after the bar, else before it', () => {
    const late = sampleRow('a', { startedAt: 900, endedAt: 980 })
    expect(plot(late, 'Resource not found').labels).toMatchObject([{ place: 'before', width: 0.9 }])
    const whole = sampleRow('b', { startedAt: 0, endedAt: 1_000 })
    expect(plot(whole, 'Resource not found').labels).toMatchObject([{ width: 0 }])
  })

  it('stays inside the plot, in order, whatever the times are', () => {
    const time = fc.integer({ min: -5_000, max: 5_000 })
    const waits = fc.array(fc.record({ startedAt: time, endedAt: fc.option(time, { nil: undefined }) }), {
      maxLength: 5,
    })
    fc.assert(
      fc.property(time, fc.option(fc.nat(3_000), { nil: undefined }), waits, (startedAt, length, spans) => {
        const row =
          length === undefined
            ? openRow('a', { startedAt, waits: spans })
            : sampleRow('a', { startedAt, endedAt: startedAt + length, waits: spans })
        let last = 0
        for (const { left, width } of plot(row, 'note').pieces) {
          expect(left).toBeGreaterThanOrEqual(last - 1e-9)
          expect(width).toBeGreaterThanOrEqual(0)
          expect(left + width).toBeLessThanOrEqual(1 + 1e-9)
          last = left + width
        }
      }),
    )
  })
})
