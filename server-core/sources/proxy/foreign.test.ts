import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as v2 from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listeningProgram } from '../../client/interop/foreign-program.test-support.ts'
import type { Responders } from '../../client/responders.ts'
import { COMPILED } from '../../compiled.test-support.ts'
import { freePort } from '../../free-port.test-support.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { transportsFor } from '../../transports/opener.ts'
import { createProxy, type Proxy } from './proxy.ts'
import { clientOf, Closing, upstreamBy, wayTo, type Way } from './proxy.test-support.ts'

const EVERYTHING = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)
const INFO = { name: 'proxy', version: '1' }

/** Where the everything server listens, by transport; over stdio it is started again for each connection. */
const urls = new Map<'http' | 'sse', string>()
const programs = new Closing()
beforeAll(async () => {
  for (const [transport, word, path] of [
    ['http', 'streamableHttp', '/mcp'],
    ['sse', 'sse', '/sse'],
  ] as const) {
    const port = await freePort()
    programs.add(await listeningProgram([EVERYTHING, word], { PORT: String(port) }, port))
    urls.set(transport, `http://127.0.0.1:${port}${path}`)
  }
})
afterAll(() => programs.close())

const closing = new Closing()
afterEach(() => closing.close())

function proxyOf(upstream: 'stdio' | 'http' | 'sse'): Proxy {
  const { open } = transportsFor(
    upstream === 'stdio'
      ? { transport: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'], env: COMPILED }
      : { transport: upstream, url: urls.get(upstream) ?? '' },
  )
  const proxy = createProxy({ servers: [{ open: upstreamBy(open) }], info: INFO })
  closing.add(() => proxy.close())
  return proxy
}

const responders: Responders = {
  elicitation: {
    form: () => Promise.resolve({ action: 'accept', content: { name: 'Ada', check: true } }),
    url: () => Promise.resolve({ action: 'decline' }),
  },
  sampling: {
    answer: () =>
      Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'a sampled answer' } }),
  },
  roots: () => Promise.resolve({ roots: [{ uri: 'file:///home/ada', name: 'home' }] }),
}

type Row = { readonly upstream: 'stdio' | 'http' | 'sse'; readonly way: Way; readonly front: Revision }

const TABLE: readonly Row[] = [
  { upstream: 'stdio', way: 'http', front: '2026-07-28' },
  { upstream: 'stdio', way: 'websocket', front: '2025-11-25' },
  ...(['http', 'sse'] as const).flatMap((upstream): Row[] => [
    { upstream: upstream, way: 'http', front: '2025-11-25' },
    { upstream: upstream, way: 'http', front: '2026-07-28' },
    { upstream: upstream, way: 'websocket', front: '2025-11-25' },
    { upstream: upstream, way: 'memory', front: '2026-07-28' },
    { upstream: upstream, way: 'sse', front: '2024-11-05' },
  ]),
]

describe.each(TABLE)(
  'server-everything over $behind, for a client of $front over $way',
  ({ upstream: upstream, way, front }) => {
    it('is as if it were there itself', async () => {
      const client = await clientOf(await wayTo(proxyOf(upstream), way, closing), closing, {
        responders,
        protocol: front,
      })
      const tools = (await client.listTools()).items.map(({ name }) => String(name))
      expect(tools).toEqual(expect.arrayContaining(['echo', 'get-sum', 'trigger-sampling-request']))
      expect((await client.listPrompts()).items).toHaveLength(4)
      expect((await client.listResourceTemplates()).items).toHaveLength(2)

      const call = async (name: string, args: object = {}) => {
        const { result } = await client.request('tools/call', { name, arguments: args })
        return JSON.stringify(result['content'])
      }
      expect(await call('get-sum', { a: 40, b: 2 })).toContain('The sum of 40 and 2 is 42.')
      expect(await call('trigger-sampling-request', { prompt: 'hi' })).toContain('a sampled answer')
      if (front !== '2024-11-05') {
        expect(await call('trigger-elicitation-request')).toContain('Ada')
      }
      const progress: number[] = []
      await client.request(
        'tools/call',
        { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } },
        { onProgress: (each) => progress.push(each.progress) },
      )
      // The last may come together with the answer.
      expect(progress[0]).toBe(1)
      const completed = await client.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'Eng' },
      })
      expect(completed.result).toMatchObject({ completion: { values: ['Engineering'] } })
    })
  },
)

describe('official clients before server-everything', () => {
  const url = async () => {
    const proxy = proxyOf('stdio')
    const listener = await startHttpListener({ server: proxy, port: 0 })
    closing.add(() => listener.close())
    return new URL(listener.url)
  }

  it('SDK v1 answers sampling, elicitation and roots', async () => {
    const capabilities = { sampling: {}, elicitation: {}, roots: {} }
    const client = new V1Client({ name: 'v1', version: '1' }, { capabilities })
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant' as const,
      model: 'm',
      content: { type: 'text' as const, text: 'a sampled answer' },
    }))
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept' as const,
      content: { name: 'Ada' },
    }))
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/ada' }] }))
    await client.connect(new V1Http(await url()))
    closing.add(() => client.close())
    expect(client.getServerVersion()?.name).toContain('everything')
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      JSON.stringify(await client.callTool({ name, arguments: args }))
    expect(await call('trigger-sampling-request', { prompt: 'hi' })).toContain('a sampled answer')
    expect(await call('trigger-elicitation-request')).toContain('Ada')
    expect(await call('get-roots-list')).toContain('file:///home/ada')
  })

  it.each(['legacy', 'auto'] as const)('SDK v2 (%s) lists and calls', async (mode) => {
    const client = new v2.Client({ name: 'v2', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new v2.StreamableHTTPClientTransport(await url()))
    closing.add(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    const result = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    expect(JSON.stringify(result)).toContain('Echo: hi')
  })
})
