import { afterEach, beforeEach, expect, it } from 'vitest'
import { LateServers } from '../../client/interop/late-server.test-support.ts'
import type { ServerDraft, ServerState } from '../contract/servers.ts'
import { startTestHost, type TestHost } from '../host.test-support.ts'

let test: TestHost
let servers: LateServers
beforeEach(async () => {
  ;[test, servers] = await Promise.all([startTestHost(), LateServers.open()])
})
afterEach(async () => {
  await test.close()
  await servers.close()
})

function draft(): ServerDraft {
  const { command, args, env = {} } = servers.target
  const pairs = Object.entries(env).map(([name, value]) => ({ name, value }))
  return { name: 'late', target: { transport: 'stdio', command, args: [...args], env: pairs } }
}

const stepsOf = ({ probe }: ServerState): (string | undefined)[] =>
  probe.map(({ step }) => step.split(' ').at(0))

it('restarts a server that is silent to server/discover with the handshake, until it has become another', async () => {
  const { id } = await test.addApproved(draft())
  servers.letRead('silent')
  const first = await test.client.servers.connect({ id })
  expect(first).toMatchObject({ status: 'connected', revision: '2025-06-18' })
  expect(stepsOf(first)).toEqual(['server/discover', 'initialize'])

  const again = await test.client.servers.restart({ id })
  expect(again).toMatchObject({ status: 'connected', revision: '2025-06-18' })
  expect(stepsOf(again)).toEqual(['initialize'])

  servers.letRead('both')
  const upgraded = await test.client.servers.restart({ id })
  expect(upgraded).toMatchObject({ status: 'connected', revision: '2026-07-28' })
  expect(stepsOf(upgraded)).toEqual(['initialize', 'server/discover'])
  expect(stepsOf(await test.client.servers.restart({ id }))).toEqual(['server/discover'])
  expect(servers.started).toBe(4)
})

it('forgets it when a revision is insisted on, and finds it out again afterwards', async () => {
  const { id } = await test.addApproved(draft())
  servers.letRead('silent')
  await test.client.servers.connect({ id })
  servers.letRead('both')
  const pinned = await test.client.servers.pin({ id, protocol: '2026-07-28' })
  expect(pinned).toMatchObject({ status: 'connected', revision: '2026-07-28' })
  expect(stepsOf(pinned)).toEqual(['server/discover'])
  expect(stepsOf(await test.client.servers.pin({ id, protocol: 'auto' }))).toEqual(['server/discover'])
})
