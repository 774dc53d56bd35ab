import { expect, test } from 'vitest'
import type { Frame, HttpFacts } from '../transports/tap.ts'
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

test('forgets a secret only for what comes later', () => {
  const { log, tap } = unwatched(1_000_000)
  const forget = log.redact('s3cr3t value')
  tap.record(received(call(1), facts(1, { headers: { 'x-key': 's3cr3t value' } })))
  forget()
  expect(log.frames([1]).frames[0]?.http?.headers).toEqual([{ name: 'x-key', value: '⟨redacted⟩' }])
})
