import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { ERAS, postModern } from './example-process.test-support.ts'
import { leftOpen } from '../../server-core/left-open.test-support.ts'
import { connected, inBothEras, start, textOf } from './in-both-eras.test-support.ts'

inBothEras('caching', async (client, era) => {
  const read: Record<string, unknown> = await client.readResource({ uri: 'rates://today' })
  expect(read['contents']).toMatchObject([{ text: '1.08' }])
  if (era === '2026-07-28') expect(read).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
})

test('changes', async () => {
  for (const era of ERAS) {
    const [url] = await start('changes').urls()
    let changes = 0
    let next = Promise.withResolvers<void>()
    const client = await connected(url, era, {
      prepare: (made) => {
        made.setNotificationHandler('notifications/tools/list_changed', () => {
          changes += 1
          next.resolve()
        })
      },
    })
    if (era === '2026-07-28') {
      const subscription = await client.listen({ toolsListChanged: true })
      leftOpen.push(() => subscription.close())
    }
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).toEqual(['unlock', 'grow', 'pause'])
    await expect(client.callTool({ name: 'bonus' })).rejects.toThrow('bonus')
    await textOf(client, 'unlock')
    await next.promise
    expect(await names()).toContain('bonus')
    next = Promise.withResolvers()
    await textOf(client, 'grow')
    await next.promise
    expect(await names()).toEqual(['unlock', 'grow', 'pause', 'first', 'second', 'third'])
    expect(changes).toBe(2)
    next = Promise.withResolvers()
    await textOf(client, 'pause')
    await next.promise
    expect(await names()).toEqual([])
  }
})

test('tasks', async () => {
  const [url] = await start('tasks').urls()
  if (url === undefined) throw new Error('the example does not listen')
  // 2025-11-25: the client decides.
  const client = new FirstClient({ name: 'reader', version: '1' })
  leftOpen.push(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(url))
  await client.listTools()
  const steps: string[] = []
  const stream = client.experimental.tasks.callToolStream({ name: 'report' }, CallToolResultSchema, {
    task: {},
  })
  for await (const step of stream) {
    steps.push(step.type)
    if (step.type === 'result') expect(step.result).toMatchObject({ content: [{ text: 'three parts' }] })
  }
  expect(steps[0]).toBe('taskCreated')
  expect(steps.at(-1)).toBe('result')
  // 2026-07-28: the server does, for clients that declare the extension.
  const post = (method: string, params: JsonObject) =>
    postModern(url, method, params, 'io.modelcontextprotocol/tasks')
  const order = (item: string) => post('tools/call', { name: 'order', arguments: { item } })
  expect(await order('coffee')).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'There is no coffee.' }],
  })
  const { resultType, taskId } = await order('tea')
  expect(resultType).toBe('task')
  await expect
    .poll(async () => await post('tasks/get', { taskId }))
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'tea' }] } })
})

test('extension', async () => {
  const [url] = await start('extension').urls()
  if (url === undefined) throw new Error('the example does not listen')
  const now = (id: string) => postModern(url, 'weather/now', { city: 'Oslo' }, id)
  expect(await now('com.example/weather')).toMatchObject({
    city: 'Oslo',
    degrees: 21,
    _meta: { 'com.example/station': 'Blindern' },
  })
  await expect(now('com.example/other')).rejects.toThrow('com.example/weather')
})

test('older-clients', async () => {
  const [required] = await start('older-clients').urls()
  const [none] = await start('older-clients', { EXAMPLE_SESSIONS: 'none' }).urls()
  if (required === undefined || none === undefined) throw new Error('the example does not listen')
  const post = async (url: URL, method: string, params: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { response, reply: (await response.json()) as JsonObject }
  }
  for (const [version, expected] of [
    ['2024-11-05', { content: [{ type: 'text' }, { type: 'text', text: 'oslo: weather://oslo' }] }],
    ['2025-03-26', { content: [{ type: 'audio' }, { type: 'text' }] }],
    [
      '2025-06-18',
      { content: [{ type: 'audio' }, { type: 'resource_link' }], structuredContent: { result: [3, 5, 4] } },
    ],
  ] as const) {
    const call = { name: 'listen', arguments: {} }
    const sessionless = await post(none, 'tools/call', call, { 'mcp-protocol-version': version })
    expect(sessionless.reply['result']).toMatchObject(expected)
    const { response } = await post(required, 'initialize', { protocolVersion: version, capabilities: {} })
    const session = response.headers.get('mcp-session-id')
    if (session === null) throw new Error('no session')
    const called = await post(required, 'tools/call', call, { 'mcp-session-id': session })
    expect(called.reply['result']).toMatchObject(expected)
    expect((await post(required, 'tools/call', call)).response.status).toBe(400)
  }

  const client = new FirstClient(
    { name: 'reader', version: '1' },
    { capabilities: { roots: { listChanged: true } } },
  )
  leftOpen.push(() => client.close())
  const folders = ['file:///one']
  const listed = Promise.withResolvers<void>()
  client.setRequestHandler(ListRootsRequestSchema, () => {
    listed.resolve()
    return { roots: folders.map((uri) => ({ uri })) }
  })
  await client.connect(new StreamableHTTPClientTransport(required))
  const waiting = client.callTool({ name: 'folders' })
  await listed.promise
  folders.push('file:///two')
  await client.sendRootsListChanged()
  expect(await waiting).toMatchObject({ content: [{ text: '1, then 2' }] })
})
