import { afterEach, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { sseTransport } from '../../transports/http/sse-client.ts'
import { webSocketTransport } from '../../transports/websocket/websocket-client.ts'
import { ConnectedClients } from './connected-clients.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function serve() {
  const registry = new Registry()
  const release = Promise.withResolvers<undefined>()
  registry.addTool({ name: 'quick', run: () => 'done' })
  registry.addTool({
    name: 'slow',
    run: async () => {
      await release.promise
      return 'done'
    },
  })
  registry.addResource({ uri: 'mem://a', name: 'a', read: () => 'a' })
  const clients = new ConnectedClients((headers) => headers['x-own'] === 'yes', {
    changed: () => undefined,
    active: () => undefined,
  })
  const info = { name: 'test', version: '1' }
  const server = createServer({ registry, info, onClient: clients.onClient })
  const listener = await startHttpListener({
    server,
    port: 0,
    routes: { mcp: true, sse: true, ws: true },
  })
  closings.push(
    () => server.close(),
    () => listener.close(),
  )
  return { clients, urls: listener.urls, release: () => release.resolve(undefined) }
}

const identity = { name: 'somebody', title: 'Some Body', version: '2' }

it('reports who is there, how, since when and with what, until they go', async () => {
  const { clients, urls, release } = await serve()
  const { mcp = '', sse = '', ws = '' } = urls
  const ways = [
    ['http', '2025-06-18', () => httpTransport({ url: mcp, headers: { 'x-own': 'yes' } })],
    ['http', '2026-07-28', () => httpTransport({ url: mcp })],
    ['sse', '2024-11-05', () => sseTransport({ url: sse })],
    ['websocket', '2025-11-25', () => webSocketTransport({ url: ws })],
    ['websocket', '2026-07-28', () => webSocketTransport({ url: ws })],
  ] as const
  const connections = []
  for (const [transport, protocol, open] of ways) {
    const connection = await connect({ open, identity, protocol })
    connections.push({ transport, protocol, connection })
    await connection.request('tools/call', { name: 'quick', arguments: {} })
    const found = clients.list().filter((each) => each.transport === transport && each.revision === protocol)
    expect(found).toMatchObject([
      { name: 'somebody', title: 'Some Body', version: '2', calls: 1, running: 0, subscriptions: [] },
    ])
  }
  const list = clients.list()
  expect(list.map(({ own }) => own)).toEqual([true, false, false, false, false])
  for (const { address } of list) expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(list[0]?.sessionId).toBeTypeOf('string')

  const running = connections.map(({ connection }) =>
    connection.request('tools/call', { name: 'slow', arguments: {} }),
  )
  const runningOfEach = () => clients.list().map((each) => each.running)
  await expect.poll(runningOfEach).toEqual([1, 1, 1, 1, 1])
  release()
  await Promise.all(running)
  expect(clients.list().map((each) => each.running)).toEqual([0, 0, 0, 0, 0])

  await Promise.all(connections.map(({ connection }) => connection.subscribe('mem://a')))
  // What only listens is not a call that runs.
  await expect.poll(() => [clients.subscribersOf('mem://a'), runningOfEach()]).toEqual([5, [0, 0, 0, 0, 0]])
  for (const { connection } of connections) await connection.close()
  // Who needs no connection is listed for a while after the last request.
  await expect
    .poll(() => clients.list().map(({ transport, revision }) => `${transport} ${revision}`))
    .toEqual(['http 2026-07-28'])
})

it('counts a request that only listened no longer once it was answered', async () => {
  const { clients, urls, release } = await serve()
  const protocol = '2026-07-28'
  const { ws = '' } = urls
  const connection = await connect({ open: () => webSocketTransport({ url: ws }), identity, protocol })
  await connection.request('subscriptions/listen', { notifications: {} })
  await expect(connection.request('subscriptions/listen', { notifications: 'all' })).rejects.toThrow()
  const slow = connection.request('tools/call', { name: 'slow', arguments: {} })
  await expect.poll(() => clients.list().map(({ running }) => running)).toEqual([1])
  release()
  await slow
  await connection.close()
})
