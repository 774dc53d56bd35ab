import { fileURLToPath } from 'node:url'
import * as v2 from '@modelcontextprotocol/client'
import * as v2stdio from '@modelcontextprotocol/client/stdio'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport as V1WebSocket } from '@modelcontextprotocol/sdk/client/websocket.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { createServer } from '../server.ts'
import { fixtureRegistry } from './fixture-registry.test-support.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const STDIO = {
  stderr: 'ignore' as const,
  command: process.execPath,
  args: [fileURLToPath(new URL('stdio-server-process.test-support.ts', import.meta.url))],
  env: COMPILED,
}
const INFO = { name: 'official', version: '1' }
const ANSWER = { action: 'accept' as const, content: { name: 'Ada' } }

async function listen(route: 'mcp' | 'sse' | 'ws' = 'mcp'): Promise<URL> {
  const server = createServer({ registry: fixtureRegistry(), info: { name: 'fixture', version: '1' } })
  const listener = await startHttpListener({ server, port: 0, routes: { [route]: true } })
  closing.push(async () => {
    await listener.close()
    await server.close()
  })
  return new URL(listener.url)
}

/** Both SDKs have the same calls; only what a test needs of them. */
type Peer = {
  listTools(): Promise<{ tools: { name: string }[] }>
  listResources(): Promise<{ resources: { uri: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...more: never[]
  ): Promise<Record<string, unknown>>
  readResource(params: { uri: string }): Promise<{ contents: object[] }>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: object[] }>
  complete(params: {
    ref: { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[] } }>
  getServerVersion(): { name: string } | undefined
}

type Connected = { readonly client: Peer; readonly listChanged: Promise<void>; readonly wrapsLists: boolean }

async function v1(transport: V1Http | V1Stdio | V1Sse | V1WebSocket): Promise<Connected> {
  const client = new V1Client(INFO, { capabilities: { elicitation: {} } })
  const changed = Promise.withResolvers<void>()
  client.setRequestHandler(ElicitRequestSchema, () => ANSWER)
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changed.resolve()
  })
  closing.push(() => client.close())
  await client.connect(transport)
  return { client: client as unknown as Peer, listChanged: changed.promise, wrapsLists: true }
}

async function second(
  transport: v2.Transport,
  mode: 'legacy' | 'auto' | { pin: string },
): Promise<Connected> {
  const changed = Promise.withResolvers<void>()
  const client = new v2.Client(INFO, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode },
    listChanged: {
      tools: {
        onChanged: () => {
          changed.resolve()
        },
      },
    },
  })
  client.setRequestHandler('elicitation/create', () => ANSWER)
  closing.push(() => client.close())
  await client.connect(transport)
  return { client: client as unknown as Peer, listChanged: changed.promise, wrapsLists: mode === 'legacy' }
}

// It is marked as deprecated, as the transport is.
const { SSEClientTransport: V2Sse } = v2 as unknown as {
  readonly SSEClientTransport: new (url: URL) => v2.Transport
}

const PIN = { pin: '2026-07-28' }
const connections: readonly (readonly [string, () => Promise<Connected>])[] = [
  ['SDK v1, 2025-11-25, Streamable HTTP', async () => v1(new V1Http(await listen()))],
  ['SDK v1, 2025-11-25, stdio', () => v1(new V1Stdio(STDIO))],
  [
    'SDK v2, 2025-11-25, Streamable HTTP',
    async () => second(new v2.StreamableHTTPClientTransport(await listen()), 'legacy'),
  ],
  ['SDK v2, 2025-11-25, stdio', () => second(new v2stdio.StdioClientTransport(STDIO), 'legacy')],
  [
    'SDK v2, 2026-07-28, Streamable HTTP',
    async () => second(new v2.StreamableHTTPClientTransport(await listen()), PIN),
  ],
  ['SDK v2, 2026-07-28, stdio', () => second(new v2stdio.StdioClientTransport(STDIO), PIN)],
  [
    'SDK v2, finding out itself, Streamable HTTP',
    async () => second(new v2.StreamableHTTPClientTransport(await listen()), 'auto'),
  ],
  ['SDK v1, 2025-11-25, HTTP+SSE', async () => v1(new V1Sse(await listen('sse')))],
  ['SDK v2, 2025-11-25, HTTP+SSE', async () => second(new V2Sse(await listen('sse')), 'legacy')],
  ['SDK v1, 2025-11-25, WebSocket', async () => v1(new V1WebSocket(await listen('ws')))],
  // The second SDK has no WebSocket of its own any more, but takes the first one's.
  ['SDK v2, 2025-11-25, WebSocket', async () => second(new V1WebSocket(await listen('ws')), 'legacy')],
  ['SDK v2, 2026-07-28, WebSocket', async () => second(new V1WebSocket(await listen('ws')), PIN)],
  ['SDK v2, finding out itself, WebSocket', async () => second(new V1WebSocket(await listen('ws')), 'auto')],
  ['SDK v2, finding out itself, stdio', () => second(new v2stdio.StdioClientTransport(STDIO), 'auto')],
]

describe.each(connections)('the official client: %s', (_name, connect) => {
  it('lists, calls, reads, completes, answers a question, learns of progress and of a change', async () => {
    const { client, listChanged, wrapsLists } = await connect()
    expect(client.getServerVersion()?.name).toBe('fixture')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['add', 'many', 'greet', 'work', 'release', 'grow'])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['note://one'])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['write'])

    const added = await client.callTool({ name: 'add', arguments: { a: 40, b: 2 } })
    expect(added).toMatchObject({
      structuredContent: { sum: 42 },
      content: [{ type: 'text', text: '{"sum":42}' }],
    })
    const many = await client.callTool({ name: 'many' })
    expect(many['structuredContent']).toEqual(wrapsLists ? { result: [1, 2, 3] } : [1, 2, 3])
    const wrong = await client.callTool({ name: 'add', arguments: { a: 'x', b: 2 } })
    expect(wrong).toMatchObject({ isError: true })

    expect(await client.readResource({ uri: 'note://7/text' })).toMatchObject({
      contents: [{ text: 'note 7' }],
    })
    await expect(client.readResource({ uri: 'note://none' })).rejects.toThrow('note://none')
    const prompt = await client.getPrompt({ name: 'write', arguments: { about: 'cats' } })
    expect(prompt.messages).toMatchObject([{ content: { text: 'Write about cats.' } }])
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'write' },
      argument: { name: 'about', value: 'do' },
    })
    expect(completion.values).toEqual(['dogs'])

    const greeted = await client.callTool({ name: 'greet' })
    expect(greeted).toMatchObject({ content: [{ text: 'Hello Ada' }] })

    await client.callTool({ name: 'grow' })
    await listChanged
    expect((await client.listTools()).tools).toHaveLength(7)

    const seen: number[] = []
    const call = client.callTool.bind(client) as (...params: unknown[]) => Promise<unknown>
    const released: Promise<unknown>[] = []
    const onprogress = ({ progress }: { progress: number }) => {
      seen.push(progress)
      released.push(client.callTool({ name: 'release' }))
    }
    const options = { onprogress }
    // The first SDK takes the result's schema between parameters and options.
    await call({ name: 'work' }, ...(client instanceof V1Client ? [undefined, options] : [options]))
    expect(seen).toEqual([1])
    expect(await Promise.all(released)).toMatchObject([{ content: [{ text: 'released' }] }])
  })
})
