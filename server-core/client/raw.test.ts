import { afterEach, expect, it } from 'vitest'
import { Registry } from '../registry/registry.ts'
import { createServer } from '../server/server.ts'
import { serve } from '../server/interop/listening.test-support.ts'
import { httpTransport } from '../transports/http/http-client.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { connect, type Connection } from './connect.ts'
import { closeAll, connectedTo } from './scripted-server.test-support.ts'

const open: Connection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
  await closeAll()
})

const identity = { name: 'raw', version: '1' }
const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)

async function inMemory(): Promise<Connection> {
  const registry = new Registry()
  registry.addTool({ name: 'echo', run: ({ text }) => String(text) })
  const server = createServer({ registry, info: identity, revisions: ['2025-03-26'] })
  const pair = memoryPair()
  server.attach(pair.server)
  const connection = await connect({ open: () => pair.client, identity })
  open.push(connection)
  return connection
}

it('a request that is sent as it is gets the answer to its id, and no other caller does', async () => {
  const connection = await inMemory()
  // The ids that come next are ours: the connection takes others meanwhile.
  const raw = connection.sendRaw({
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'raw' } },
  })
  const own = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text) =>
      connection.request('tools/call', { name: 'echo', arguments: { text } }),
    ),
  )
  const { answers, unanswered } = await raw
  expect(answers.map(textOf)).toEqual([expect.stringContaining('"raw"')])
  expect(answers[0]?.value).toMatchObject({ id: 5 })
  expect(unanswered).toEqual([])
  expect(own.map(({ result }) => result)).toMatchObject(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => ({ content: [{ text }] })),
  )
})

it('reports the answers of a batch one by one, missing ones too', async () => {
  const connection = await inMemory()
  const { answers, unanswered } = await connection.sendRaw(
    [
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/unknown' },
      { jsonrpc: '2.0', id: 'x', method: 'no/such' },
    ],
    { waitMs: 5_000 },
  )
  expect(answers).toHaveLength(2)
  expect(unanswered).toEqual([])
})

it('sends invalid messages and invalid JSON unchanged, and reports everything that comes back', async () => {
  const connection = await inMemory()
  const came: unknown[] = []
  const answered = Promise.withResolvers<void>()
  connection.on('received', ({ value }) => {
    came.push(value)
    answered.resolve()
  })
  expect(await connection.sendRaw('{"jsonrpc":"2.0","id":1,', { waitMs: 50 })).toMatchObject({
    answers: [],
    unanswered: [],
  })
  await answered.promise
  expect(came).toMatchObject([{ error: { code: -32700 } }])
})

it('over HTTP it is a request of its own, whose status is reported', async () => {
  const { url } = await serve()
  const connection = await connect({ open: () => httpTransport({ url }), identity })
  open.push(connection)
  const { httpStatus, answers } = await connection.sendRaw(
    { jsonrpc: '2.0', id: 77, method: 'tools/list', params: {} },
    { headers: { 'mcp-method': 'tools/call' } },
  )
  expect(httpStatus).toBe(400)
  expect(answers).toMatchObject([{ value: { id: 77, error: { code: expect.any(Number) as number } } }])
})

it('waits no longer than it should, and answers that are not JSON-RPC are answers too', async () => {
  const { connection } = await connectedTo('legacy', (heard, side) => {
    if (heard.method === 'odd') side.send({ id: heard.id, neither: true })
  })
  expect(
    await connection.sendRaw({ jsonrpc: '2.0', id: 'q', method: 'silent' }, { waitMs: 20 }),
  ).toMatchObject({
    unanswered: ['q'],
  })
  const odd = await connection.sendRaw({ jsonrpc: '2.0', id: 'o', method: 'odd' })
  expect(odd.answers).toMatchObject([{ value: { id: 'o', neither: true } }])
})
