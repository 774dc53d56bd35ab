import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { call, message, notify, result, SOURCE } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const FRAMES = 60_000

/** A log with frames of two servers in turn that nobody has read. */
function unread() {
  const log = new TrafficLog()
  const taps = ['one', 'two'].map((serverId) => log.tap({ ...SOURCE, serverId }))
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const text = `line ${frame}`
    taps[frame % 2]?.record(message('received', notify('notifications/message', { data: text })))
  }
  return { log, tap: taps[0] ?? log.tap(SOURCE) }
}

/** Reads everything that a listener receives until `frames` frames are shown. */
function listen(log: TrafficLog, frames: number) {
  const rows = new Map<string, Exchange>()
  const changes: number[] = []
  const turns: number[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    if (changes.length < 10_000) setImmediate(count)
  }
  setImmediate(count)
  const all = new Promise<void>((resolve) => {
    const stop = log.subscribe((change) => {
      changes.push(change.rows.length)
      turns.push(turn)
      for (const row of change.rows.map((shown) => shown.read())) rows.set(row.id, row)
      const shown = [...rows.values()].reduce((sum, row) => sum + row.frames.length, 0)
      if (shown < frames) return
      stop()
      changes.length = 10_000
      resolve()
    })
  })
  return { rows, turns, all }
}

test('a log that nobody has read is shown in slices, in order and whole', async () => {
  const { log, tap } = unread()
  const { rows, turns, all } = listen(log, FRAMES + 2)
  expect(log.shownRows().length).toBeLessThan(FRAMES)
  // What comes meanwhile is shown after what waits.
  tap.record(message('sent', call(1)))
  tap.record(message('received', result(1)))
  await all
  // Other work had its turn between the slices.
  expect(new Set(turns).size).toBeGreaterThan(2)
  const shown = [...rows.values()]
  expect(shown.map(({ startedAt }) => startedAt)).toEqual(
    shown.map(({ startedAt }) => startedAt).toSorted((a, b) => a - b),
  )
  expect(shown.slice(0, -1).map(({ label }) => /\d+$/.exec(label.replace(/”$/, ''))?.[0])).toEqual(
    Array.from({ length: FRAMES }, (_, frame) => String(frame)),
  )
  expect(shown.at(-1)).toMatchObject({ method: 'tools/call', outcome: 'ok' })
  expect(log.counts()).toMatchObject({ frames: FRAMES + 2, dropped: 0 })
  expect(log.shownRows()).toHaveLength(FRAMES + 1)
})

test('a row that is looked up early does not come out of order', async () => {
  const { log, tap } = unread()
  const answer = message('received', result(1))
  tap.record(message('sent', call(1)))
  tap.record(answer)
  const { rows, all } = listen(log, FRAMES + 2)
  const id = log.exchangeIdOf(answer.bytes)
  await all
  expect([...rows.keys()].at(-1)).toBe(id)
  expect(rows.size).toBe(FRAMES + 1)
})

test('a log that is cleared while it is read drops all earlier frames, also unread ones', async () => {
  const { log, tap } = unread()
  const cleared = new Promise<void>((resolve) => {
    log.subscribe((change) => {
      if (change.cleared) resolve()
    })
  })
  tap.record(message('sent', call(1, 'open')))
  log.clear()
  tap.record(message('sent', call(2, 'later')))
  await cleared
  expect(log.rows().map(({ label }) => label)).toEqual(['open', 'later'])
  expect(log.counts()).toEqual({ frames: 2, bytes: expect.any(Number) as number, dropped: 0 })
})
