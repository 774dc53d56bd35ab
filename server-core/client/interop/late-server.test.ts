import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectTo } from '../connect-to.ts'
import type { Connection } from '../connect.ts'
import { ProbeMemory } from '../probe-memory.ts'
import { LateServers, type LateKind } from './late-server.test-support.ts'

let servers: LateServers
const connections: Connection[] = []
beforeEach(async () => {
  servers = await LateServers.open()
})
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()))
  await servers.close()
})

/** Lets the process read only after its silence was reported. */
async function connectedLate(kind: LateKind): Promise<Connection> {
  const connection = await connectTo(servers.target, {
    identity: { name: 'patchbay', version: '0' },
    probeTimeoutMs: 1,
    onStep: () => servers.letRead(kind),
  })
  connections.push(connection)
  return connection
}

it.each([
  ['both', '2026-07-28'],
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25'],
  ['silent', '2025-06-18'],
] as const)('a slow start of %s leads to the newest revision in the same process', async (kind, revision) => {
  const connection = await connectedLate(kind)
  expect(connection.revision).toBe(revision)
  expect(connection.steps[0]).toMatchObject({
    step: 'server/discover (2026-07-28)',
    outcome: expect.stringMatching(/^no answer within 1 ms: it may be starting still/) as string,
    verdict: 'next',
  })
  expect(connection.steps.at(-1)).toMatchObject({ verdict: 'agreed' })
  if (kind !== 'silent') expect((await connection.listTools()).items).toMatchObject([{ name: 'one' }])
  expect(servers.started).toBe(1)
})

it('a second connection to a silent server opens with the handshake', async () => {
  const options = { identity: { name: 'patchbay', version: '0' }, memory: new ProbeMemory() }
  const open = async (probeTimeoutMs: number): Promise<void> => {
    const connection = await connectTo(servers.target, { ...options, probeTimeoutMs })
    connections.push(connection)
    expect(connection.revision).toBe('2025-06-18')
  }
  servers.letRead('silent')
  await open(1)
  await expect.poll(() => servers.heard.length).toBe(3)
  await open(600_000)
  await expect.poll(() => servers.heard.slice(3)).toEqual(['initialize', 'notifications/initialized'])
  expect(servers.started).toBe(2)
})
