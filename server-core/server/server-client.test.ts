import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../client/connect.ts'
import { startHttpListener } from '../listener/http-listener.ts'
import type { ClientTransport } from '../ports/contract.ts'
import type { Revision } from '../protocol/revisions.ts'
import { Registry } from '../registry/registry.ts'
import { httpTransport } from '../transports/http/http-client.ts'
import { webSocketTransport } from '../transports/websocket/websocket-client.ts'
import type { ClientEvent } from './server-client.ts'
import { createServer } from './server.ts'

type Urls = { readonly mcp?: string; readonly ws?: string }
const ways: readonly (readonly [string, Revision, (urls: Urls) => ClientTransport])[] = [
  ['session over HTTP', '2025-11-25', ({ mcp = '' }) => httpTransport({ url: mcp })],
  ['legacy WebSocket', '2025-11-25', ({ ws = '' }) => webSocketTransport({ url: ws })],
  ['modern WebSocket', '2026-07-28', ({ ws = '' }) => webSocketTransport({ url: ws })],
]

async function serve(onClient: (event: ClientEvent) => void) {
  const registry = new Registry()
  registry.addTool({ name: 'greet', run: () => 'Hello' })
  registry.addResource({ uri: 'mem://a', name: 'a', read: () => 'a' })
  const server = createServer({ registry, info: { name: 'test', version: '1' }, onClient })
  const listener = await startHttpListener({ server, port: 0, routes: { mcp: true, ws: true } })
  onTestFinished(async () => {
    await listener.close()
    await server.close()
  })
  return listener.urls
}

it.each(ways)('reports one client from its start to its end: %s', async (_way, protocol, open) => {
  const events: ClientEvent[] = []
  const urls = await serve((event) => events.push(event))
  const identity = { name: 'somebody', version: '2' }
  const connection = await connect({ open: () => open(urls), identity, protocol })
  onTestFinished(() => connection.close())
  const [first] = events
  expect(first?.type).toBe('connected')
  const client = first?.client
  expect(client).toMatchObject({ scope: 'connection', revision: protocol, clientInfo: identity })
  await connection.request('tools/call', { name: 'greet', arguments: {} })
  expect(events).toContainEqual({ type: 'request', client, method: 'tools/call' })
  await expect.poll(() => client?.running).toBe(0)
  await connection.subscribe('mem://a')
  await expect.poll(() => client?.subscriptions).toEqual(['mem://a'])
  await connection.unsubscribe('mem://a')
  await expect.poll(() => client?.subscriptions).toEqual([])
  await connection.close()
  await expect.poll(() => events.at(-1)?.type).toBe('gone')
  expect(new Set(events.map((event) => event.client)).size).toBe(1)
})

it('reports each request without a session as a client of its own', async () => {
  const events: ClientEvent[] = []
  const { mcp = '' } = await serve((event) => events.push(event))
  const identity = { name: 'somebody', version: '2' }
  const connection = await connect({
    open: () => httpTransport({ url: mcp }),
    identity,
    protocol: '2026-07-28',
  })
  onTestFinished(() => connection.close())
  events.length = 0
  await connection.request('tools/call', { name: 'greet', arguments: {} })
  await expect.poll(() => events.map(({ type }) => type)).toEqual(['connected', 'request', 'settled', 'gone'])
  expect(events[0]?.client).toMatchObject({ scope: 'request', revision: '2026-07-28', clientInfo: identity })
})
