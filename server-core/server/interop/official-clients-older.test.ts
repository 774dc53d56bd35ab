import { fileURLToPath } from 'node:url'
import * as v2 from '@modelcontextprotocol/client'
import * as v2stdio from '@modelcontextprotocol/client/stdio'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport as V1WebSocket } from '@modelcontextprotocol/sdk/client/websocket.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { fixtureRegistry } from './fixture-registry.test-support.ts'
import { serve } from './listening.test-support.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const INFO = { name: 'official', version: '1' }
const ANSWER = { action: 'accept' as const, content: { name: 'Ada' } }
const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'] as const
const LEGACY: readonly Revision[] = [...OLDER, '2025-11-25']

const startedWith = (revisions: readonly Revision[]) => ({
  stderr: 'ignore' as const,
  command: process.execPath,
  args: [fileURLToPath(new URL('stdio-server-process.test-support.ts', import.meta.url)), ...revisions],
  env: COMPILED,
})

async function listen(revisions: readonly Revision[], route: 'mcp' | 'sse' | 'ws' = 'mcp'): Promise<URL> {
  const spoken = revisions.length === 0 ? {} : { revisions }
  return new URL((await serve(fixtureRegistry(), { ...spoken, routes: { [route]: true } })).url)
}

/** Only what a test needs of both SDKs. */
type Peer = {
  listTools(): Promise<{ tools: Record<string, unknown>[] }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>
  readResource(params: { uri: string }): Promise<{ contents: object[] }>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: object[] }>
}
type Connected = { readonly client: Peer; readonly agreed: () => string | undefined }

/** The first SDK offers its newest version and takes what it is answered: the server speaks that one alone. */
async function v1(transport: V1Http | V1Stdio | V1Sse | V1WebSocket): Promise<Connected> {
  const client = new V1Client(INFO, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ANSWER)
  closing.push(() => client.close())
  let agreed: string | undefined
  const spied = transport as { setProtocolVersion?: (version: string) => void }
  const own = spied.setProtocolVersion?.bind(transport)
  spied.setProtocolVersion = (version) => {
    agreed = version
    own?.(version)
  }
  await client.connect(transport)
  return { client: client as unknown as Peer, agreed: () => agreed }
}

/** The second offers the versions of its configuration, to a server that supports all. */
async function second(
  transport: v2.Transport,
  versions: readonly string[],
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Connected> {
  const client = new v2.Client(INFO, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode },
    supportedProtocolVersions: [...versions],
  })
  client.setRequestHandler('elicitation/create', () => ANSWER)
  closing.push(() => client.close())
  await client.connect(transport)
  return { client: client as unknown as Peer, agreed: () => client.getNegotiatedProtocolVersion() }
}

// It is marked as deprecated, as the transport is.
const { SSEClientTransport: V2Sse } = v2 as unknown as {
  readonly SSEClientTransport: new (url: URL) => v2.Transport
}

const ways: readonly (readonly [string, (version: Revision) => Promise<Connected>])[] = [
  ['SDK v1, Streamable HTTP', async (version) => v1(new V1Http(await listen([version])))],
  ['SDK v1, stdio', (version) => v1(new V1Stdio(startedWith([version])))],
  [
    'SDK v2, Streamable HTTP',
    async (version) => second(new v2.StreamableHTTPClientTransport(await listen([])), [version]),
  ],
  ['SDK v2, stdio', (version) => second(new v2stdio.StdioClientTransport(startedWith([])), [version])],
  ['SDK v1, HTTP+SSE', async (version) => v1(new V1Sse(await listen([version], 'sse')))],
  ['SDK v2, HTTP+SSE', async (version) => second(new V2Sse(await listen([], 'sse')), [version])],
  ['SDK v1, WebSocket', async (version) => v1(new V1WebSocket(await listen([version], 'ws')))],
  // The second SDK has none of its own any more.
  ['SDK v2, WebSocket', async (version) => second(new V1WebSocket(await listen([], 'ws')), [version])],
]

describe.each(ways)('the official client: %s', (_name, connect) => {
  it.each(OLDER)('lists, calls, reads and is asked in %s', async (version) => {
    const { client, agreed } = await connect(version)
    expect(agreed()).toBe(version)
    const structured = version === '2025-06-18'
    const { tools } = await client.listTools()
    expect(tools.map((tool) => 'outputSchema' in tool)).toEqual([
      structured,
      structured,
      false,
      false,
      false,
      false,
    ])

    const added = await client.callTool({ name: 'add', arguments: { a: 40, b: 2 } })
    expect(added).toMatchObject({ content: [{ type: 'text', text: '{"sum":42}' }] })
    expect(added['structuredContent']).toEqual(structured ? { sum: 42 } : undefined)
    expect((await client.callTool({ name: 'many' }))['structuredContent']).toEqual(
      structured ? { result: [1, 2, 3] } : undefined,
    )
    await expect(client.callTool({ name: 'add', arguments: { a: 'x', b: 2 } })).rejects.toThrow('add')
    expect(await client.readResource({ uri: 'note://7/text' })).toMatchObject({
      contents: [{ text: 'note 7' }],
    })
    await expect(client.readResource({ uri: 'note://none' })).rejects.toThrow('note://none')
    const prompt = await client.getPrompt({ name: 'write', arguments: { about: 'cats' } })
    expect(prompt.messages).toMatchObject([{ content: { text: 'Write about cats.' } }])
    const greeted = await client.callTool({ name: 'greet' })
    if (structured) expect(greeted).toMatchObject({ content: [{ text: 'Hello Ada' }] })
    else
      expect(greeted).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(version) }] })
  })
})

describe('the official client that finds out itself', () => {
  it.each([
    ['Streamable HTTP', async () => new v2.StreamableHTTPClientTransport(await listen(LEGACY))],
    ['stdio', () => Promise.resolve(new v2stdio.StdioClientTransport(startedWith(LEGACY)))],
  ])('shakes hands with a server of handshake revisions alone over %s', async (_name, transport) => {
    const { client, agreed } = await second(await transport(), ['2026-07-28', ...LEGACY].reverse(), 'auto')
    expect(agreed()).toBe('2025-11-25')
    expect((await client.listTools()).tools).toHaveLength(6)
  })

  it('reads from a server of 2026-07-28 alone what that speaks', async () => {
    const transport = new v2.StreamableHTTPClientTransport(await listen(['2026-07-28']))
    await expect(second(transport, ['2025-11-25'])).rejects.toThrow('2026-07-28')
  })
})
