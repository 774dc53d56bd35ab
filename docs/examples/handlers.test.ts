import { expect, test } from 'vitest'
import { ERAS } from './example-process.test-support.ts'
import { leftOpen } from '../../server-core/left-open.test-support.ts'
import { connected, inBothEras, start, textOf } from './in-both-eras.test-support.ts'

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
  expect(await client.callTool({ name: 'nothing' })).toMatchObject({
    content: [{ type: 'text', text: 'nothing ok' }],
  })
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
    leftOpen.push(() => subscription.close())
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

inBothEras('errors', async (client, _era, running) => {
  const told = await client.callTool({ name: 'connect' })
  expect(told).toMatchObject({
    isError: true,
    content: [{ text: expect.not.stringContaining('db.internal') }],
  })
  const [reference = 'none'] = /[\da-f-]{36}/.exec(JSON.stringify(told.content)) ?? []
  await running.tells(`${reference} connect: Error: no route to db.internal:5432`)
  await expect(client.callTool({ name: 'pay' })).rejects.toMatchObject({
    code: -32602,
    data: { account: 7 },
    message: expect.stringContaining('There is no such account.'),
  })
  await expect(client.readResource({ uri: 'account://7' })).rejects.toThrow('account://7')
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
