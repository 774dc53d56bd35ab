import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { REVISIONS, SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { transportsFor } from '../../transports/opener.ts'
import { connect } from '../connect.ts'
import { sdkServer } from './sdk-v2-factory.test-support.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/mcp`
}

/** SDK v1: a session for each handshake, with streams that can be resumed. */
const startV1 = (): Promise<string> => {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    const server = new McpServer({ name: 'sdk-v1', version: '1' }, { capabilities: { tools: {} } })
    server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }))
    server.registerTool('count', { inputSchema: { to: z.number() } }, async ({ to }, context) => {
      const progressToken = context._meta?.progressToken ?? 0
      for (let progress = 1; progress <= to; progress += 1)
        await context.sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress },
        })
      return { content: [] }
    })
    await server.connect(transport)
    return transport
  }
  return listen((request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    void (known === undefined ? begin() : Promise.resolve(known)).then((transport) =>
      transport.handleRequest(request, response),
    )
  })
}

/** SDK v2, which serves handshakes without sessions beside 2026-07-28. */
const startV2 = (): Promise<string> => {
  const handler = createMcpHandler(() => sdkServer({ change: () => undefined, cancelled: () => undefined }), {
    legacy: 'stateless',
  })
  cleanups.push(() => handler.close())
  const answer = toNodeHandler(handler)
  return listen((request, response) => void answer(request as Parameters<typeof answer>[0], response))
}

const LEGACY = REVISIONS.filter(({ era }) => era === 'legacy').map(({ revision }) => revision)

describe.each<[string, () => Promise<string>, readonly Revision[], Revision]>([
  ['v1', startV1, LEGACY, '2025-11-25'],
  ['v2', startV2, SUPPORTED, '2026-07-28'],
])('a server of the official SDK %s over HTTP', (_name, start, revisions, newest) => {
  let url = ''
  beforeAll(async () => {
    url = await start()
  })
  const connected = async (protocol: Revision | 'auto') => {
    const connection = await connect({
      ...transportsFor({ transport: 'auto', url }),
      identity: { name: 'patchbay', version: '0' },
      protocol,
    })
    cleanups.push(() => connection.close())
    return connection
  }

  it('is found to speak its newest revision', async () => {
    expect((await connected('auto')).revision).toBe(newest)
  })

  it.each(revisions)('speaks %s: a list, a call, a notification', async (revision) => {
    const connection = await connected(revision)
    expect(connection.revision).toBe(revision)
    const names = (await connection.listTools()).items.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['add', 'count']))
    const add = { name: 'add', arguments: { a: 40, b: 2 } }
    expect((await connection.request('tools/call', add)).result).toMatchObject({ content: [{ text: '42' }] })
    const progress: number[] = []
    await connection.request(
      'tools/call',
      { name: 'count', arguments: { to: 3 } },
      {
        onProgress: (each) => progress.push(each.progress),
      },
    )
    expect(progress).toEqual([1, 2, 3])
  })
})
