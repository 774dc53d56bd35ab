import { describe, expect, it } from 'vitest'
import type { FaultSettings } from '../fault-settings.ts'
import { ECHOING } from './faulty-registry.test-support.ts'
import {
  cellOf,
  faultyServer,
  settingsOf,
  WAYS,
  type Caller,
  type Faulty,
  type Way,
} from './faulty-server.test-support.ts'

/** Milliseconds of a delay, and of a stall. */
const HELD_MS = 80
/** Milliseconds that a client waits for an answer that should not come. */
const GIVES_UP_MS = 300

type Fault = (typeof ECHOING)[number]

/** Calls the tool of a fault, and holds what its client sees of that against the table. */
async function expectSeen(client: Caller, way: Way, fault: Fault): Promise<void> {
  const cell = cellOf(fault, way)
  const began = performance.now()
  const calling = client.call(fault, {}, cell === 'error' || cell === 'lost' ? GIVES_UP_MS : undefined)
  switch (cell) {
    case 'late':
      expect(await calling).toBe(`${fault} answered`)
      expect(performance.now() - began).toBeGreaterThanOrEqual(HELD_MS - 2)
      break
    case 'once':
    case 'flood':
    case '–':
      expect(await calling).toBe(`${fault} answered`)
      break
    case 'error':
    case 'lost':
      await expect(calling, `call of ${fault}`).rejects.toBeInstanceOf(Error)
      break
    default:
      expect.fail(`the table says "${cell}" of ${fault}`)
  }
}

/** Faults that leave the connection as it is, and what they are about. */
const HARMLESS: readonly Fault[] = [
  'delay',
  'drop',
  'duplicate',
  'malformed',
  'wrong-id',
  'status',
  'stderr-flood',
]
const DEADLY: readonly Fault[] = ['cut', 'close', 'session-loss']

const rule = (kind: Fault): object => ({
  kind,
  where: { tool: kind },
  ...((kind === 'delay' || kind === 'stall') && { ms: HELD_MS }),
  ...(kind === 'stderr-flood' && { bytes: 200_000 }),
})

describe.each(['own', 'official'] as const)('of the table of faults, the %s client', (which) => {
  const ways = WAYS.filter((way) => which === 'own' || way !== 'memory')

  /** Puts rules in force while the client is connected: over stdio the server is a process of its own. */
  async function force(faulty: Faulty, way: Way, client: Caller, settings: FaultSettings): Promise<void> {
    if (way === 'stdio') await client.call('set_faults', settings)
    else faulty.control.apply(settings)
  }

  // Over stdio each connection starts a process, of which there are a dozen.
  const START_UPS = { timeout: 60_000 }
  it.each(ways)('sees what it says over %s, and a healthy server behind it', START_UPS, async (way) => {
    const faulty = await faultyServer()
    const client = await faulty[which](way)
    await client.call('plain')
    await force(faulty, way, client, settingsOf(...HARMLESS.map(rule)))
    await Promise.all(HARMLESS.map((fault) => expectSeen(client, way, fault)))
    expect(await client.call('plain')).toBe('plain answered')

    await force(faulty, way, client, settingsOf(rule('stall')))
    await expectSeen(client, way, 'stall')
    await force(faulty, way, client, settingsOf(rule('reorder')))
    const settled: string[] = []
    await Promise.all(
      ['reorder', 'plain'].map(async (name) => {
        await client.call(name)
        settled.push(name)
      }),
    )
    if (cellOf('reorder', way) === 'behind the next') expect(settled).toEqual(['plain', 'reorder'])
    else expect(cellOf('reorder', way)).toBe('within a stream')

    // A connection each: there is none left behind them.
    for (const fault of DEADLY) {
      const cell = cellOf(fault, way)
      if (way === 'stdio' && cell === '–') continue
      const other = await faulty[which](way)
      await force(faulty, way, other, settingsOf(rule(fault)))
      await expectSeen(other, way, fault)
      const next = other.call('plain')
      if (cell === 'lost') await expect(next, `after ${fault}`).rejects.toBeInstanceOf(Error)
      else expect(await next).toBe('plain answered')
    }

    await force(faulty, way, client, settingsOf())
    expect(faulty.control.injector).toBeUndefined()
    const again = way === 'stdio' ? client : await faulty[which](way)
    for (const name of ECHOING) expect(await again.call(name)).toBe(`${name} answered`)
  })
})

it('changes the order of the messages within the stream of a reply', async () => {
  const faulty = await faultyServer()
  for (const way of ['http 2025-11-25', 'http 2026-07-28'] as const) {
    const client = await faulty.own(way)
    faulty.control.apply(settingsOf({ kind: 'reorder', where: { tool: 'count' } }))
    expect(await client.call('count')).toBe('counted')
    // The second overtook the first, and the fourth the third.
    expect(client.progress).toEqual([2, 1, 4, 3])
    faulty.control.apply(settingsOf({ kind: 'duplicate', where: { tool: 'count' } }))
    client.progress.length = 0
    expect(await client.call('count')).toBe('counted')
    expect(client.progress).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  }
})

it('closes a stream after as many messages as the rule lets pass', async () => {
  const faulty = await faultyServer()
  const client = await faulty.own('http 2026-07-28')
  faulty.control.apply(settingsOf({ kind: 'close', after: 2, where: { tool: 'count' } }))
  await expect(client.call('count')).rejects.toThrow('the connection was cut')
  expect(client.progress).toEqual([1, 2])
})

it('lets a client of 2025-11-25 come back for the rest of a stream that was cut', async () => {
  const faulty = await faultyServer()
  const client = await faulty.own('http 2025-11-25')
  faulty.control.apply(settingsOf({ kind: 'cut', where: { tool: 'count' }, probability: 0.4 }))
  expect(await client.call('count')).toBe('counted')
  expect(client.progress).toEqual([1, 2, 3, 4])
  expect(faulty.control.counts()['rule 1']).toBeGreaterThan(0)
})

it('refuses the handshake of a WebSocket with the status of a rule', async () => {
  const faulty = await faultyServer()
  faulty.control.apply(settingsOf({ kind: 'status', status: 502, where: { transport: 'websocket' } }))
  await expect(faulty.own('websocket')).rejects.toThrow('502')
  await expect(faulty.official('websocket')).rejects.toBeDefined()
  faulty.control.apply(settingsOf())
  expect(await (await faulty.official('websocket')).call('plain')).toBe('plain answered')
})

it('holds back what a stall without an end stops, and lets it go when the rule is off', async () => {
  const faulty = await faultyServer()
  for (const way of ['http 2026-07-28', 'websocket', 'memory', 'sse'] as const) {
    const client = await faulty.own(way)
    faulty.control.apply(settingsOf({ kind: 'stall', where: { tool: 'plain' } }))
    const calls = Promise.all([client.call('plain'), client.call('plain')])
    while ((faulty.control.counts()['rule 1'] ?? 0) < 2) await new Promise(setImmediate)
    faulty.control.apply({ ...settingsOf({ kind: 'stall', where: { tool: 'plain' } }), on: false })
    expect(await calls).toEqual(['plain answered', 'plain answered'])
  }
})
