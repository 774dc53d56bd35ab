import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { envelope } from '../raw-client.test-support.ts'
import { exchange, modern } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

describe('POST of 2026-07-28', () => {
  it('is answered by one JSON body with its length', async () => {
    const { url } = await serve()
    const response = await modern(url, 'tools/call', { name: 'echo', arguments: { text: 'é' } }, { id: 'x' })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(response.headers['content-length']).toBeDefined()
    expect(response.headers['mcp-session-id']).toBeUndefined()
    expect(await response.body()).toMatchObject({
      id: 'x',
      result: { content: [{ text: 'é' }], resultType: 'complete' },
    })
  })

  it('becomes a stream when something precedes the answer', async () => {
    const { url } = await serve()
    const response = await modern(url, 'tools/call', { name: 'count' }, { meta: { progressToken: 't' } })
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    await response.ended
    expect(response.messages.map((message) => message['method'] ?? 'answer')).toEqual([
      'notifications/progress',
      'notifications/progress',
      'answer',
    ])
    expect(response.events.every(({ id }) => id === undefined)).toBe(true)
  })

  it.each([
    ['no envelope', { headers: {} }, { params: {} }, 400, -32602],
    ['an unknown version', { headers: { 'mcp-protocol-version': 'v9' } }, { version: 'v9' }, 400, -32022],
    ['a version that the header contradicts', {}, { version: 'v9' }, 400, -32020],
    ['a method that the header contradicts', { headers: { 'mcp-method': 'tools/LIST' } }, {}, 400, -32020],
    ['a name that the header contradicts', { headers: { 'mcp-name': 'other' } }, {}, 400, -32020],
    ['a name whose base64 is broken', { headers: { 'mcp-name': '=?base64?x?=' } }, {}, 400, -32020],
    ['an unknown method', { headers: { 'mcp-method': 'ping' } }, { method: 'ping' }, 404, -32601],
  ] as const)(
    'refuses %s',
    async (
      _name,
      { headers }: { headers?: Record<string, string> },
      body: { version?: string; method?: string; params?: object },
      status,
      code,
    ) => {
      const { url } = await serve()
      const response = await exchange(url, {
        headers: {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
          ...headers,
        },
        body: {
          jsonrpc: '2.0',
          id: 5,
          method: body.method ?? 'tools/call',
          params: body.params ?? {
            name: 'echo',
            _meta: {
              'io.modelcontextprotocol/protocolVersion': body.version ?? '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        },
      })
      expect([response.status, await response.body()]).toMatchObject([status, { id: 5, error: { code } }])
    },
  )

  it('needs its headers, and takes a padded name', async () => {
    const { url } = await serve()
    const body = async (headers: Record<string, string>) => {
      const response = await modern(url, 'tools/call', { name: 'echo', arguments: {} }, { headers })
      return (await response.body())['error'] ?? response.status
    }
    expect(await body({ 'mcp-name': '  echo ' })).toBe(200)
    expect(await body({ 'mcp-name': '=?base64?ZWNobw==?=' })).toBe(200)
    const missing = await exchange(url, {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } },
    })
    expect([missing.status, await missing.body()]).toMatchObject([400, { error: { code: -32020 } }])
  })

  it('compares the headers that repeat arguments', async () => {
    const { url } = await serve()
    const call = async (args: object, headers: Record<string, string>) => {
      const response = await modern(
        url,
        'tools/call',
        { name: 'region', arguments: { ...args } },
        { headers },
      )
      return response.status
    }
    expect(
      await call(
        { region: 'Hello', size: 42 },
        { 'mcp-param-region': '=?base64?SGVsbG8=?=', 'mcp-param-size': '42.0' },
      ),
    ).toBe(200)
    expect(await call({}, {})).toBe(200)
    expect(await call({ region: 'Hello' }, {})).toBe(400)
    expect(await call({}, { 'mcp-param-region': 'Hello' })).toBe(400)
    expect(await call({ region: 'Hello' }, { 'mcp-param-region': 'hello' })).toBe(400)
    expect(await call({ size: 42 }, { 'mcp-param-size': '4.2e1' })).toBe(400)
  })

  it('gives the status of a missing capability, and 200 to what a handler says', async () => {
    const { url } = await serve()
    expect((await modern(url, 'tools/call', { name: 'ask' })).status).toBe(400)
    const unknown = await modern(url, 'tools/call', { name: 'none' })
    expect([unknown.status, await unknown.body()]).toMatchObject([200, { error: { code: -32602 } }])
  })

  it('asks by input_required, and takes the retry on another connection', async () => {
    const { url } = await serve()
    const capabilities = { elicitation: {} }
    const first = await (await modern(url, 'tools/call', { name: 'ask' }, { capabilities })).body()
    const { requestState } = first['result'] as { requestState: string }
    const inputResponses = { city: { action: 'accept', content: { city: 'Oslo' } } }
    const done = await modern(
      url,
      'tools/call',
      { name: 'ask', requestState, inputResponses },
      { capabilities, id: 2 },
    )
    expect(await done.body()).toMatchObject({ result: { content: [{ text: 'to Oslo' }] } })
  })

  it('does not take the state of another caller', async () => {
    let token = 'one'
    const { url } = await serve(undefined, { token: () => token })
    const call = (params: JsonObject) =>
      modern(
        url,
        'tools/call',
        { name: 'ask', ...params },
        { capabilities: { elicitation: {} }, headers: { authorization: `Bearer ${token}` } },
      )
    const first = await (await call({})).body()
    const { requestState } = first['result'] as { requestState: string }
    token = 'two'
    const inputResponses = { city: { action: 'accept', content: { city: 'Oslo' } } }
    const foreign = await (await call({ requestState, inputResponses })).body()
    expect(foreign).toMatchObject({ error: { code: -32602 } })
  })

  it('is cancelled when its client goes', async () => {
    const { registry, started } = tools()
    const { url } = await serve(registry)
    const response = await modern(url, 'tools/call', { name: 'gated' }, { meta: { progressToken: 1 } })
    const signal = await started
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    response.drop()
    await aborted
  })

  it('keeps a subscription open, and ends it with its result when the listener closes', async () => {
    const { registry } = tools()
    const { url, listener } = await serve(registry)
    const response = await modern(
      url,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { id: 7 },
    )
    // Nothing surrounds the events of a long stream: it ends with its connection.
    expect(response.headers).toMatchObject({ connection: 'close' })
    expect(response.headers['transfer-encoding']).toBeUndefined()
    await response.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    registry.addTool({ name: 'new', run: () => '' })
    await response.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(listener.clientCount()).toBe(1)
    await listener.close()
    expect(await response.seen(({ id }) => id === 7)).toMatchObject({ result: { resultType: 'complete' } })
  })

  it('accepts notifications and rejects arrays, responses and invalid messages', async () => {
    const { url } = await serve()
    const statusOf = async (body: unknown) => (await exchange(url, { body })).status
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    const notified = await exchange(url, { headers, body: { jsonrpc: '2.0', method: 'notifications/any' } })
    expect([notified.status, await notified.body()]).toEqual([202, { text: '' }])
    expect(await statusOf([])).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0', id: 1, result: {} })).toBe(400)
    expect(await statusOf('{"jsonrpc":')).toBe(400)
    expect(await statusOf({ jsonrpc: '2.0', id: null, method: 'x' })).toBe(400)
  })
})
