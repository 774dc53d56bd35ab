import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Frame, HttpFacts } from '../ports/tap.ts'
import { call, message, notify, result } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const value = fc.string({
  size: '+1',
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
})
const http = fc.record(
  {
    exchange: fc.integer({ min: 1, max: 6 }),
    method: fc.constantFrom('POST', 'GET'),
    url: fc.constantFrom('/mcp', '/mcp?x=1'),
    headers: fc.oneof(
      fc.record({ accept: value, 'mcp-session-id': value, 'content-length': value }),
      fc.dictionary(fc.constantFrom('accept', 'x-a'), value),
    ),
    status: fc.constantFrom(200, 202, 404),
    event: fc.record(
      {
        id: fc.constantFrom('0-1', '0-2', '€1', '€2'),
        name: fc.constantFrom('', 'message'),
        retry: fc.constantFrom(0, 500),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['exchange', 'method', 'url', 'headers'] },
)
const id = fc.constantFrom(1, 2, 'a')
const said = fc.oneof(
  id.map((each) => call(each)),
  id.map((each) => result(each)),
  id.map((each) => result(each, { text: 'ü'.repeat(10_000) })),
  fc.constant(notify('notifications/message', { data: 'x' })),
)

function frameOf(value: unknown, direction: 'sent' | 'received', facts: HttpFacts | undefined): Frame {
  const frame = message(direction, value, facts)
  return frame.kind === 'message' && direction === 'received' ? { ...frame, parsed: value } : frame
}

/** An HTTP head that carries no message. */
const head = fc
  .tuple(fc.constantFrom('sent', 'received'), http, fc.constantFrom('', 'reset'))
  .map(([direction, facts, why]): Frame => ({
    kind: 'http',
    direction,
    bytes: Buffer.from(why),
    http: facts,
  }))

const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 3, arbitrary: head },
  {
    weight: 8,
    arbitrary: fc
      .tuple(said, fc.constantFrom('sent', 'received'), fc.option(http))
      .map(([value, direction, facts]) => frameOf(value, direction, facts ?? undefined)),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Frame>({
      kind: 'invalid',
      direction: 'received',
      bytes: Buffer.from('<'),
      reason: 'no JSON',
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Frame>({
      kind: 'lifecycle',
      direction: 'received',
      bytes: new Uint8Array(),
      event: 'closed',
      note: 'gone',
    }),
  },
)

/** What a log shows in the end, but for the times. */
function shown(frames: readonly Frame[], isWatched: boolean): unknown {
  const log = new TrafficLog()
  if (isWatched) log.subscribe(() => undefined)
  const tap = log.tap({ serverId: 'app', serverName: 'This app', side: 'server' })
  for (const each of frames) tap.record(each)
  const rows = log.rows().map(({ startedAt, endedAt, waits, instants, ...row }) => ({
    ...row,
    ended: endedAt === undefined ? undefined : endedAt >= startedAt,
    waits: waits?.length,
    instants: instants?.length,
  }))
  const seqs = frames.map((_, index) => index + 1)
  return {
    rows,
    frames: log.frames(seqs, { whole: true }).frames.map(({ at: _at, ...view }) => view),
    counts: log.counts(),
  }
}

test('what nobody watched looks like what somebody watched', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 30, maxLength: 60 }), (frames) => {
      expect(shown(frames, false)).toEqual(shown(frames, true))
    }),
    { numRuns: 60 },
  )
})
