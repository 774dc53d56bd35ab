import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { Registry } from '../registry/registry.ts'
import { serve } from '../server/interop/listening.test-support.ts'
import type { Connection } from './connect.ts'
import { ConnectError } from './errors.ts'
import { connectTo } from './connect-to.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const kept = (connection: Connection): Connection => {
  closing.push(() => connection.close())
  return connection
}

const identity = { name: 'factories', version: '1' }

/** A server that reports where and with what it runs. */
const TELLING = `
  const answers = { initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    if (method === 'where') answers.where = { folder: process.cwd(), value: process.env.SOME_VALUE }
    const result = answers[method]
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }))
  })`

function registry(): Registry {
  const made = new Registry()
  made.addTool({
    name: 'all',
    run: async (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      ctx.log.warning('careful')
      const roots = await ctx.roots()
      const { city } = await ctx.elicit('City?', { type: 'object', properties: { city: { type: 'string' } } })
      const { content } = await ctx.sample('Hi', { maxTokens: 5 })
      return JSON.stringify({ roots, city, content, own: ctx.headers['x-own'] })
    },
  })
  return made
}

describe('a connection', () => {
  it('to a program has its arguments, folder and variables', async () => {
    const cwd = await mkdtemp(path.join(tmpdir(), 'patchbay-factory-'))
    const connection = kept(
      await connectTo(
        {
          transport: 'stdio',
          command: process.execPath,
          args: ['-e', TELLING],
          cwd,
          env: { SOME_VALUE: 'x y' },
        },
        { identity, startTimeoutMs: 20_000 },
      ),
    )
    const { result } = await connection.request('where')
    expect(result).toMatchObject({
      value: 'x y',
      folder: expect.stringContaining(path.basename(cwd)) as string,
    })
  })

  it.each([
    ['Streamable HTTP', 'http', (url: string) => url],
    ['HTTP+SSE', 'sse', (url: string) => url.replace(/mcp$/, 'sse')],
    ['WebSocket', 'websocket', (url: string) => url.replace(/^http/, 'ws').replace(/mcp$/, 'ws')],
  ] as const)(
    'over %s sends its headers, answers questions, and tells progress and log messages',
    async (_name, transport, at) => {
      const { url } = await serve(registry(), { routes: { mcp: true, sse: true, ws: true } })
      const told: unknown[] = []
      const connection = kept(
        await connectTo(
          { transport, url: at(url), headers: { 'x-own': 'yes' } },
          {
            identity,
            responders: {
              roots: () => Promise.resolve({ roots: [{ uri: 'file:///home' }] }),
              elicitation: { form: () => Promise.resolve({ action: 'accept', content: { city: 'Oslo' } }) },
              sampling: {
                answer: () =>
                  Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Ho' } }),
              },
            },
            listeners: { log: ({ data }) => told.push(data), progress: ({ message }) => told.push(message) },
          },
        ),
      )
      await connection.setLogLevel('info')
      const progress: unknown[] = []
      const { result } = await connection.request(
        'tools/call',
        { name: 'all' },
        { onProgress: ({ message }) => progress.push(message) },
      )
      const [block] = result['content'] as JsonObject[]
      const text = String(block?.['text'])
      for (const part of ['file:///home', 'Oslo', 'Ho', '"own":"yes"']) expect(text).toContain(part)
      expect(progress).toEqual(['half'])
      expect(told).toEqual(expect.arrayContaining(['half', 'careful']))
    },
  )
})

describe('patience', () => {
  /** An HTTP server that refuses so many requests before it answers. */
  const refusing = async (times: number): Promise<{ url: string; asked: () => number }> => {
    let asked = 0
    const server: Server = createServer((request, response) => {
      asked += 1
      request.resume().on('end', () => {
        if (asked <= times) response.writeHead(503).end('starting')
        else {
          const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }
          response.writeHead(200, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
        }
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => server.close())
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked: () => asked }
  }

  it('tries again where that may help, and no oftener than told', async () => {
    const soon = await refusing(2)
    kept(await connectTo({ transport: 'auto', url: soon.url }, { identity, retries: 2, retryDelayMs: 1 }))
    expect(soon.asked()).toBe(3)
    const never = await refusing(9)
    const failing = connectTo(
      { transport: 'auto', url: never.url },
      { identity, retries: 1, retryDelayMs: 1 },
    )
    await expect(failing).rejects.toMatchObject({ code: 'http-status' })
    expect(never.asked()).toBe(2)
  })

  it('is not wasted on what cannot become right', async () => {
    const failing = connectTo(
      { transport: 'stdio', command: 'no-such-program-at-all', args: [], env: {} },
      { identity, retries: 5, retryDelayMs: 60_000 },
    )
    await expect(failing).rejects.toMatchObject({ code: 'spawn-failed' })
  })

  it('ends in time', async () => {
    const mute = 'process.stdin.resume()'
    const failing = connectTo(
      { transport: 'stdio', command: process.execPath, args: ['-e', mute], env: {} },
      { identity, startTimeoutMs: 300 },
    )
    const error: unknown = await failing.catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'timeout', message: 'the server was not ready within 300 ms' })
    if (error instanceof ConnectError) await error.ended
  })
})
