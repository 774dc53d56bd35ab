import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { stdioTransport } from '../../transports/stdio/stdio-client.ts'
import { connect, type Connection, type ConnectOptions } from '../connect.ts'
import { PIXEL, sdkServer } from './sdk-v2-factory.test-support.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Peer = { open: () => ClientTransport; cancelled: (connection: Connection) => boolean }

const overStdio = (): Promise<Peer> => {
  const server = fileURLToPath(new URL('./sdk-v2-stdio.test-support.ts', import.meta.url))
  return Promise.resolve({
    open: () => stdioTransport({ command: process.execPath, args: [server], env: COMPILED }),
    cancelled: (connection) => connection.evidence().stderr === 'cancelled\n',
  })
}

const overHttp = async (): Promise<Peer> => {
  let cancelled = false
  const handler = createMcpHandler(
    () =>
      sdkServer({
        change: () => {
          handler.notify.toolsChanged()
          handler.notify.resourceUpdated('test://text')
        },
        cancelled: () => (cancelled = true),
      }),
    { legacy: 'reject' },
  )
  const answer = toNodeHandler(handler)
  const server = createServer(
    (request, response) => void answer(request as Parameters<typeof answer>[0], response),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await handler.close()
  })
  const { port } = server.address() as AddressInfo
  return { open: () => httpTransport({ url: `http://127.0.0.1:${port}/mcp` }), cancelled: () => cancelled }
}

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])('an official SDK v2 server over %s', (_name, start) => {
  const connected = async (options: Partial<ConnectOptions> = {}) => {
    const peer = await start()
    const connection = await connect({
      open: peer.open,
      identity: { name: 'patchbay', version: '0' },
      // A server that starts slowly on a busy machine is not an older one.
      probeTimeoutMs: 15_000,
      ...options,
    })
    cleanups.push(() => connection.close())
    return { connection, cancelled: () => peer.cancelled(connection) }
  }

  it('is found to speak 2026-07-28 and says who it is', async () => {
    const { connection } = await connected()
    expect(connection.revision).toBe('2026-07-28')
    expect(connection.serverInfo).toMatchObject({ name: 'sdk-v2', version: '1.0.0' })
    expect(connection.instructions).toBe('For tests.')
    expect(connection.steps).toMatchObject([
      {
        step: 'server/discover (2026-07-28)',
        outcome: 'answered; the newest revision of both is 2026-07-28',
      },
    ])
  })

  it('gives its lists, adds, shows an image, reads a resource, gives a prompt', async () => {
    const { connection } = await connected()
    const { items, malformed } = await connection.listTools()
    expect(items.map((tool) => tool['name'])).toEqual(['add', 'picture', 'count', 'wait', 'greet', 'change'])
    expect(malformed).toEqual([])
    expect((await connection.listResources()).items).toMatchObject([{ uri: 'test://text' }])
    expect((await connection.listResourceTemplates()).items).toEqual([])
    expect((await connection.listPrompts()).items).toMatchObject([{ name: 'hello' }])
    const sum = await connection.request('tools/call', { name: 'add', arguments: { a: 40, b: 2 } })
    expect(sum.result).toMatchObject({ structuredContent: { sum: 42 } })
    expect(JSON.parse(new TextDecoder().decode(sum.bytes))).toMatchObject({
      jsonrpc: '2.0',
      result: sum.result,
    })
    const picture = await connection.request('tools/call', { name: 'picture', arguments: {} })
    expect(picture.result['content']).toEqual([{ type: 'image', data: PIXEL, mimeType: 'image/png' }])
    const read = await connection.request('resources/read', { uri: 'test://text' })
    expect(read.result['contents']).toMatchObject([{ text: 'hello' }])
    const prompt = await connection.request('prompts/get', { name: 'hello', arguments: { who: 'Zoë' } })
    expect(prompt.result['messages']).toMatchObject([{ content: { text: 'Say hello to Zoë' } }])
  })

  it('tells progress', async () => {
    const { connection } = await connected()
    const progress: unknown[] = []
    await connection.request(
      'tools/call',
      { name: 'count', arguments: { to: 3 } },
      { onProgress: (each) => progress.push(each) },
    )
    expect(progress).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })))
  })

  it('gives its own errors with their bytes', async () => {
    const { connection } = await connected()
    const failure = connection.request('resources/read', { uri: 'test://nothing' })
    await expect(failure).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
      bytes: expect.any(Uint8Array) as Uint8Array,
    })
  })

  it('asks for input, gets it, and goes on', async () => {
    const form = () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } })
    const { connection } = await connected({ responders: { elicitation: { form } } })
    const greeting = await connection.request('tools/call', { name: 'greet', arguments: { salute: 'Hello' } })
    expect(greeting.result['content']).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
  })

  it('refuses to ask a client that did not declare to answer', async () => {
    const { connection } = await connected()
    const failure = connection.request('tools/call', { name: 'greet', arguments: { salute: 'Hello' } })
    await expect(failure).rejects.toMatchObject({ code: -32021 })
  })

  it('learns of a cancelled request', async () => {
    const { connection, cancelled } = await connected()
    const controller = new AbortController()
    const call = connection.request(
      'tools/call',
      { name: 'wait', arguments: {} },
      { signal: controller.signal },
    )
    // Another answer on the same connection shows that the call has arrived.
    await connection.request('tools/list')
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(cancelled).toBe(true)
  })

  it('tells changes of lists and of subscribed resources', async () => {
    const { connection } = await connected()
    const changed = new Promise((resolve) => connection.onListChanged(resolve))
    const updated = new Promise((resolve) => connection.onResourceUpdated(resolve))
    await connection.subscribe('test://text')
    await connection.request('tools/call', { name: 'change', arguments: {} })
    expect(await changed).toBe('tools')
    expect(await updated).toBe('test://text')
    await connection.unsubscribe('test://text')
  })
})

it('connects to an official SDK v2 server in 2025-11-25 on request', async () => {
  const { open } = await overStdio()
  const connection = await connect({
    open,
    identity: { name: 'patchbay', version: '0' },
    protocol: '2025-11-25',
  })
  cleanups.push(() => connection.close())
  expect(connection.revision).toBe('2025-11-25')
  expect(
    (await connection.request('tools/call', { name: 'add', arguments: { a: 40, b: 2 } })).result,
  ).toMatchObject({
    structuredContent: { sum: 42 },
  })
})
