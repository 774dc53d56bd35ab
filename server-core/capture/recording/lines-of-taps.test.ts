import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { foreignTap } from '../../host/embedded/foreign-tap.ts'
import { encodeLines } from '../../ports/encoded-message.ts'
import { frameOf, recordLines, type MessageLines, type Tap } from '../../ports/tap.ts'
import { call, notify, result } from '../sample-frames.test-support.ts'
import { TrafficLog } from '../traffic-log.ts'
import { bothTaps } from './both-taps.ts'
import { Desk, framesOf, SOURCE } from './recorder.test-support.ts'

const desk = new Desk()
beforeEach(() => desk.open())
afterEach(() => desk.close())

const id = fc.oneof(fc.nat(5), fc.constantFrom('1', 'two', 'ä'))
const value = fc.oneof(
  id.map((each) => call(each)),
  id.map((each) => result(each)),
  id.map((each) => result(each, { text: 'ü'.repeat(20_000) })),
  fc.constant(notify('notifications/message', { data: 'x' })),
)
const lines = fc
  .tuple(fc.array(value, { minLength: 1, maxLength: 6 }), fc.constantFrom('sent', 'received'), fc.boolean())
  .map(([values, direction, areParsed]): MessageLines => {
    const encoded = encodeLines(values.map((each) => JSON.stringify(each)))
    return { direction, ...encoded, start: 0, ...(areParsed && { values }) }
  })

test('a log and a recording have the same of lines that came together as of each that came alone', async () => {
  let run = 0
  const seen = async (all: readonly MessageLines[], isTogether: boolean) => {
    run += 1
    const name = `${run}.ndjson`
    const recorder = await desk.recorder(name)
    const log = new TrafficLog()
    const logged = log.tap({ serverId: 'app', serverName: 'This app', side: 'server' })
    const tap = bothTaps(
      foreignTap(logged, () => false),
      recorder.tap(SOURCE),
    )
    for (const each of all) {
      if (isTogether) recordLines(tap, each)
      else for (let index = 0; index < each.ends.length; index += 1) tap.record(frameOf(each, index))
    }
    const totals = await recorder.close()
    const recorded = await framesOf(desk.at(name))
    const seqs = recorded.map((_, index) => index + 1)
    return {
      totals,
      recorded: recorded.map(({ at: _at, ...frame }) => frame),
      rows: log.rows().map(({ label, outcome, frames }) => ({ label, outcome, frames })),
      frames: log.frames(seqs, { whole: true }).frames.map(({ at: _at, ...frame }) => frame),
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { maxLength: 8 }), async (all) => {
      const alone = await seen(all, false)
      expect(alone.recorded).toHaveLength(all.flatMap(({ ends }) => ends).length)
      expect(await seen(all, true)).toEqual(alone)
    }),
    { numRuns: 25 },
  )
})

test('keeps lines together for a tap that accepts several, also through taps around it', () => {
  const together: number[] = []
  const inner: Tap = { record: () => undefined, lines: ({ ends }) => together.push(ends.length) }
  const alone: string[] = []
  const slow: Tap = { record: ({ bytes }) => alone.push(Buffer.from(bytes).toString()) }
  const { bytes, ends } = encodeLines(['{"a":1}', '{"a":2}'])
  recordLines(
    bothTaps(
      slow,
      foreignTap(inner, () => false),
    ),
    { direction: 'sent', bytes, ends, start: 0 },
  )
  expect(together).toEqual([2])
  expect(alone).toEqual(['{"a":1}', '{"a":2}'])
})
