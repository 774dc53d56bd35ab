import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../ports/tap.ts'
import { encoder, message, SOURCE } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

describe('any sequence of frames', () => {
  const id = fc.oneof(fc.constantFrom<unknown>(1, 2, '1', null, -0, 1.5, '__proto__'), fc.jsonValue())
  const method = fc.constantFrom<unknown>(
    'tools/call',
    'initialize',
    'sampling/createMessage',
    'elicitation/create',
    'notifications/progress',
    'notifications/cancelled',
    'notifications/message',
    'subscriptions/listen',
    'completion/complete',
    '__proto__',
    7,
  )
  const params = fc.oneof(
    fc.record(
      {
        name: fc.jsonValue(),
        progressToken: id,
        progress: fc.jsonValue(),
        requestId: id,
        requestState: fc.constantFrom('a', 'b'),
        inputResponses: fc.dictionary(fc.constantFrom('q', '__proto__'), fc.jsonValue()),
        messages: fc.jsonValue(),
        data: fc.jsonValue(),
        _meta: fc.record({ progressToken: id }),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  )
  const value: fc.Arbitrary<unknown> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(
        { jsonrpc: fc.constant('2.0'), id, method, params },
        { requiredKeys: ['jsonrpc'] },
      ),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        jsonrpc: fc.constant('2.0'),
        id,
        result: fc.oneof(
          fc.jsonValue(),
          fc.record({
            resultType: fc.constant('input_required'),
            requestState: fc.constantFrom('a', 'b', 3),
            inputRequests: fc.dictionary(
              fc.constantFrom('q', '__proto__'),
              fc.oneof(fc.jsonValue(), fc.record({ method, params })),
            ),
          }),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        jsonrpc: fc.constant('2.0'),
        id,
        error: fc.record({ code: fc.integer(), message: fc.string() }),
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  const http = fc.option(
    fc.record({
      exchange: fc.nat(3),
      method: fc.constantFrom('POST', 'GET'),
      url: fc.string(),
      headers: fc.dictionary(fc.constantFrom('mcp-session-id', 'cookie', 'x'), fc.string()),
      status: fc.constantFrom(200, 202, 404, 503),
    }),
    { nil: undefined },
  )
  const direction = fc.constantFrom<'sent' | 'received'>('sent', 'received')
  const bytes = fc.oneof(
    value.map((each) => encoder.encode(JSON.stringify(each))),
    fc.uint8Array({ maxLength: 60 }),
  )
  const frame: fc.Arbitrary<Frame> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          direction,
          value: fc.oneof(value, fc.array(value, { maxLength: 3 })),
          parsed: fc.boolean(),
          http,
        })
        .map(({ value: each, parsed, ...rest }): Frame => {
          const frame = message(rest.direction, each, rest.http)
          return frame.kind === 'message' && parsed
            ? { ...frame, parsed: JSON.parse(JSON.stringify(each)) as unknown }
            : frame
        }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ direction, bytes }).map((rest): Frame => ({ kind: 'message', ...rest })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ direction, bytes, reason: fc.string(), http })
        .map(({ http: each, ...rest }): Frame => ({
          kind: 'invalid',
          ...rest,
          ...(each === undefined ? {} : { http: each }),
        })),
    },
    {
      weight: 1,
      arbitrary: bytes.map((each): Frame => ({ kind: 'stderr', direction: 'received', bytes: each })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ direction, bytes, http: http.filter((each) => each !== undefined) })
        .map((rest): Frame => ({ kind: 'http', ...rest })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ event: fc.constantFrom<'opened' | 'closed'>('opened', 'closed'), note: fc.string() })
        .map((rest): Frame => ({
          kind: 'lifecycle',
          direction: 'received',
          bytes: new Uint8Array(),
          ...rest,
        })),
    },
  )
  const bounds = fc.constantFrom(
    { frameBytes: 1e9, rows: 100_000 },
    { frameBytes: 1_200, rows: 100_000 },
    { frameBytes: 1e9, rows: 5 },
  )

  it('is folded without a throw, and the bytes add up', () => {
    const property = fc.property(
      fc.array(frame, { maxLength: 40 }),
      fc.constantFrom<'client' | 'server'>('client', 'server'),
      bounds,
      (frames, side, bound) => {
        const log = new TrafficLog({ bounds: bound })
        const tap = log.tap({ ...SOURCE, side })
        for (const each of frames) tap.record(each)
        const rows = log.rows()
        const counts = log.counts()
        const kept = log.frames(frames.map((_, index) => index + 1))
        expect(kept.frames.length).toBe(counts.frames)
        expect(counts.frames + counts.dropped).toBe(frames.length)
        expect(kept.frames.reduce((sum, each) => sum + each.bytes, 0)).toBe(counts.bytes)
        const shown = new Set(rows.flatMap((row) => row.frames))
        for (const each of kept.frames) expect(shown.has(each.seq)).toBe(true)
        const times = rows.map((row) => row.startedAt)
        if (bound.rows > 5) expect(times).toEqual(times.toSorted((a, b) => a - b))
        for (const row of rows) {
          expect(row.bytes).toBe(
            row.frames.reduce((sum, seq) => sum + (frames[seq - 1]?.bytes.byteLength ?? NaN), 0),
          )
          expect(Array.from(row.label).length).toBeLessThanOrEqual(200)
          expect(row.frames).toEqual([...new Set(row.frames)].toSorted((a, b) => a - b))
          if (row.kind === 'request') expect(row.outcome === 'open').toBe(row.endedAt === undefined)
          for (const wait of row.waits ?? [])
            expect(wait.endedAt ?? Infinity).toBeGreaterThanOrEqual(wait.startedAt)
        }
        structuredClone(rows)
      },
    )
    fc.assert(property, { numRuns: 300 })
  })
})
