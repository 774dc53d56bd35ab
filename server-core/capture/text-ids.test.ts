import { expect, test } from 'vitest'
import type { Frame, HttpFacts } from '../ports/tap.ts'
import { call, facts, message, result } from './sample-frames.test-support.ts'
import { serverTraffic } from './server-traffic.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const SERVED = { serverId: 'app', serverName: 'This app', side: 'server' } as const
const FRAME_BYTES = 400_000
const CALLS = 2_000

/** A message as a transport of the server's side records it: parsed already. */
function received(value: unknown, http?: HttpFacts): Frame {
  return { ...message('received', value, http), kind: 'message', parsed: value }
}

const IDS: [string, (index: number) => string][] = [
  ['of digits', (index) => `${index}`],
  ['like UUIDs', (index) => `0d9b6c1e-73a5-4c0c-9e0f-${`${index}`.padStart(12, '0')}`],
  ['that JSON escapes', (index) => `"ä€\\\n\ud800${index}`],
  ['as long as are kept', (index) => `${index}`.padStart(255, 'x')],
]

test.each(IDS)(
  'requests with ids %s go unseen with their answers; those whose ids are numbers stay',
  (_, idOf) => {
    for (const hasHttp of [false, true]) {
      const { server, usage, connection, folded } = serverTraffic(FRAME_BYTES)
      let seq = 0
      const add = (frame: Frame): void => {
        seq += 1
        server.add(seq, connection, 0, frame, undefined)
        if (usage.cost > FRAME_BYTES) server.dropOldest()
      }
      const asked = [call(1), call(3), call(idOf(5), 'hidden by the next one')]
      for (const value of asked) add(received(value))
      for (let index = 1; index < CALLS; index += 1) {
        const more = index % 100 === 0 ? { long: 'x'.repeat(17_000) } : {}
        add(received(call(idOf(index), 'answered', more), hasHttp ? facts(index) : undefined))
        add(message('sent', result(idOf(index)), hasHttp ? facts(index, { status: 200 }) : undefined))
      }
      expect(folded.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as unknown)).toEqual(asked)
      expect(server.dropped).toBeGreaterThan(CALLS / 2)
    }
  },
)

test('requests whose ids are too long to be kept are shown with their answers', () => {
  const log = new TrafficLog({ bounds: { frameBytes: FRAME_BYTES, rows: 100_000 } })
  const tap = log.tap(SERVED)
  for (let index = 0; index < CALLS; index += 1) {
    const id = `${index}`.padStart(256, 'x')
    tap.record(received(call(id)))
    tap.record(message('sent', result(id)))
  }
  const { frames, dropped } = log.counts()
  expect(frames + dropped).toBe(2 * CALLS)
  expect(new Set(log.rows().map(({ kind, outcome }) => `${kind} ${outcome}`))).toEqual(
    new Set(['request ok']),
  )
})
