import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../client/connect.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { memoryPair } from '../../transports/memory/memory-link.ts'
import { transportsFor } from '../../transports/opener.ts'
import { webSocketTransport } from '../../transports/websocket/websocket-client.ts'
import { createServer } from '../server.ts'
import { serve } from './listening.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A tool that lets its connection go, and one that lets it go on. */
function polled(): Registry {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  registry.addTool({ name: 'hello', run: () => 'hello' })
  registry.addTool({
    name: 'open',
    run: () => {
      gate.resolve()
      return 'open'
    },
  })
  registry.addTool({
    name: 'wait',
    run: async (_args, ctx) => {
      ctx.releaseStream(1)
      await gate.promise
      return 'waited'
    },
  })
  return registry
}

const ways: readonly (readonly [string, (revision: Revision) => Promise<ClientTransport>])[] = [
  [
    'in memory',
    (revision) => {
      const server = createServer({
        registry: polled(),
        info: { name: 'own', version: '1' },
        revisions: [revision],
      })
      closing.push(() => server.close())
      const pair = memoryPair()
      server.attach(pair.server)
      return Promise.resolve(pair.client)
    },
  ],
  [
    'over Streamable HTTP',
    async (revision) => httpTransport({ url: (await serve(polled(), { revisions: [revision] })).url }),
  ],
  [
    'over Streamable HTTP without sessions',
    async (revision) =>
      httpTransport({ url: (await serve(polled(), { revisions: [revision], sessions: 'none' })).url }),
  ],
  [
    'over WebSocket',
    async (revision) =>
      webSocketTransport({
        url: at('/ws', await serve(polled(), { revisions: [revision], routes: { ws: true } })),
      }),
  ],
]

const ALL = { mcp: true, sse: true, ws: true }

/** The address of another route of a listener. */
function at(path: '/sse' | '/ws', { url }: { readonly url: string }): string {
  return new URL(path, path === '/ws' ? url.replace('http', 'ws') : url).href
}

describe.each(ways)('our own client %s', (_way, open) => {
  it.each(SUPPORTED)(
    'finds that a server speaks %s alone, calls, and waits for what is let go',
    async (revision) => {
      const transport = await open(revision)
      const client = await connect({ open: () => transport, identity: { name: 'own', version: '1' } })
      closing.push(() => client.close())
      expect(client.revision).toBe(revision)
      const call = async (name: string) => (await client.request('tools/call', { name })).result
      expect(await call('hello')).toMatchObject({ content: [{ text: 'hello' }] })
      const waiting = call('wait')
      expect(await call('open')).toMatchObject({ content: [{ text: 'open' }] })
      expect(await waiting).toMatchObject({ content: [{ text: 'waited' }] })
    },
  )
})

describe('our own client at an address', () => {
  const identity = { name: 'own', version: '1' }
  const connected = async (...[address, options]: Parameters<typeof connectTo>) => {
    const client = await connectTo(address, options)
    closing.push(() => client.close())
    const { content } = (await client.request('tools/call', { name: 'hello' })).result
    expect(content).toMatchObject([{ text: 'hello' }])
    return client
  }
  const connectTo = (
    address: { transport: 'auto' | 'http' | 'sse' | 'websocket'; url: string },
    options: { protocol?: Revision } = {},
  ) => connect({ ...transportsFor(address), identity, ...options })

  it('finds Streamable HTTP, HTTP+SSE and WebSocket, and keeps why', async () => {
    const served = await serve(polled(), { routes: ALL })
    const http = await connected({ transport: 'auto', url: served.url })
    expect([http.revision, http.steps.map(({ transport, verdict }) => [transport, verdict])]).toEqual([
      '2026-07-28',
      [['http', 'agreed']],
    ])
    const sse = await connected({ transport: 'auto', url: at('/sse', served) })
    expect(sse.revision).toBe('2025-11-25')
    expect(sse.steps).toEqual([
      {
        step: 'server/discover (2026-07-28)',
        outcome: expect.stringMatching(/HTTP 405.*; trying the handshake$/) as string,
        transport: 'http',
        verdict: 'next',
      },
      {
        step: 'initialize (2025-11-25)',
        outcome: expect.stringMatching(/HTTP 405/) as string,
        transport: 'http',
        verdict: 'failed',
      },
      {
        step: 'HTTP+SSE',
        outcome: 'the server names an endpoint on an event stream; it is of 2024-11-05',
        transport: 'sse',
        verdict: 'next',
      },
      {
        step: 'initialize (2025-11-25)',
        outcome: 'answered; the session speaks 2025-11-25',
        transport: 'sse',
        verdict: 'agreed',
      },
    ])
    const websocket = await connected({ transport: 'auto', url: at('/ws', served) })
    expect([websocket.revision, websocket.steps[0]?.transport]).toEqual(['2026-07-28', 'websocket'])
  })

  it.each(SUPPORTED)('insists on %s over every transport that has it', async (protocol) => {
    const served = await serve(polled(), { routes: ALL })
    const addresses = [
      { transport: 'http', url: served.url },
      { transport: 'websocket', url: at('/ws', served) },
    ] as const
    for (const address of addresses) expect((await connected(address, { protocol })).revision).toBe(protocol)
    const older = { transport: 'sse', url: at('/sse', served) } as const
    if (protocol !== '2026-07-28') expect((await connected(older, { protocol })).revision).toBe(protocol)
    else
      await expect(connectTo(older, { protocol })).rejects.toMatchObject({
        code: 'version-mismatch',
        message: 'HTTP+SSE carries no 2026-07-28: it opens with a handshake',
      })
  })

  it('insists on a transport, and tells the first refusal where none is spoken', async () => {
    const served = await serve(polled(), { routes: ALL })
    const pinned = connectTo({ transport: 'http', url: at('/sse', served) })
    await expect(pinned).rejects.toMatchObject({ code: 'http-status', evidence: { httpStatus: 405 } })
    await expect(pinned).rejects.not.toMatchObject({ steps: [{}, {}, {}] })
    const nowhere = new URL('/nowhere', served.url).href
    await expect(connectTo({ transport: 'auto', url: nowhere })).rejects.toMatchObject({
      code: 'http-status',
      message: expect.stringMatching(/nothing answers MCP at .*\/nowhere/) as string,
      steps: [{}, {}, { step: 'HTTP+SSE', verdict: 'failed', transport: 'sse' }],
    })
  })
})
