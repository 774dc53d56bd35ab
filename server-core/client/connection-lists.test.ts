import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { TransportError } from '../ports/contract.ts'
import { closeAll, connectedTo, type Script } from './scripted-server.test-support.ts'

afterEach(closeAll)

describe('lists', () => {
  const tool = (name: string, more: JsonObject = {}) => ({ name, inputSchema: { type: 'object' }, ...more })

  it('are read over all pages, an empty cursor included', async () => {
    const { connection, heard } = await connectedTo('legacy', (each, side) => {
      const cursor = each.params['cursor']
      if (cursor === undefined) side.result(each, { tools: [tool('a')], nextCursor: '' })
      else if (cursor === '') side.result(each, { tools: [], nextCursor: 'z' })
      else side.result(each, { tools: [tool('b')] })
    })
    const { items, problem } = await connection.listTools()
    expect(items.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(problem).toBeUndefined()
    expect(heard().map(({ params }) => params['cursor'])).toEqual([undefined, '', 'z'])
  })

  it('keep malformed and doubled entries apart, with path and reason', async () => {
    const tools = [
      tool('a'),
      7,
      { inputSchema: { type: 'object' } },
      tool('b', { inputSchema: 'x' }),
      tool('c', { inputSchema: { type: 'string' } }),
      tool('a'),
      tool('d'),
    ]
    const { connection } = await connectedTo('legacy', (each, side) => side.result(each, { tools }))
    const { items, malformed } = await connection.listTools()
    expect(items.map(({ name }) => name)).toEqual(['a', 'd'])
    expect(malformed.map(({ index, reason }) => [index, reason])).toEqual([
      [1, 'expected an object, got a value of type number'],
      [2, 'name: expected a string, got nothing'],
      [3, 'inputSchema: expected an object, got a value of type string'],
      [4, 'inputSchema.type: expected "object", got "string"'],
      [5, 'name: "a" is listed twice, first as entry 0'],
    ])
    expect(malformed[3]?.value).toEqual(tools[4])
  })

  it('keep entries whose optional members are wrong, without those', async () => {
    const tools = [
      tool('a', { description: null, title: 7 }),
      tool('b'),
      tool('c', { annotations: { readOnlyHint: 'yes' } }),
      { name: 'd', description: null },
    ]
    const { connection } = await connectedTo('legacy', (each, side) => side.result(each, { tools }))
    const { items, malformed, flawed } = await connection.listTools()
    expect(items).toEqual([tool('a'), tool('b'), tool('c')])
    expect(flawed.map(({ index, reason }) => [index, reason])).toEqual([
      [0, expect.stringMatching(/description: expected a string, got null/)],
      [2, expect.stringMatching(/^annotations\.readOnlyHint: expected true or false/)],
    ])
    expect(flawed[0]?.value).toEqual(tools[0])
    expect(malformed.map(({ index }) => index)).toEqual([3])
    expect(connection.knownTool('a')).toBeDefined()
  })

  it('warn of a page whose cache scope is not that of the first', async () => {
    const { connection } = await connectedTo('modern', (each, side) => {
      const isFirst = each.params['cursor'] === undefined
      const facts = { ttlMs: 0, cacheScope: isFirst || each.method === 'prompts/list' ? 'private' : 'public' }
      side.result(each, { tools: [], prompts: [], ...facts, ...(isFirst ? { nextCursor: 'n' } : {}) })
    })
    expect((await connection.listTools()).warning).toBe(
      'tools/list: a page has cacheScope "public", but the first "private"; all pages of a list have one',
    )
    expect((await connection.listPrompts()).warning).toBeUndefined()
  })

  it('are asked for again where the answer was cut off, and calls are not', async () => {
    const { connection, heard } = await connectedTo(
      'modern',
      (each, side) => {
        const error = new TransportError('connection-failed', 'the stream ended before the answer came', {})
        const isFirst = heard().filter(({ method }) => method === each.method).length === 1
        if (isFirst || each.method === 'tools/call') side.fail(each, error)
        else side.result(each, { prompts: [] })
      },
      {},
      'http',
    )
    expect((await connection.listPrompts()).items).toEqual([])
    await expect(connection.request('tools/call', { name: 'a' })).rejects.toMatchObject({ code: 'transport' })
    const [first, second, call, ...rest] = heard()
    expect([first?.method, second?.method, call?.method, rest]).toEqual([
      'prompts/list',
      'prompts/list',
      'tools/call',
      [],
    ])
    expect(second?.id).not.toBe(first?.id)
  })

  it('end with a named problem when a cursor is repeated or the list is invalid', async () => {
    const { connection } = await connectedTo('legacy', (each, side) => {
      if (each.method === 'prompts/list') side.result(each, { prompts: 'none' })
      else
        side.result(each, {
          resources: [{ uri: `a:${String(each.params['cursor'])}`, name: 'a' }],
          nextCursor: 'same',
        })
    })
    expect(await connection.listResources()).toMatchObject({
      items: [{ uri: 'a:undefined' }, { uri: 'a:same' }],
      problem: 'resources/list: the cursor "same" came twice, so the pages never end',
    })
    expect((await connection.listPrompts()).problem).toBe(
      'prompts/list: prompts must be an array, got a value of type string',
    )
  })
})

describe('headers from tool parameters', () => {
  const city = { type: 'string', 'x-mcp-header': 'City' }
  const tools = (schema: JsonObject) => [
    { name: 'good', inputSchema: { type: 'object', properties: { city } } },
    { name: 'bad', inputSchema: schema },
  ]
  const listing: Script = (each, side) => {
    const schema = { type: 'object', properties: { x: { type: 'number', 'x-mcp-header': 'X' } } }
    side.result(each, each.method === 'tools/list' ? { tools: tools(schema) } : { content: [] })
  }

  it('mirror arguments over HTTP and drop tools that break the rules', async () => {
    const { connection, heard } = await connectedTo('modern', listing, {}, 'http')
    const { items, malformed } = await connection.listTools()
    expect(items.map(({ name }) => name)).toEqual(['good'])
    expect(malformed).toMatchObject([
      { index: 1, reason: 'x-mcp-header on x: the type must be string, integer or boolean, not "number"' },
    ])
    await connection.request('tools/call', { name: 'good', arguments: { city: 'São Paulo' } })
    expect(heard().at(-1)?.options.headers).toEqual({ 'mcp-param-city': '=?base64?U8OjbyBQYXVsbw==?=' })
  })

  it('do not matter over stdio', async () => {
    const { connection } = await connectedTo('modern', listing)
    expect((await connection.listTools()).items).toHaveLength(2)
  })

  it('are looked up again, once, when the server finds them wrong', async () => {
    let listed = 0
    const { connection, methods, heard } = await connectedTo(
      'modern',
      (each, side) => {
        if (each.method === 'tools/list') {
          listed += 1
          side.result(each, { tools: tools({ type: 'object' }) })
        } else if (each.options.headers?.['mcp-param-city'] === undefined || each.params['name'] === 'never')
          side.error(each, -32020, 'header missing')
        else side.result(each, { content: [] })
      },
      {},
      'http',
    )
    await connection.request('tools/call', { name: 'good', arguments: { city: 'Oslo' } })
    expect(methods()).toEqual(['tools/call', 'tools/list', 'tools/call'])
    expect(heard()[2]?.options.headers).toEqual({ 'mcp-param-city': 'Oslo' })
    await expect(connection.request('tools/call', { name: 'never' })).rejects.toMatchObject({ code: -32020 })
    expect(listed).toBe(2)
  })
})

describe('a lost session', () => {
  const lost = new TransportError('http-status', 'HTTP 404', { httpStatus: 404 })

  it('is begun again once; if the new one is lost too, the requests fail', async () => {
    const { connection, methods } = await connectedTo(
      'legacy',
      (each, side) => side.fail(each, lost),
      {},
      'http',
    )
    const both = await Promise.allSettled([
      connection.request('tools/list'),
      connection.request('tools/list'),
    ])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
    expect(connection.steps.at(-1)).toEqual({
      step: 'initialize (2025-11-25)',
      outcome: 'the server had lost the session; a new one began',
    })
  })

  it('lets the request through when the new session knows it', async () => {
    let failed = 0
    const { connection } = await connectedTo(
      'legacy',
      (each, side) => {
        if (failed < 2 && each.method === 'tools/list') {
          failed += 1
          side.fail(each, lost)
        } else side.result(each, { tools: [] })
      },
      {},
      'http',
    )
    const both = await Promise.all([connection.listTools(), connection.listTools()])
    expect(both.map(({ items }) => items)).toEqual([[], []])
  })
})

describe('changes', () => {
  it('come unasked from a legacy server, a flood of them as one', async () => {
    const lists: string[] = []
    const seen = Promise.withResolvers<undefined>()
    const { connection } = await connectedTo('legacy', (each, side) => {
      for (let n = 0; n < 1_000; n += 1)
        side.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      side.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a' } })
      side.result(each, {})
    })
    connection.onListChanged((list) => lists.push(list))
    connection.onResourceUpdated((uri) => {
      expect(uri).toBe('a')
      seen.resolve(undefined)
    })
    await connection.subscribe('a')
    await seen.promise
    expect(lists).toEqual(['tools'])
  })

  it('are listened for in 2026-07-28, on one listen that holds all that is wanted', async () => {
    const open = new Set<unknown>()
    const { connection, heard } = await connectedTo('modern', (each, side) => {
      if (each.method === 'notifications/cancelled') open.delete(each.params['requestId'])
      if (each.method !== 'subscriptions/listen') return
      open.add(each.id)
      const _meta = { 'io.modelcontextprotocol/subscriptionId': each.id }
      side.send({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: each.params['notifications'], _meta },
      })
      side.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta } })
    })
    const changed = new Promise((resolve) => connection.onListChanged(resolve))
    expect(await changed).toBe('tools')
    await connection.subscribe('test://a')
    await connection.subscribe('test://b')
    const filters = heard().flatMap(({ method, params }) =>
      method === 'subscriptions/listen' ? [params['notifications']] : [],
    )
    expect(filters).toEqual([
      { toolsListChanged: true },
      { toolsListChanged: true, resourceSubscriptions: ['test://a'] },
      { toolsListChanged: true, resourceSubscriptions: ['test://a', 'test://b'] },
    ])
    await expect.poll(() => open.size).toBe(1)
  })

  it('reports a subscription that the server rejects', async () => {
    const { connection } = await connectedTo('modern', (each, side) => {
      if (each.method !== 'subscriptions/listen') return
      const _meta = { 'io.modelcontextprotocol/subscriptionId': each.id }
      side.send({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta },
      })
      side.result(each, { resultType: 'complete', _meta })
    })
    await expect(connection.subscribe('test://a')).rejects.toMatchObject({
      message: 'the server does not tell when test://a changes',
    })
  })
})
