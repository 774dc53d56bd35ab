import { afterAll, beforeAll, expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener, type HttpListener } from '../../listener/http-listener.ts'
import { startTestHost, type TestHost } from '../host.test-support.ts'

let test: TestHost
let listener: HttpListener

beforeAll(async () => {
  const server = createServer({ registry: new Registry(), info: { name: 'all-ways', version: '1' } })
  listener = await startHttpListener({ server, port: 0, routes: { mcp: true, sse: true, ws: true } })
  test = await startTestHost()
})

afterAll(async () => {
  await test.close()
  await listener.close()
})

async function added(url: string, transport: 'auto' | 'websocket'): Promise<string> {
  const { id } = await test.addApproved({ name: 'all ways', target: { transport, url, headers: [] } })
  return id
}

it('finds out the older transport, and says why the newer one is not it', async () => {
  const id = await added(`http://127.0.0.1:${listener.port}/sse`, 'auto')
  const state = await test.client.servers.connect({ id })
  expect(state).toMatchObject({
    status: 'connected',
    transport: 'sse',
    chosen: { transport: 'auto', protocol: 'auto' },
  })
  expect(state.probe.length).toBeGreaterThan(1)
  expect(state.probe.map(({ outcome }) => outcome).join('\n')).toMatch(/HTTP\+SSE|405/)

  const pinned = await test.client.servers.pin({ id, transport: 'sse', protocol: '2024-11-05' })
  expect(pinned).toMatchObject({
    status: 'connected',
    approval: 'approved',
    transport: 'sse',
    revision: '2024-11-05',
    chosen: { transport: 'sse', protocol: '2024-11-05' },
  })
  expect(pinned.probe).toHaveLength(1)

  const refused = await test.client.servers.pin({ id, transport: 'http' })
  expect(refused).toMatchObject({ status: 'failed', approval: 'approved', chosen: { transport: 'http' } })
  const again = await test.client.servers.pin({ id, transport: 'auto', protocol: 'auto' })
  expect(again).toMatchObject({
    status: 'connected',
    transport: 'sse',
    chosen: { transport: 'auto', protocol: 'auto' },
  })
})

it('connects to a WebSocket in any pinned revision, and has no other transport for it', async () => {
  const id = await added(`ws://127.0.0.1:${listener.port}/ws`, 'websocket')
  expect(await test.client.servers.connect({ id })).toMatchObject({
    transport: 'websocket',
    revision: '2026-07-28',
  })
  expect(await test.client.servers.pin({ id, protocol: '2025-06-18' })).toMatchObject({
    status: 'connected',
    revision: '2025-06-18',
  })
  await expect(test.client.servers.pin({ id, transport: 'sse' })).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
  })
})

it('declares what was chosen, and what it declares by itself once that is taken back', async () => {
  const id = await added(`http://127.0.0.1:${listener.port}/mcp`, 'auto')
  const usual = (await test.client.servers.connect({ id })).declaration
  expect(usual).toMatchObject({ isChosen: false, identity: { name: 'patchbay' } })
  const declaration = { identity: { name: 'me', version: '7' }, capabilities: { 'x-own': { deep: true } } }
  const declared = await test.client.servers.declare({ id, declaration })
  expect(declared).toMatchObject({
    status: 'connected',
    approval: 'approved',
    declaration: { ...declaration, isChosen: true },
  })
  expect(await test.client.servers.declare({ id, declaration: null })).toMatchObject({
    status: 'connected',
    declaration: usual,
  })
})

it('keeps the revision and the declaration that were chosen for the server of this app', async () => {
  const id = 'this-app'
  const pinned = await test.client.servers.pin({ id, protocol: '2025-11-25' })
  expect(pinned).toMatchObject({ status: 'connected', revision: '2025-11-25' })
  await expect(test.client.servers.pin({ id, transport: 'sse' })).rejects.toMatchObject({ code: 'EMBEDDED' })
  expect(await test.client.servers.pin({ id, protocol: 'auto' })).toMatchObject({
    revision: '2026-07-28',
    chosen: { protocol: 'auto' },
  })
})
