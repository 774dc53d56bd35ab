import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v2 from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { RouteUrls } from '../../listener/routes.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const INFO = { name: 'official', version: '1' }

/** A process that serves everything at once, its URLs, and its lines. */
async function start() {
  const fixture = fileURLToPath(new URL('all-server-process.test-support.ts', import.meta.url))
  const child = spawn(process.execPath, [fixture], { stdio: ['pipe', 'pipe', 'pipe'] })
  closing.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const errors = createInterface(child.stderr)
  const [line] = (await once(errors, 'line')) as [string]
  return { child, errors, urls: JSON.parse(line) as Required<RouteUrls> }
}

/** A client on standard input and output that counts what it hears. */
async function onStdio(child: ChildProcess & { readonly stdin: NodeJS.WritableStream | null }) {
  const messages: JsonObject[] = []
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  lines.on('line', (line) => messages.push(JSON.parse(line) as JsonObject))
  const send = (message: JsonObject) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = INFO
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  await once(lines, 'line')
  send({ method: 'notifications/initialized' })
  const changes = () => messages.filter(({ method }) => method === 'notifications/tools/list_changed').length
  return { send, messages, changes }
}

type Transport = StreamableHTTPClientTransport | SSEClientTransport | WebSocketClientTransport

/** A client of the first SDK that counts what it hears. */
async function official(transport: Transport) {
  const client = new Client(INFO)
  let heard = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard += 1
  })
  closing.push(() => client.close())
  await client.connect(transport)
  return { client, changes: () => heard }
}

/** A client of the second SDK, which subscribes in 2026-07-28. */
async function modern(url: string) {
  let heard = 0
  const client = new v2.Client(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    listChanged: {
      tools: {
        autoRefresh: false,
        onChanged: () => {
          heard += 1
        },
      },
    },
  })
  closing.push(() => client.close())
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(url)))
  return { client, changes: () => heard }
}

describe('one process that serves everything at once', () => {
  it('tells one change of one registry to the clients of all transports, once each', async () => {
    const { child, urls } = await start()
    const stdio = await onStdio(child)
    const http = await official(new StreamableHTTPClientTransport(new URL(urls.mcp)))
    const sse = await official(new SSEClientTransport(new URL(urls.sse)))
    const webSocket = await official(new WebSocketClientTransport(new URL(urls.ws)))
    const listening = await modern(urls.mcp)
    const all = [stdio, http, sse, webSocket, listening]
    for (const { client } of [http, sse, webSocket]) {
      expect((await client.listTools()).tools).toHaveLength(6)
    }
    expect((await listening.client.listTools()).tools).toHaveLength(6)
    await webSocket.client.callTool({ name: 'grow' })
    await expect.poll(() => all.map(({ changes }) => changes())).toEqual([1, 1, 1, 1, 1])
    for (const { client } of [http, sse, webSocket]) {
      expect((await client.listTools()).tools).toHaveLength(7)
    }
    stdio.send({ id: 'list', method: 'tools/list' })
    await expect.poll(() => stdio.messages.find(({ id }) => id === 'list')).toBeDefined()
    // Nothing more came meanwhile.
    expect(all.map(({ changes }) => changes())).toEqual([1, 1, 1, 1, 1])
  })

  it.each(['the end of its input', 'an interrupt'])('ends by %s, with every client it has', async (how) => {
    const { child, errors, urls } = await start()
    await onStdio(child)
    const sse = await official(new SSEClientTransport(new URL(urls.sse)))
    const webSocket = await official(new WebSocketClientTransport(new URL(urls.ws)))
    const left = Promise.all(
      [webSocket.client].map((client) => new Promise<void>((resolve) => (client.onclose = resolve))),
    )
    const closed = once(errors, 'line')
    const exited = once(child, 'exit')
    if (how === 'an interrupt') child.kill('SIGINT')
    else child.stdin.end()
    const [line] = (await closed) as [string]
    expect(line).toBe('closed')
    const [code] = (await exited) as [number]
    expect(code).toBe(0)
    await left
    await sse.client.close()
  })
})
