import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { exchange, modern } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

const NONE = { sessions: 'none' } as const
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: {} },
}

const post = (url: string, body: unknown, version?: string) =>
  exchange(url, { headers: version === undefined ? {} : { 'mcp-protocol-version': version }, body })
const request = (method: string, params?: JsonObject, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

describe('Streamable HTTP without sessions', () => {
  it('shakes hands without a session id and declares nothing that would need a session', async () => {
    const { registry } = tools()
    registry.addResource({ uri: 'note://1', name: 'one', read: '1' })
    const { url, listener } = await serve(registry, NONE)
    const response = await post(url, INITIALIZE)
    expect([response.status, response.headers['mcp-session-id']]).toEqual([200, undefined])
    const { result } = await response.body()
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' })
    expect((result as JsonObject)['capabilities']).toEqual({ tools: {}, resources: {} })
    const initialized = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, '2025-11-25')
    expect([initialized.status, await initialized.body()]).toEqual([202, { text: '' }])
    expect(listener.clientCount()).toBe(0)
  })

  it('serves each POST in the revision that its header names, 2025-03-26 if it names none', async () => {
    const { registry } = tools()
    registry.addTool({
      name: 'strict',
      input: { type: 'object', properties: { n: { type: 'number' } } },
      run: () => '',
    })
    const { url } = await serve(registry, NONE)
    const wrong = request('tools/call', { name: 'strict', arguments: { n: 'x' } })
    expect(await (await post(url, wrong, '2025-11-25')).body()).toMatchObject({ result: { isError: true } })
    expect(await (await post(url, wrong, '2025-06-18')).body()).toMatchObject({ error: { code: -32602 } })
    expect(await (await post(url, wrong)).body()).toMatchObject({ error: { code: -32602 } })
    const batch = [request('ping'), request('tools/call', { name: 'echo', arguments: { text: 'x' } }, 2)]
    expect(await (await post(url, batch)).body()).toMatchObject({ 0: { id: 1 }, 1: { id: 2 } })
    expect((await post(url, batch, '2025-06-18')).status).toBe(400)
    expect((await post(url, batch, '2025-03-26')).status).toBe(200)
    expect((await post(url, [{ jsonrpc: '2.0', method: 'notifications/nothing' }])).status).toBe(202)
  })

  it('refuses a header that names no handshake revision, and names those there are', async () => {
    const { url } = await serve(undefined, NONE)
    for (const version of ['1999-01-01', 'x']) {
      expect((await post(url, { jsonrpc: '2.0', method: 'notifications/x' }, version)).status).toBe(400)
      const response = await post(url, request('ping', undefined, 9), version)
      expect([response.status, await response.body()]).toMatchObject([
        400,
        { id: 9, error: { code: -32600, message: expect.stringContaining('2025-06-18') } },
      ])
    }
  })

  it('knows no method that would need a session, no response, no GET and no DELETE', async () => {
    const { url } = await serve(undefined, NONE)
    for (const method of ['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list']) {
      const response = await post(url, request(method, { level: 'debug', uri: 'note://1' }), '2025-11-25')
      expect([method, response.status, await response.body()]).toMatchObject([
        method,
        200,
        { error: { code: -32601 } },
      ])
    }
    const response = await post(url, { jsonrpc: '2.0', id: 1, result: {} })
    expect([response.status, await response.body()]).toMatchObject([400, { error: { code: -32600 } }])
    for (const headers of [
      { accept: 'text/event-stream' },
      { accept: 'text/event-stream', 'mcp-session-id': 'x' },
    ]) {
      for (const method of ['GET', 'DELETE']) {
        expect([method, (await exchange(url, { method, headers })).status]).toEqual([method, 405])
      }
    }
  })

  it('tells a handler that asks that there is no session to ask in', async () => {
    const { url } = await serve(undefined, NONE)
    const response = await post(url, request('tools/call', { name: 'ask' }), '2025-11-25')
    const { result } = await response.body()
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/elicitation\/create.*without a session/) }],
    })
  })

  it('streams progress, without ids to come back with and without logs', async () => {
    const { registry } = tools()
    registry.addTool({
      name: 'loud',
      run: (_args, ctx) => {
        ctx.log.error('help')
        ctx.progress(1)
        return 'done'
      },
    })
    const { url } = await serve(registry, NONE)
    const call = request('tools/call', { name: 'loud', _meta: { progressToken: 1 } })
    const response = await post(url, call, '2025-11-25')
    await response.ended
    expect(response.messages.map((message) => message['method'] ?? 'answer')).toEqual([
      'notifications/progress',
      'answer',
    ])
    expect(response.events.every(({ id }) => id === undefined)).toBe(true)
  })

  it('goes on when its client goes, and serves others with the same ids', async () => {
    const { registry, started, gate } = tools()
    const { url } = await serve(registry, NONE)
    const gone = await post(
      url,
      request('tools/call', { name: 'gated', _meta: { progressToken: 1 } }),
      '2025-11-25',
    )
    const signal = await started
    gone.drop()
    await gone.ended
    const other = post(url, request('tools/call', { name: 'silent' }), '2025-11-25')
    gate.resolve()
    expect(await (await other).body()).toMatchObject({ id: 1, result: { content: [{ text: 'opened' }] } })
    expect(signal.aborted).toBe(false)
  })

  it('leaves the modern era as it is', async () => {
    const { url } = await serve(undefined, NONE)
    expect((await modern(url, 'tools/list')).status).toBe(200)
  })
})
