import { expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import { createServer } from '../server/server.ts'
import { TrafficLog } from '../capture/traffic-log.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import type { FaultGate } from '../ports/fault-port.ts'
import { NO_TAP, type Tap } from '../ports/tap.ts'
import { seededRandom } from './seeded-random.ts'
import { FaultControl, type MadeFault } from './fault-control.ts'
import { faultSettingsSchema } from './fault-settings.ts'
import { faultyRegistry } from './interop/faulty-registry.test-support.ts'

async function caller(faults: FaultGate, control = new FaultControl(), serverTap: Tap = NO_TAP) {
  const server = createServer({ registry: faultyRegistry(control), info: { name: 'faulty', version: '1' } })
  const pair = memoryPair({ faults, serverTap })
  server.attach(pair.server)
  const connection = await connect({
    open: () => pair.client,
    identity: { name: 'test', version: '1' },
    protocol: '2025-11-25',
  })
  const call = (name: string, timeoutMs = 10_000): Promise<unknown> =>
    connection.request('tools/call', { name, arguments: {} }, { timeoutMs })
  return { call, close: () => connection.close() }
}

const settings = (seed: number, ...rules: object[]) => faultSettingsSchema.parse({ seed, rules })

it('makes the same faults of the same seed, and others of another', async () => {
  const drawn = async (seed: number): Promise<string[]> => {
    const made: MadeFault[] = []
    const control = new FaultControl((fault) => made.push(fault))
    control.apply(
      settings(
        seed,
        { id: 'late', kind: 'delay', ms: 0, jitterMs: 40, probability: 0.5, where: { tool: 'plain' } },
        { id: 'twice', kind: 'duplicate', probability: 0.3, where: { tool: 'plain' } },
      ),
    )
    const { call, close } = await caller(control)
    for (let times = 0; times < 20; times += 1) await call('plain')
    await close()
    expect(control.counts()).toEqual({
      late: made.filter(({ ruleId }) => ruleId === 'late').length,
      twice: made.filter(({ ruleId }) => ruleId === 'twice').length,
    })
    return made.map(({ ruleId, note }) => `${ruleId} ${note}`)
  }
  const first = await drawn(7)
  expect(first.length).toBeGreaterThan(5)
  expect(await drawn(7)).toEqual(first)
  expect(await drawn(8)).not.toEqual(first)
})

it('draws evenly, and for each name by itself', () => {
  const draws = Array.from({ length: 10_000 }, (_, occasion) => seededRandom(0x5eed, 'rule', occasion))
  expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
  for (const share of [0.02, 0.25, 0.5]) {
    const struck = draws.filter((draw) => draw < share).length
    expect(Math.abs(struck - share * draws.length)).toBeLessThan(4 * Math.sqrt(draws.length * share))
  }
  expect(draws.slice(0, 50)).not.toEqual(draws.slice(0, 50).map((_, at) => seededRandom(0x5eed, 'other', at)))
})

it('keeps the chances of rules that stay as they are, and starts over with the seed', () => {
  const control = new FaultControl()
  const rule = { id: 'a', kind: 'drop', where: { tool: 'plain' } }
  const send = (): void => {
    const line = control.injector?.line('memory', {
      pass: () => undefined,
      close: () => undefined,
      mark: () => undefined,
    })
    line?.received({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'plain' } })
    line?.send(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}'))
  }
  control.apply(settings(1, rule))
  send()
  control.apply(settings(1, rule, { id: 'b', kind: 'duplicate', where: { tool: 'other' } }))
  send()
  expect(control.counts()).toEqual({ a: 2 })
  expect(control.active).toBe(2)
  control.apply({ ...settings(1, rule), on: false })
  expect([control.injector, control.active, control.counts()]).toEqual([undefined, 0, { a: 2 }])
  control.apply(settings(2, rule))
  expect(control.counts()).toEqual({})
})

it('costs a message one look while no rule is on', async () => {
  let looks = 0
  const gate: FaultGate = {
    get injector() {
      looks += 1
      return undefined
    },
  }
  const { call, close } = await caller(gate)
  looks = 0
  for (let times = 0; times < 10; times += 1) await call('plain')
  // One at each request, one at each answer.
  expect(looks).toBe(20)
  await close()
})

it('leaves a mark on the timeline for every fault', async () => {
  const control = new FaultControl()
  const traffic = new TrafficLog()
  const tap = traffic.tap({ serverId: 's', serverName: 'faulty', side: 'server' })
  const { call, close } = await caller(control, control, tap)
  control.apply(settings(1, { id: 'a', kind: 'drop', where: { tool: 'plain' } }))
  await expect(call('plain', 50)).rejects.toThrow('no answer')
  const marks = traffic.rows().filter(({ kind }) => kind === 'fault')
  expect(marks.map(({ label }) => label)).toEqual(['drop: not sent'])
  await close()
})
