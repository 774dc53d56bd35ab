import { expect, test } from 'vitest'
import type { Frame, Tap } from '../ports/tap.ts'
import { call, message, notify, result } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const BOUNDS = [
  ['bytes', { frameBytes: 2_000_000, rows: 100_000 }],
  ['rows', { frameBytes: 1e9, rows: 1_000 }],
] as const
const FLOOD = 20_000

function initialize(tap: Tap, clientName: string): void {
  const params = { protocolVersion: '2025-11-25', clientInfo: { name: clientName }, capabilities: {} }
  tap.record(sent({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))
  tap.record(message('received', result(0, { serverInfo: { name: clientName } })))
}

function sent(value: unknown): Frame {
  return { ...message('sent', value), kind: 'message', parsed: value }
}

function log(text: string): Frame {
  return message('received', notify('notifications/message', { data: text }))
}

/** A log on which a quiet server and a noisy one talk. */
function quietAndNoisy(bounds: (typeof BOUNDS)[number][1], isWatched: boolean) {
  const traffic = new TrafficLog({ bounds })
  if (isWatched) traffic.subscribe(() => undefined)
  const tap = (serverId: string): Tap => traffic.tap({ serverId, serverName: serverId, side: 'client' })
  const quiet = tap('quiet')
  initialize(quiet, 'quiet')
  for (let id = 1; id <= 100; id += 1) {
    quiet.record(sent(call(id)))
    quiet.record(message('received', result(id)))
  }
  const noisy = tap('noisy')
  initialize(noisy, 'noisy')
  const rowsOf = (serverId: string) => traffic.rows().filter((row) => row.serverId === serverId)
  return { traffic, quiet, noisy, tap, rowsOf }
}

for (const [bound, bounds] of BOUNDS) {
  for (const isWatched of [true, false]) {
    const where = `${isWatched ? 'watched' : 'unwatched'}, bound of ${bound}`

    test(`a noisy server drops no frame of another, and no handshake (${where})`, () => {
      const { traffic, noisy, rowsOf } = quietAndNoisy(bounds, isWatched)
      for (let line = 0; line < FLOOD; line += 1) noisy.record(log(`line ${line}`))
      const quietRows = rowsOf('quiet')
      expect(quietRows).toHaveLength(101)
      expect(traffic.frames(quietRows.flatMap(({ frames }) => frames)).dropped).toBe(0)
      const [handshake, ...lines] = rowsOf('noisy')
      expect(handshake).toMatchObject({ method: 'initialize', outcome: 'ok' })
      expect(traffic.frames(handshake?.frames ?? []).frames).toHaveLength(2)
      expect(lines.at(-1)?.label).toContain(`line ${FLOOD - 1}`)
      const { frames, dropped, droppedOf } = traffic.counts()
      expect(frames + dropped).toBe(204 + FLOOD)
      expect(dropped).toBeGreaterThan(FLOOD / 4)
      expect(droppedOf).toEqual([{ serverId: 'noisy', serverName: 'noisy', side: 'client', dropped }])
    })

    test(`a call keeps its place over the flood that it caused, and counts what was dropped (${where})`, () => {
      const { traffic, noisy, rowsOf } = quietAndNoisy(bounds, isWatched)
      noisy.record(sent(call(7, 'flood')))
      for (let line = 0; line < FLOOD; line += 1) noisy.record(log(`line ${line}`))
      noisy.record(message('received', result(7)))
      for (let line = 0; line < 100; line += 1) noisy.record(log(`later ${line}`))
      const rows = rowsOf('noisy')
      const flood = rows.find(({ label }) => label === 'flood')
      const inside = rows.filter(({ parentId }) => parentId === flood?.id)
      expect(flood).toMatchObject({ outcome: 'ok' })
      expect(traffic.frames(flood?.frames ?? []).frames).toHaveLength(2)
      expect(inside.length).toBeGreaterThan(100)
      expect(flood?.dropped).toBe(FLOOD - inside.reduce((frames, { count }) => frames + count, 0))
      expect(traffic.counts().dropped).toBe(flood?.dropped)
    })
  }
}

test('a server that stores more than its share makes room for one that comes later', () => {
  const { traffic, quiet, tap, rowsOf } = quietAndNoisy({ frameBytes: 1e9, rows: 1_000 }, true)
  for (let line = 0; line < FLOOD; line += 1) quiet.record(log(`line ${line}`))
  const late = tap('late')
  for (let line = 0; line < FLOOD; line += 1) late.record(log(`line ${line}`))
  const sizes = [rowsOf('quiet').length, rowsOf('late').length]
  for (const size of sizes) expect(size).toBeGreaterThan(400)
  expect(traffic.rows().length).toBeLessThanOrEqual(1_000)
})

test('handshakes of many connections are bounded', () => {
  const { tap, rowsOf } = quietAndNoisy({ frameBytes: 1e9, rows: 1_000 }, true)
  for (let connection = 0; connection < 3_000; connection += 1) initialize(tap('again'), `${connection}`)
  const rows = rowsOf('again')
  expect(rows.length).toBeLessThanOrEqual(1_000)
  expect(rows.at(-1)?.label).toContain('2999')
})

test('a new connection of a server continues its traffic', () => {
  const { tap, rowsOf, traffic } = quietAndNoisy({ frameBytes: 1e9, rows: 1_000 }, true)
  for (let connection = 0; connection < 200; connection += 1) {
    const again = tap('again')
    for (let line = 0; line < 100; line += 1) again.record(log(`line ${line} of ${connection}`))
  }
  expect(rowsOf('quiet')).toHaveLength(101)
  expect(traffic.counts().droppedOf?.map(({ serverId }) => serverId)).toEqual(['again'])
})

for (const kind of ['fork', 'session'] as const) {
  test(`a noisy client of our own server drops no frame of another client (${kind})`, () => {
    const traffic = new TrafficLog({ bounds: { frameBytes: 2_000_000, rows: 1_000 } })
    traffic.subscribe(() => undefined)
    const listener = traffic.tap({ serverId: 'ours', serverName: 'ours', side: 'server' })
    const client = (): Tap =>
      (kind === 'fork' ? listener.fork?.('websocket') : listener.session?.()) ?? listener
    const [quiet, noisy] = [client(), client()]
    for (const tap of [quiet, noisy]) {
      tap.record(message('received', { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }))
      tap.record(sent(result(0)))
    }
    for (let id = 1; id <= 50; id += 1) {
      quiet.record(message('received', call(id, 'quiet')))
      quiet.record(sent(result(id)))
    }
    for (let line = 0; line < FLOOD; line += 1)
      noisy.record(sent(notify('notifications/message', { data: line })))
    const rows = traffic.rows()
    expect(rows.filter(({ method }) => method === 'initialize')).toHaveLength(2)
    const calls = rows.filter(({ label }) => label === 'quiet')
    expect(calls).toHaveLength(50)
    expect(traffic.frames(calls.flatMap(({ frames }) => frames)).dropped).toBe(0)
    const { droppedOf, dropped } = traffic.counts()
    expect(droppedOf).toEqual([{ serverId: 'ours', serverName: 'ours', side: 'server', dropped }])
  })
}

test('clients that came and went leave no more shares than a fixed number', () => {
  const traffic = new TrafficLog({ bounds: { frameBytes: 2_000_000, rows: 1_000 } })
  const listener = traffic.tap({ serverId: 'ours', serverName: 'ours', side: 'server' })
  for (let client = 0; client < 500; client += 1) {
    const tap = listener.session?.()
    tap?.record(message('received', call(1, `client ${client}`)))
    tap?.record(sent(result(1)))
  }
  const labels = traffic.rows().map(({ label }) => label)
  expect(labels).toHaveLength(500)
  expect(labels.at(-1)).toBe('client 499')
})

test('what is dropped unread in one step is a small part of the log, also of large messages', () => {
  const traffic = new TrafficLog({ bounds: { frameBytes: 64_000_000, rows: 100_000 } })
  traffic.subscribe(() => undefined)
  const tap = traffic.tap({ serverId: 'large', serverName: 'large', side: 'client' })
  let before = 0
  for (let line = 0; line < 100; line += 1) {
    tap.record(log('x'.repeat(1_100_000)))
    const { dropped } = traffic.counts()
    expect(dropped - before).toBeLessThanOrEqual(2)
    before = dropped
  }
  expect(before).toBeGreaterThan(30)
})
