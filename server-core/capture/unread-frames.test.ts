import { expect, test } from 'vitest'
import { encodeLines } from '../ports/encoded-message.ts'
import { recordLines, type Frame, type HttpFacts, type MessageLines } from '../ports/tap.ts'
import { serverTraffic } from './server-traffic.test-support.ts'
import { Segment } from './segment.ts'
import { call, facts, message, notify, result } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

/** A log that nobody listens to, on a server's side. */
function unwatched(frameBytes: number) {
  const log = new TrafficLog({ bounds: { frameBytes, rows: 100_000 } })
  return { log, tap: log.tap({ serverId: 'app', serverName: 'This app', side: 'server' }) }
}

/** A message as a transport of the server's side records it: parsed already. */
function received(value: unknown, http?: HttpFacts): Frame {
  return { ...message('received', value, http), kind: 'message', parsed: value }
}

const CALLS = 2_000

test('keeps the newest and what is open when nobody looks', () => {
  const { log, tap } = unwatched(200_000)
  tap.record(received(call('long', 'lasting')))
  for (let id = 0; id < CALLS; id += 1) {
    tap.record(received(call(id, `call ${id}`)))
    tap.record(message('sent', result(id)))
  }
  const { frames, dropped } = log.counts()
  expect(frames + dropped).toBe(2 * CALLS + 1)
  expect(dropped).toBeGreaterThan(CALLS)
  const rows = log.rows()
  expect(rows.at(-1)).toMatchObject({ label: `call ${CALLS - 1}`, outcome: 'ok' })
  // Frames are numbered as they were recorded, those that went unseen too.
  expect(rows.at(-1)?.frames).toEqual([2 * CALLS, 2 * CALLS + 1])
  expect(log.nextSeq()).toBe(2 * CALLS + 2)
  const shown = log.frames(rows.at(-1)?.frames ?? []).frames
  expect(shown.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
    call(CALLS - 1, `call ${CALLS - 1}`),
    result(CALLS - 1),
  ])
  expect(rows.filter(({ outcome }) => outcome === 'open')).toMatchObject([{ label: 'lasting' }])

  tap.record(message('sent', result('long')))
  expect(log.rows().filter(({ label }) => label === 'lasting')).toMatchObject([{ outcome: 'ok' }])
})

test('lets answers that a client received go with their requests, and still finds the row of one that is kept', () => {
  const log = new TrafficLog({ bounds: { frameBytes: 200_000, rows: 100_000 } })
  const tap = log.tap({ serverId: 'app', serverName: 'This app', side: 'client' })
  let answer = message('received', result(0))
  for (let id = 0; id < CALLS; id += 1) {
    tap.record(message('sent', call(id, `call ${id}`)))
    tap.record((answer = message('received', result(id))))
  }
  const rows = log.rows()
  expect(rows.length).toBeLessThan(CALLS / 2)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['request']))
  expect(log.exchangeIdOf(answer.bytes)).toBe(rows.at(-1)?.id)
})

test('shows no answer without its question, however calls of many clients overlap', () => {
  const { log, tap } = unwatched(400_000)
  // Each is answered when thirty more were asked; all clients use the same ids.
  for (let exchange = 0; exchange < CALLS; exchange += 1) {
    tap.record(received(call(exchange % 10), facts(exchange)))
    const answered = exchange - 30
    if (answered >= 0) {
      tap.record(message('sent', result(answered % 10), facts(answered, { status: 200 })))
    }
  }
  const rows = log.rows()
  expect(rows.length).toBeGreaterThan(50)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['request']))
  expect(rows.filter(({ outcome }) => outcome === 'open')).toHaveLength(30)
})

test('finds the answers of one client on its stream, and lets the heads of its requests go with them', () => {
  const { log, tap } = unwatched(400_000)
  const client = tap.fork?.() ?? tap
  for (let exchange = 2; exchange < CALLS; exchange += 1) {
    client.record(received(call(exchange), facts(exchange)))
    const http = facts(exchange, { status: 202 })
    client.record({ kind: 'http', direction: 'sent', bytes: new Uint8Array(), http })
    client.record(message('sent', result(exchange), facts(1, { status: 200 })))
  }
  const rows = log.rows()
  expect(rows.length).toBeGreaterThan(50)
  expect(new Set(rows.map(({ kind, outcome }) => `${kind} ${outcome}`))).toEqual(new Set(['request ok']))
})

test('leaves no head without its request, however the heads and the answers of many clients overlap', () => {
  const { log, tap } = unwatched(400_000)
  for (let exchange = 0; exchange < CALLS; exchange += 1) {
    tap.record(received(call(exchange % 10), facts(exchange)))
    const http = facts(exchange - 2, { status: 200 })
    if (exchange >= 2) tap.record({ kind: 'http', direction: 'sent', bytes: new Uint8Array(), http })
    const answered = exchange - 5
    if (answered < 0) continue
    const event = { id: `0-${answered}` }
    tap.record(message('sent', result(answered % 10), facts(answered, { status: 200, event })))
  }
  const { frames, dropped } = log.counts()
  expect(frames + dropped).toBe(3 * CALLS - 7)
  const rows = log.rows()
  expect(rows.length).toBeGreaterThan(50)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['request']))
  expect(rows.filter(({ outcome }) => outcome === 'open')).toHaveLength(5)
})

test('keeps within its bound whatever comes', () => {
  const { log, tap } = unwatched(200_000)
  for (let line = 0; line < CALLS; line += 1) {
    tap.record(message('sent', notify('notifications/message', { data: `line ${line}` })))
  }
  const { frames, dropped } = log.counts()
  expect(frames + dropped).toBe(CALLS)
  expect(log.counts().bytes).toBeLessThan(200_000)
  expect(log.rows().at(-1)).toMatchObject({ label: `line ${CALLS - 1}` })
})

test('counts what the heads of messages take', () => {
  const { log, tap } = unwatched(400_000)
  const pairs = 120
  for (let id = 0; id < pairs; id += 1) {
    const headers = { 'x-note': `${id}`.padEnd(4_000, 'x') }
    tap.record(received(call(id), facts(id, { headers })))
    tap.record(message('sent', result(id), facts(id, { status: 200 })))
  }
  const { frames, dropped } = log.counts()
  expect(frames + dropped).toBe(2 * pairs)
  expect(dropped).toBeGreaterThan(pairs / 2)
})

test.each([
  ['of few headers', 1, 4_000],
  ['of more headers than are told apart', 300, 13],
])('counts what heads %s take whose names are others each time', (_, count, length) => {
  const segment = new Segment(200)
  const { connection } = serverTraffic(1_000_000)
  let bytes = 0
  for (let id = 0; id < 100; id += 1) {
    const names = Array.from({ length: count }, (__, place) => `x-${id}-${place}`)
    const headers = Object.fromEntries(names.map((name) => [name, 'x'.repeat(length)]))
    segment.add(id, connection, 0, received(call(id), facts(id, { headers })))
    bytes += names.join('').length + count * length
  }
  expect(segment.cost).toBeGreaterThan(bytes)
})

test('masks a secret in frames that were recorded before it was registered', () => {
  const { log, tap } = unwatched(1_000_000)
  tap.record(received(call(1), facts(1, { headers: { 'x-key': 's3cr3t value' } })))
  log.redact('s3cr3t value')
  expect(log.frames([1]).frames[0]?.http?.headers).toEqual([{ name: 'x-key', value: '⟨redacted⟩' }])
})

test('keeps nothing of old notifications that stand for themselves, and the requests that are open', () => {
  const { log, tap } = unwatched(400_000)
  tap.record(received(call('open', 'lasting')))
  tap.record(received({ ...(call(1, 'listening') as object), method: 'subscriptions/listen' }, facts(1)))
  for (let index = 0; index < CALLS; index += 1) {
    const updated = notify('notifications/resources/updated', { uri: `note:${index}` })
    tap.record(message('sent', updated, facts(1, { status: 200, event: { id: `0-${index}` } })))
  }
  const rows = log.rows()
  expect(log.counts().dropped).toBeGreaterThan(CALLS / 2)
  expect(log.counts().frames + log.counts().dropped).toBe(CALLS + 2)
  expect(rows.filter(({ outcome }) => outcome === 'open').map(({ method }) => method)).toEqual([
    'tools/call',
    'subscriptions/listen',
  ])
  const newest = log.frames([CALLS + 2]).frames[0]
  expect(newest).toMatchObject({ http: { event: { id: `0-${CALLS - 1}` } } })
  expect(newest?.text).toContain(`note:${CALLS - 1}`)
})

/** Lines as a transport of the server's side shows them. */
function lines(direction: 'sent' | 'received', messages: readonly unknown[]): MessageLines {
  const { bytes, ends } = encodeLines(messages.map((each) => JSON.stringify(each)))
  return { direction, bytes, start: 0, ends, ...(direction === 'received' && { values: messages }) }
}

test('shows lines that came together as it shows messages that came alone, watched or not', () => {
  const long = 'x'.repeat(20_000)
  const asked = [
    call(1, 'one'),
    call('two', 'two'),
    call(3, 'three', { long }),
    notify('notifications/initialized'),
  ]
  const answers = [result(1), result('two'), result(3, { long }), result(4)]
  const shown = (isWatched: boolean, together: boolean) => {
    const log = new TrafficLog()
    const tap = log.tap({ serverId: 'app', serverName: 'This app', side: 'server' })
    if (isWatched) log.subscribe(() => undefined)
    for (const some of [lines('received', asked), lines('sent', answers)]) {
      recordLines(together ? tap : { record: (frame) => tap.record(frame) }, some)
    }
    const rows = log.rows().map(({ label, outcome, frames }) => ({ label, outcome, frames }))
    const { frames } = log.frames([1, 2, 3, 4, 5, 6, 7, 8], { whole: true })
    const texts = frames.map(({ text, direction }) => `${direction} ${text}`)
    return { rows, texts, counts: log.counts() }
  }
  const alone = shown(true, false)
  expect(alone.texts).toEqual([
    ...asked.map((each) => `sent ${JSON.stringify(each)}`),
    ...answers.map((each) => `received ${JSON.stringify(each)}`),
  ])
  expect(alone.rows).toHaveLength(5)
  for (const isWatched of [false, true]) expect(shown(isWatched, true)).toEqual(alone)
})

test('lets calls that came as lines go with their answers, in whichever lines those stand', () => {
  const { log, tap } = unwatched(400_000)
  const each = 50
  for (let first = 0; first < CALLS; first += each) {
    const ids = Array.from({ length: each }, (_, index) => first + index)
    recordLines(
      tap,
      lines(
        'received',
        ids.map((id) => call(id, `call ${id}`)),
      ),
    )
    recordLines(
      tap,
      lines(
        'sent',
        ids.map((id) => result(id - 7)),
      ),
    )
  }
  const rows = log.rows()
  expect(rows.length).toBeGreaterThan(each)
  expect(rows.length).toBeLessThan(CALLS)
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['request']))
  expect(rows.filter(({ outcome }) => outcome === 'open')).toHaveLength(7)
})
