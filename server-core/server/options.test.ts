import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import { httpTransport } from '../transports/http/http-client.ts'
import { startHttpListener, type HttpListener, type HttpListenerOptions } from '../listener/http-listener.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { stdioServerLink } from '../transports/stdio/stdio-server.ts'
import { Registry } from '../registry/registry.ts'
import { createServer, type ServerOptions } from './server.ts'

const info = { name: 'options', version: '1' }
const listeners: HttpListener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close()
})

function registryWithTool(): Registry {
  const registry = new Registry()
  registry.addTool({ name: 'echo', run: ({ text }) => String(text) })
  return registry
}

/** As one whom no compiler helps writes them. */
const unchecked = (options: object) => createServer(options as ServerOptions)

async function listen(options: Partial<HttpListenerOptions>): Promise<HttpListener> {
  const server = createServer({ registry: registryWithTool(), info })
  const listener = await startHttpListener({ server, port: 0, ...options })
  listeners.push(listener)
  return listener
}

it('takes some limits and keeps the others, on every side', async () => {
  const limits = { depth: 12 }
  const server = createServer({ registry: registryWithTool(), info, limits })
  expect(server.limits).toMatchObject({ depth: 12, pageItems: 1_000 })
  const pair = memoryPair({ limits })
  server.attach(pair.server)
  const client = await connect({ open: () => pair.client, identity: info, limits })
  const { result } = await client.request('tools/list')
  expect(result).toMatchObject({ tools: [{ name: 'echo' }] })
  await client.close()
})

it('listens with some limits', async () => {
  const { url } = await listen({ limits: { messageBytes: 1_000 } })
  const limits = { depth: 12 }
  const client = await connect({ open: () => httpTransport({ url, limits }), identity: info, limits })
  await expect(
    client.request('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(1_000) } }),
  ).rejects.toThrow(/messageBytes/)
  await client.close()
})

it('serves standard input with some limits', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  createServer({ registry: registryWithTool(), info }).attach(
    stdioServerLink({ input, output, limits: { depth: 12 } }),
  )
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  const [answer] = (await once(output, 'data')) as [Buffer]
  expect(JSON.parse(answer.toString('utf8'))).toMatchObject({ id: 1 })
  input.end()
})

it('rejects invalid limits, by name', () => {
  const served = { registry: registryWithTool(), info }
  expect(() => unchecked({ ...served, limits: { dept: 12 } })).toThrow(/There is no limit "dept"/)
  expect(() => unchecked({ ...served, limits: { depth: '12' } })).toThrow(
    new RangeError('The limit depth is "12"; expected a number from 0.'),
  )
  expect(() => unchecked({ ...served, limits: { depth: NaN } })).toThrow(RangeError)
})

it('takes a text as the token of a listener, and refuses an empty one', async () => {
  const { url } = await listen({ token: 'sesame' })
  const answer = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body: '{}' })
  expect((await answer({})).status).toBe(401)
  expect((await answer({ authorization: 'Bearer sesame' })).status).not.toBe(401)
  await expect(listen({ token: '' })).rejects.toThrow(/got an empty text/)
  const token = 7 as unknown as string
  await expect(listen({ token })).rejects.toThrow(TypeError)
})

it('says what a server cannot be without', () => {
  const registry = registryWithTool()
  expect(() => unchecked({ info })).toThrow(/registry must be a Registry; got nothing/)
  expect(() => unchecked({ registry: {}, info })).toThrow(/registry must be a Registry/)
  expect(() => unchecked({ registry })).toThrow(/info must say who the server is; got nothing/)
  expect(() => unchecked({ registry, info: { version: '1' } })).toThrow(/info.name must be a text/)
  expect(() => unchecked({ registry, info: { name: 'a' } })).toThrow(/info.version must be a text/)
})
