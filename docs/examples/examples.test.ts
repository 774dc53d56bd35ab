import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { Authority } from '../../server-core/authorization/authority.test-support.ts'
import {
  connectClient,
  ERAS,
  exampleFile,
  postModern,
  ExampleProcess,
  type Connecting,
  type EraName,
} from './example-process.test-support.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Starts an example; it ends with the test. */
function start(name: string, env?: Readonly<Record<string, string>>): ExampleProcess {
  const example = new ExampleProcess(name, env)
  closing.push(() => example.end())
  return example
}

async function connected(url: URL | undefined, era: EraName, options?: Connecting): Promise<Client> {
  if (url === undefined) throw new Error('the example does not listen')
  const client = await connectClient(url, era, options)
  closing.push(() => client.close())
  return client
}

/** Runs an example once, and looks at it with a client of each era. */
function inBothEras(
  example: string,
  look: (client: Client, era: EraName, running: ExampleProcess) => Promise<void>,
  options?: Connecting,
): void {
  test(example, async () => {
    const running = start(example)
    const [url] = await running.urls()
    for (const era of ERAS) await look(await connected(url, era, options), era, running)
  })
}

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n')
}

test('first-server', async () => {
  const client = new FirstClient({ name: 'reader', version: '1' })
  closing.push(() => client.close())
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [exampleFile('first-server')] }),
  )
  expect(await client.callTool({ name: 'add', arguments: { a: 40, b: 2 } })).toMatchObject({
    content: [{ type: 'text', text: '40 + 2 = 42' }],
  })
})

inBothEras('tool-results', async (client) => {
  expect(await client.callTool({ name: 'text' })).toMatchObject({
    content: [{ type: 'text', text: 'Hello' }],
  })
  const forecast = { city: 'Oslo', highs: [3, 5, 4] }
  expect(await client.callTool({ name: 'structured' })).toMatchObject({
    structuredContent: forecast,
    content: [{ type: 'text', text: JSON.stringify(forecast) }],
  })
  const { content } = await client.callTool({ name: 'blocks' })
  expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link', 'resource'])
  expect(content[1]).toMatchObject({ data: expect.stringMatching(/^iVBOR/) })
  expect(await client.callTool({ name: 'explicit' })).toMatchObject({
    content: [{ text: 'Cold.' }],
    structuredContent: { degrees: -3 },
    _meta: { 'example.com/source': 'thermometer' },
  })
  expect(await client.callTool({ name: 'refuse' })).toMatchObject({ isError: true })
  expect(await client.callTool({ name: 'fail' })).toMatchObject({
    isError: true,
    content: [{ text: 'The thermometer does not answer.' }],
  })
  expect(await client.callTool({ name: 'nothing' })).toMatchObject({ content: [] })
})

inBothEras('tool-definitions', async (client) => {
  const [forecast] = (await client.listTools()).tools
  expect(forecast).toMatchObject({
    title: 'Weather forecast',
    annotations: { readOnlyHint: true },
    icons: [{ mimeType: 'image/png' }],
    _meta: { 'example.com/team': 'weather' },
    inputSchema: { properties: { days: { default: 3 } }, required: ['city'] },
  })
  expect(await textOf(client, 'forecast', { city: ' Oslo ' })).toBe('Oslo: sun for 3 days')
  expect(await client.callTool({ name: 'forecast', arguments: { city: 'Oslo', days: 9 } })).toMatchObject({
    isError: true,
  })
  expect(await textOf(client, 'measure', { unit: 'C' })).toBe('21 °C')
  expect(await textOf(client, 'station', { region: 'north' })).toBe('The station of north')
})

inBothEras('resources', async (client, era) => {
  expect(await client.readResource({ uri: 'about://text' })).toMatchObject({
    contents: [{ mimeType: 'text/markdown', text: '# About' }],
  })
  expect(await client.readResource({ uri: 'about://logo' })).toMatchObject({
    contents: [{ blob: 'iVBORw==' }],
  })
  expect((await client.readResource({ uri: 'visits://all' })).contents).toHaveLength(2)
  await expect(client.readResource({ uri: 'visits://gone' })).rejects.toThrow('visits://gone')
  const updated = new Promise((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  const uri = 'visits://count'
  if (era === '2026-07-28') {
    const subscription = await client.listen({ resourceSubscriptions: [uri] })
    closing.push(() => subscription.close())
  } else await client.subscribeResource({ uri })
  const said = await textOf(client, 'visit')
  expect(await updated).toBe(uri)
  expect(await client.readResource({ uri })).toMatchObject({
    contents: [{ text: said.replace('visit ', '') }],
  })
})

inBothEras('templates', async (client) => {
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'note://1/plain',
    'note://2/plain',
  ])
  const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
  expect(await read('note://1/loud')).toMatchObject({ text: 'MILK' })
  expect(await read(await textOf(client, 'where'))).toMatchObject({ text: 'BREAD' })
  await expect(read('note://one/plain')).rejects.toThrow('note://one/plain')
  expect(await read('file:///etc/hosts?lines=3')).toMatchObject({ text: '3 lines of etc/hosts' })
  expect(await read('file:///etc/hosts')).toMatchObject({ text: '10 lines of etc/hosts' })
  const complete = async (name: string) => {
    const ref = { type: 'ref/resource', uri: 'note://{id}/{format}' } as const
    return (await client.complete({ ref, argument: { name, value: '' } })).completion.values
  }
  expect(await complete('id')).toEqual(['1', '2'])
  expect(await complete('format')).toEqual(['plain', 'loud'])
})

inBothEras('prompts', async (client) => {
  const travel = await client.getPrompt({ name: 'travel', arguments: { country: 'Norway', city: 'Bergen' } })
  expect(travel).toMatchObject({
    messages: [{ role: 'user', content: { text: 'Plan a journey to Bergen in Norway.' } }],
  })
  await expect(client.getPrompt({ name: 'travel', arguments: {} })).rejects.toThrow('country')
  const { messages } = await client.getPrompt({ name: 'review' })
  expect(messages.map(({ role, content }) => `${role} ${content.type}`)).toEqual([
    'user text',
    'user resource_link',
    'assistant text',
  ])
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'travel' },
    argument: { name: 'city', value: 'b' },
    context: { arguments: { country: 'Norway' } },
  })
  expect(completion.values).toEqual(['Bergen'])
})

inBothEras('progress', async (client, era) => {
  const seen: unknown[] = []
  const logged = new Promise((resolve) => {
    client.setNotificationHandler('notifications/message', ({ params }) => resolve(params))
  })
  const meta = era === '2026-07-28' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } } : {}
  const counted = await client.callTool(
    { name: 'count', arguments: { to: 3 }, ...meta },
    { onprogress: ({ progress, total, message }) => seen.push([progress, total, message]) },
  )
  expect(counted).toMatchObject({ content: [{ text: 'counted to 3' }] })
  expect(seen).toEqual([
    [1, 3, '1 of 3'],
    [2, 3, '2 of 3'],
    [3, 3, '3 of 3'],
  ])
  expect(await logged).toMatchObject({ level: 'info', logger: 'counter', data: { counting: 3 } })
  const cancel = new AbortController()
  const long = client.callTool(
    { name: 'count', arguments: { to: 1_000, pauseMs: 20 } },
    { signal: cancel.signal, onprogress: () => cancel.abort('seen enough') },
  )
  await expect(long).rejects.toThrow()
})

inBothEras('streaming', async (client) => {
  const words: unknown[] = []
  const written = await client.callTool(
    { name: 'write' },
    { onprogress: ({ message }) => words.push(message) },
  )
  expect(words).toEqual(['Once ', 'upon ', 'a ', 'time'])
  expect(written).toMatchObject({ content: [{ text: 'Once upon a time' }] })
  expect(await textOf(client, 'sum')).toBe('6')
  expect(await textOf(client, 'patient')).toBe('worth the wait')
})

inBothEras(
  'questions',
  async (client) => {
    expect(await textOf(client, 'book')).toBe('2 seats are booked.')
    expect(await textOf(client, 'introduce')).toBe('Ada of London')
    expect(await textOf(client, 'pay')).toBe('paid')
    expect(await textOf(client, 'summarise', { text: 'a long day' })).toBe('A day (glad)')
    expect(await textOf(client, 'folders')).toBe('file:///home/ada')
  },
  {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    prepare: (client) => {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const content = { 'How many seats?': { seats: 2 }, 'Your name?': { value: 'Ada' } }[params.message]
        if (params.mode === 'url') return { action: 'accept' }
        return { action: 'accept', content: content ?? { value: 'London' } }
      })
      client.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'test',
        content: { type: 'text', text: '{"title":"A day","mood":"glad"}' },
      }))
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada' }] }))
    },
  },
)

test('questions to clients that cannot answer, or do not want to', async () => {
  const [url] = await start('questions').urls()
  for (const era of ERAS) {
    const silent = await connected(url, era)
    expect(await textOf(silent, 'folders')).toBe('This client opens no folders.')
    const declining = await connected(url, era, {
      capabilities: { elicitation: { form: {} } },
      prepare: (client) => client.setRequestHandler('elicitation/create', () => ({ action: 'decline' })),
    })
    expect(await textOf(declining, 'book')).toBe('Nothing was booked (decline).')
  }
})

inBothEras('guards', async (client) => {
  expect(await textOf(client, 'read', { id: 1 })).toBe('one, for reader [read]')
  await expect(client.callTool({ name: 'read', arguments: { id: 2 } })).rejects.toThrow('There is no 2.')
  await expect(client.callTool({ name: 'write' })).rejects.toThrow(
    'Forbidden by guard "only-reading": this server is read-only today',
  )
  await expect(client.callTool({ name: 'secret', arguments: { word: 'please' } })).rejects.toThrow('named')
  expect(await textOf(client, 'secret', { word: 'sesame' })).toBe('open [secret]')
})

test('lifespan', async () => {
  const example = start('lifespan')
  const [url] = await example.urls()
  const rows = []
  for (const era of ERAS) {
    const client = await connected(url, era)
    rows.push(await textOf(client, 'append'), await textOf(client, 'visit'))
  }
  expect(rows).toEqual(['row 1', 'visit 1', 'row 1, row 2', 'visit 2'])
  await example.end()
  expect(example.stderr).toContain('had 2 rows\n')
})

inBothEras('threads', async (client, _era, running) => {
  const before = await textOf(client, 'where')
  expect(before).toMatch(/^in thread [1-9]/)
  const { isError } = await client.callTool({ name: 'crash' })
  expect(isError).toBe(true)
  expect(await textOf(client, 'where')).not.toBe(before)
  expect(running.stderr).toContain('the thread closed its port')
})

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
      closing.push(() => subscription.close())
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
  closing.push(() => client.close())
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
    .poll(async () => await post('tasks/get', { taskId }), { timeout: 5_000 })
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

test('access', async () => {
  const [url] = await start('access').urls()
  for (const era of ERAS) {
    await expect(connected(url, era)).rejects.toThrow()
    const client = await connected(url, era, { headers: { authorization: 'Bearer example-token' } })
    expect(await textOf(client, 'hello')).toBe('hello')
  }
})

test('authorization', async () => {
  const authority = await Authority.start()
  closing.push(() => authority.close())
  const [url] = await start('authorization', { EXAMPLE_ISSUER: authority.issuer }).urls()
  const bearer = async (scope: string) => {
    const token = await authority.token('http://127.0.0.1:4040/mcp', { claims: { scope } })
    return { headers: { authorization: `Bearer ${token}` } }
  }
  for (const era of ERAS) {
    const reader = await connected(url, era, await bearer('mcp'))
    expect(await textOf(reader, 'whoami')).toBe('alice')
    await expect(reader.callTool({ name: 'deploy' })).rejects.toThrow()
    const deployer = await connected(url, era, await bearer('deploy'))
    expect(await textOf(deployer, 'deploy')).toBe('deployed')
  }
})

test('limits', async () => {
  const [url] = await start('limits').urls()
  const client = await connected(url, '2026-07-28')
  expect(await textOf(client, 'echo', { text: 'x'.repeat(1_000) })).toHaveLength(1_000)
  await expect(client.callTool({ name: 'echo', arguments: { text: 'x'.repeat(70_000) } })).rejects.toThrow()
  const older = await connected(url, '2025-11-25')
  expect(older.getNegotiatedProtocolVersion()).toBe('2025-06-18')
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
    const lone = await post(none, 'tools/call', call, { 'mcp-protocol-version': version })
    expect(lone.reply['result']).toMatchObject(expected)
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
  closing.push(() => client.close())
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

test('transports', async () => {
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [exampleFile('transports')],
    stderr: 'pipe',
  })
  let stderr = ''
  stdio.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  const hello = async (transport: Transport) => {
    const client = new FirstClient({ name: 'reader', version: '1' })
    closing.push(() => client.close())
    await client.connect(transport)
    expect(await client.callTool({ name: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] })
  }
  await hello(stdio)
  expect(stderr).toMatch(/in memory: .*hello/)
  const [http, sse, ws] = Array.from(stderr.matchAll(/listening at (\S+)/g), ([, url = '']) => new URL(url))
  if (http === undefined || sse === undefined || ws === undefined) throw new Error(`no addresses: ${stderr}`)
  await hello(new SSEClientTransport(sse))
  await hello(new WebSocketClientTransport(ws))
  for (const era of ERAS) expect(await textOf(await connected(http, era), 'hello')).toBe('hello')
})
