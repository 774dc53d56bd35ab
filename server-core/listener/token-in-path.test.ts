import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { Frame } from '../ports/tap.ts'
import { Registry } from '../registry/registry.ts'
import { createServer } from '../server/server.ts'
import { startHttpListener, type HttpListener, type HttpListenerOptions } from './http-listener.ts'

const TOKEN = 'a-token_of.43~characters'
const frames: Frame[] = []
let listener: HttpListener | undefined

afterEach(async () => {
  await listener?.close()
  listener = undefined
  frames.length = 0
})

async function start(options: Partial<HttpListenerOptions>): Promise<URL> {
  const registry = new Registry()
  registry.addTool({ name: 'greet', run: () => 'hello' })
  const server = createServer({ registry, info: { name: 'path', version: '1' } })
  const tap = { record: (frame: Frame) => void frames.push(frame) }
  listener = await startHttpListener({ server, port: 0, token: TOKEN, tap, ...options })
  return new URL(listener.url)
}

const withToken = (url: URL, token: string): URL => new URL(`/t/${token}${url.pathname}`, url)

async function statusOf(url: URL, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await response.text()
  return response.status
}

describe('a token in the path', () => {
  it('admits an official client that has an address and nothing else', async () => {
    const url = await start({ tokensInPath: true })
    const client = new Client({ name: 'official', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(withToken(url, TOKEN)))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet'])
    await client.close()
  })

  it('is in no address that a tap sees', async () => {
    const url = await start({ tokensInPath: true })
    await statusOf(withToken(url, TOKEN))
    expect(frames.length).toBeGreaterThan(0)
    expect(JSON.stringify(frames)).not.toContain(`/t/${TOKEN}`)
  })

  it('is refused if it is wrong, and does not replace one in a header', async () => {
    const url = await start({ tokensInPath: true })
    expect(await statusOf(withToken(url, 'wrong'))).toBe(401)
    expect(await statusOf(withToken(url, TOKEN), { authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusOf(url)).toBe(401)
  })

  it('leads nowhere unless it is switched on', async () => {
    const url = await start({})
    expect(await statusOf(withToken(url, TOKEN))).toBe(404)
  })
})
