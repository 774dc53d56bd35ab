import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { freePort } from '../../free-port.test-support.ts'
import { httpTransport } from '../../transports/http-client.ts'
import { profileFiles } from '../../workspace/profile.ts'
import { NOTES, startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

async function start(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const host = await startTestHost(options)
  hosts.push(host)
  return host
}

async function stop(host: TestHost): Promise<void> {
  hosts.splice(hosts.indexOf(host), 1)
  await host.close()
}

const identity = { name: 'somebody', version: '1' }
const connectTo = (url: string, headers = {}) =>
  connect({ open: () => httpTransport({ url, headers }), identity })

async function thisApp({ client }: TestHost) {
  const state = (await client.servers.list())[0]
  if (state === undefined) throw new Error('there is no server at all')
  return state
}

it('listens and is connected when the host is there, with tools, resources and prompts', async () => {
  const test = await start({ defaultWorkspace: NOTES })
  const state = await test.client.embedded.state()
  expect(state).toMatchObject({ status: 'listening', tokenRequired: false })
  expect(state.address).toBe(`http://127.0.0.1:${state.port}/mcp`)
  expect(await thisApp(test)).toMatchObject({
    id: 'this-app',
    name: 'This app',
    origin: 'embedded',
    approval: 'approved',
    status: 'connected',
    revision: '2026-07-28',
    serverInfo: { name: 'patchbay', title: 'Patchbay', version: '0.0.0-test' },
  })
  const lists = await test.client.inspect.lists({ serverId: 'this-app' })
  expect(lists.problems).toEqual([])
  expect(lists.tools.map(({ name }) => name)).toContain('create_note')
  const made = await test.client.inspect.request({
    serverId: 'this-app',
    callId: 'c',
    method: 'tools/call',
    paramsText: '{"name":"create_note","arguments":{"title":"Milk"}}',
  })
  expect(made).toMatchObject({ type: 'result', outputCheck: { state: 'matches' } })
  const after = await test.client.inspect.lists({ serverId: 'this-app' })
  expect(after.resources.length).toBe(lists.resources.length + 1)
})

it('keeps a chosen port from start to start, and says which one is taken, by whom, and which is free', async () => {
  const first = await start()
  const { port: found } = await first.client.embedded.setPort({ port: 0 })
  expect(found).toBeGreaterThan(0)
  expect(JSON.parse(await readFile(profileFiles(first.profile).settings, 'utf8'))).toMatchObject({
    mcpPort: found,
  })
  const { port } = await first.client.embedded.setPort({ port: await freePort() })
  expect(await thisApp(first)).toMatchObject({ status: 'connected', summary: `http://127.0.0.1:${port}/mcp` })
  await stop(first)

  // No override: the stored port.
  const options = { profile: first.profile, mcpPort: undefined } as unknown as { profile: string }
  const second = await start(options)
  expect(await second.client.embedded.state()).toMatchObject({ status: 'listening', port })

  const third = await start(options)
  const taken = await third.client.embedded.state()
  expect(taken).toMatchObject({ status: 'port-taken', port })
  if (process.platform === 'linux') expect(taken.takenBy).toContain(`process ${process.pid}`)
  expect(taken.offeredPort).toBeGreaterThan(0)
  expect(await thisApp(third)).toMatchObject({ status: 'disconnected', summary: 'not listening' })
  await expect(third.client.embedded.setPort({ port })).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
  const moved = await third.client.embedded.setPort({ port: taken.offeredPort ?? 0 })
  expect(moved).toMatchObject({ status: 'listening', port: taken.offeredPort })
  expect(await thisApp(third)).toMatchObject({ status: 'connected' })
})

it('stays where it is when it is sent to a port that is taken', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as AddressInfo
  const test = await start()
  const before = await test.client.embedded.state()
  await expect(test.client.embedded.setPort({ port })).rejects.toThrow(`Port ${port} is in use`)
  expect(await test.client.embedded.state()).toEqual(before)
  expect(await thisApp(test)).toMatchObject({ status: 'connected' })
  blocker.close()
})

it('lets go of those who listen without the token when that is switched on', async () => {
  const test = await start()
  const { address = '' } = await test.client.embedded.state()
  const connection = await connect({
    open: () => httpTransport({ url: address }),
    identity,
    protocol: '2026-07-28',
  })
  const listening = await connection.listen({ toolsListChanged: true })
  await test.client.embedded.setTokenRequired({ required: true })
  expect(await listening.over).toBe('ended')
  await connection.close()
})

it('lets in only who has the token once that is switched on, now and after a restart', async () => {
  const test = await start()
  const { address = '' } = await test.client.embedded.state()
  await (await connectTo(address)).close()
  expect(await test.client.embedded.setTokenRequired({ required: true })).toMatchObject({
    tokenRequired: true,
  })
  const { token } = await test.client.embedded.revealToken()
  expect(token).toMatch(/^[\w-]{43}$/)
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: token },
    { authorization: `Bearer ${token}x` },
  ]) {
    await expect(connectTo(address, headers)).rejects.toMatchObject({ code: 'unauthorized' })
  }
  const connection = await connectTo(address, { authorization: `Bearer ${token}` })
  expect((await connection.listTools()).items).toEqual([])
  await connection.close()
  expect(await thisApp(test)).toMatchObject({ status: 'connected' })
  await test.client.embedded.setTokenRequired({ required: false })
  await (await connectTo(address)).close()
  await test.client.embedded.setTokenRequired({ required: true })
  expect(await test.client.embedded.revealToken()).toEqual({ token })
})

it('shows what others do on the timeline, and what our own window does only once', async () => {
  const test = await start()
  await test.client.inspect.request({
    serverId: 'this-app',
    callId: 'own',
    method: 'tools/list',
    paramsText: '{}',
  })
  const { address = '' } = await test.client.embedded.state()
  const connection = await connectTo(address)
  await connection.request('prompts/list')
  const isThere = (rows: { method: string; side: string }[], method: string, side: string): boolean =>
    rows.some((row) => row.method === method && row.side === side)
  const rows: { method: string; side: string; serverName: string }[] = []
  await watchUntil(test.client, ({ exchanges = [] }) => {
    rows.push(...exchanges)
    return isThere(rows, 'prompts/list', 'server') && isThere(rows, 'tools/list', 'client')
  })
  expect(isThere(rows, 'tools/list', 'server')).toBe(false)
  expect(isThere(rows, 'prompts/list', 'client')).toBe(false)
  await connection.close()
})
