import { once } from 'node:events'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from 'mcp-sdk-1.0.1/server/index.js'
import { SSEServerTransport } from 'mcp-sdk-1.0.1/server/sse.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../free-port.test-support.ts'
import { transportsFor, type ServerAddress } from '../../transports/opener.ts'
import { connect, type ConnectOptions } from '../connect.ts'
import { listeningProgram, programOf } from './foreign-program.test-support.ts'
import { firstServer } from './sdk-v1-first.test-support.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const connected = async (address: ServerAddress, options: Partial<ConnectOptions> = {}) => {
  const connection = await connect({
    ...transportsFor(address),
    identity: { name: 'patchbay', version: '0' },
    // A machine with much to do starts a process late.
    probeTimeoutMs: 30_000,
    ...options,
  })
  cleanups.push(() => connection.close())
  return connection
}
const stdio = (...args: readonly string[]): ServerAddress => ({
  transport: 'stdio',
  command: process.execPath,
  args,
  env: {},
})

describe('the official everything server over HTTP+SSE', () => {
  it('is found at its address, lists, calls and tells progress', async () => {
    const port = await freePort()
    cleanups.push(
      await listeningProgram(
        [programOf('@modelcontextprotocol/server-everything'), 'sse'],
        { PORT: String(port) },
        port,
      ),
    )
    const connection = await connected({ transport: 'auto', url: `http://127.0.0.1:${port}/sse` })
    expect(connection.steps.map(({ transport, verdict }) => `${transport} ${verdict}`)).toEqual([
      'http next',
      'http failed',
      'sse next',
      'sse agreed',
    ])
    expect((await connection.listTools()).items.length).toBeGreaterThan(5)
    expect((await connection.listPrompts()).items.length).toBeGreaterThan(2)
    expect((await connection.listResources()).items.length).toBeGreaterThan(5)
    const progress: number[] = []
    const call = { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }
    await connection.request('tools/call', call, { onProgress: (each) => progress.push(each.progress) })
    expect(progress).toEqual([1, 2])
  })
})

describe('the official filesystem server, and mcp-proxy before it', () => {
  let folder = ''
  let address = ''
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-files-')))
    cleanups.push(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'note.txt'), 'Hello, files')
    const port = await freePort()
    const everything = programOf('@modelcontextprotocol/server-everything')
    const proxy = [programOf('mcp-proxy'), '--host', '127.0.0.1', '--port', String(port), '--']
    cleanups.push(await listeningProgram([...proxy, process.execPath, everything, 'stdio'], {}, port))
    address = `http://127.0.0.1:${port}`
  }, 60_000)

  it('reads a file over stdio, and asks where it may', async () => {
    const asked: string[] = []
    const connection = await connected(stdio(programOf('@modelcontextprotocol/server-filesystem'), folder), {
      responders: {
        roots: () => {
          asked.push('roots')
          return Promise.resolve({ roots: [{ uri: `file://${folder}` }] })
        },
      },
    })
    expect((await connection.listTools()).items.map(({ name }) => name)).toContain('read_text_file')
    const params = { name: 'read_text_file', arguments: { path: join(folder, 'note.txt') } }
    expect((await connection.request('tools/call', params)).result).toMatchObject({
      content: [{ type: 'text', text: 'Hello, files' }],
    })
    expect(asked).toEqual(['roots'])
  })

  it.each([
    ['/mcp', 'http'],
    ['/sse', 'sse'],
  ])('passes on what a server behind the proxy has, at %s', async (path, transport) => {
    const connection = await connected({ transport: 'auto', url: `${address}${path}` })
    expect(connection.steps.at(-1)).toMatchObject({ transport, verdict: 'agreed' })
    expect((await connection.listTools()).items.map(({ name }) => name)).toContain('get-sum')
    const sum = { name: 'get-sum', arguments: { a: 40, b: 2 } }
    expect((await connection.request('tools/call', sum)).result).toMatchObject({
      content: [{ text: 'The sum of 40 and 2 is 42.' }],
    })
    // The client of the proxy drops a progress that comes together with the answer: nobody waits for that one.
    const progress: number[] = []
    const enough = new AbortController()
    const onProgress = (each: { readonly progress: number }): void => {
      if (progress.push(each.progress) === 3) enough.abort()
    }
    const call = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 1200 } }
    const running = connection.request('tools/call', call, { onProgress, signal: enough.signal })
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(progress).toEqual([1, 2, 3])
  })
})

describe('the first official SDK, which knows 2024-11-05 alone', () => {
  const overSse = async (): Promise<ServerAddress> => {
    let transport: SSEServerTransport | undefined
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        transport = new SSEServerTransport('/messages', response)
        void firstServer(Server).connect(transport)
      } else if (request.url?.startsWith('/messages') === true)
        void transport?.handlePostMessage(request, response)
      else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const { port } = server.address() as AddressInfo
    return { transport: 'auto', url: `http://127.0.0.1:${port}/sse` }
  }
  const overStdio = (): Promise<ServerAddress> =>
    Promise.resolve(stdio(fileURLToPath(new URL('./sdk-v1-first-stdio.test-support.ts', import.meta.url))))

  it.each([
    ['stdio', overStdio],
    ['HTTP+SSE', overSse],
  ])('speaks it over %s', async (_name, start) => {
    const connection = await connected(await start())
    expect(connection.revision).toBe('2024-11-05')
    expect((await connection.listTools()).items).toMatchObject([{ name: 'add' }])
    const progress: number[] = []
    const call = { name: 'add', arguments: { a: 40, b: 2 } }
    const { result } = await connection.request('tools/call', call, {
      onProgress: (each) => progress.push(each.progress),
    })
    expect(result).toEqual({ content: [{ type: 'text', text: '42' }] })
    expect(progress).toEqual([1])
  })
})
