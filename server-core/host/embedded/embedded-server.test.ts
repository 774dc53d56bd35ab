import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { freePort } from '../../free-port.test-support.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { profileFiles } from '../../profile/profile-files.ts'
import { PlainFileSecretStore } from '../../profile/secret-files.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import { StorageError } from '../../workspace/storage-error.ts'
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
/** The header that clients send unless the user switched that off. */
async function authorizationOf({ client }: TestHost) {
  return { authorization: `Bearer ${(await client.embedded.revealToken()).token}` }
}
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
  expect(state).toMatchObject({ status: 'listening', tokenRequired: true })
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
  const changed = watchUntil(test.client, ({ listsChanged }) => listsChanged !== undefined, 'changed')
  const made = await test.client.inspect.request({
    serverId: 'this-app',
    callId: 'c',
    method: 'tools/call',
    paramsText: '{"name":"create_note","arguments":{"title":"Milk"}}',
  })
  expect(made).toMatchObject({ type: 'result', outputCheck: { state: 'matches' } })
  await changed
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

it('uses and stores the next free port if the usual one is taken at the first start', async () => {
  const blocker = createServer().listen(4040, '127.0.0.1')
  // If another program has port 4040, the port is taken just the same.
  await new Promise((resolve) => blocker.once('listening', resolve).once('error', resolve))
  try {
    const unset = { mcpPort: undefined } as unknown as { profile: string }
    const test = await start(unset)
    const state = await test.client.embedded.state()
    expect(state).toMatchObject({ status: 'listening', keepsPort: true, movedFrom: { port: 4040 } })
    expect(state.port).not.toBe(4040)
    expect(await thisApp(test)).toMatchObject({ status: 'connected' })
    expect(JSON.parse(await readFile(profileFiles(test.profile).settings, 'utf8'))).toMatchObject({
      mcpPort: state.port,
    })
  } finally {
    blocker.close()
  }
})

it('counts the clients that are not its own window', async () => {
  const test = await start()
  const { address = '', otherClients } = await test.client.embedded.state()
  expect(otherClients).toBe(0)
  const connection = await connectTo(address, await authorizationOf(test))
  await expect.poll(async () => (await test.client.embedded.state()).otherClients).toBe(1)
  await connection.close()
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
  await test.client.embedded.setTokenRequired({ required: false })
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

it('lets in only who has the token, until that is switched off', async () => {
  const test = await start()
  const { address = '' } = await test.client.embedded.state()
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
  const connection = await connectTo(address, await authorizationOf(test))
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

it('admits clients with tokens of their own where a token is required, and names them', async () => {
  const test = await start({ defaultWorkspace: NOTES, namedTokens: 'ann:a1,bob:b2' })
  const { address = '' } = await test.client.embedded.state()
  await expect(connectTo(address)).rejects.toThrow()
  await expect(connectTo(address, { authorization: 'Bearer c3' })).rejects.toThrow()
  const client = await connectTo(address, { authorization: 'Bearer a1' })
  await client.listTools()
  const { clients } = await test.client.registry.state()
  expect(clients.filter(({ own }) => !own).at(-1)).toMatchObject({ name: 'somebody', principal: 'ann' })
  await client.close()
})

it('says what is wrong with tokens that it does not use', async () => {
  const test = await start({ namedTokens: 'ann:a b' })
  const { notices } = await test.client.app.info()
  expect(JSON.stringify(notices)).toContain('PATCHBAY_TOKENS expects a token of visible ASCII')
})

it.each([
  ['a new profile', undefined, false, true],
  ['an older profile, where nobody chose', false, false, true],
  ['an older profile, where it was switched off again', false, true, false],
  ['a profile where it was switched on', true, true, true],
])('the token is required or not: %s', async (_profile, saved, hasToken, required) => {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-token-'))
  const { settings, secrets } = profileFiles(profile)
  if (saved !== undefined) await writeFile(settings, JSON.stringify({ version: 1, tokenRequired: saved }))
  const store = () => new PlainFileSecretStore(secrets, () => undefined)
  if (hasToken) await store().set('embedded/token', 'made-earlier')
  const test = await start({ profile, secretStore: store })
  expect(await test.client.embedded.state()).toMatchObject({ status: 'listening', tokenRequired: required })
  expect(await thisApp(test)).toMatchObject({ status: 'connected' })
  const { token } = await test.client.embedded.revealToken()
  if (hasToken) expect(token).toBe('made-earlier')
  await test.client.embedded.setTokenRequired({ required: !required })
  await stop(test)
  const again = await start({ profile, secretStore: store })
  expect(await again.client.embedded.state()).toMatchObject({ tokenRequired: !required })
  expect(await thisApp(again)).toMatchObject({ status: 'connected' })
  expect(await again.client.embedded.revealToken()).toEqual({ token })
})

it('has a token for one run where none can be stored', async () => {
  const failing = new MemorySecretStore()
  failing.set = () => Promise.reject(new StorageError('key-chain-locked', 'The key chain is locked.'))
  const test = await start({ secretStore: () => failing })
  const { address = '', tokenRequired } = await test.client.embedded.state()
  expect(tokenRequired).toBe(true)
  expect(await thisApp(test)).toMatchObject({ status: 'connected' })
  await (await connectTo(address, await authorizationOf(test))).close()
})
