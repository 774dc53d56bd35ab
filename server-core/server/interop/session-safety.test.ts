import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS, type Limits } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import type { Authorization } from '../../ports/authorization-port.ts'
import { exchange, modern, openSession, type RawResponse } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

/** Tokens are the names of their users. */
const BY_NAME: Authorization = {
  admit: (authorization) => {
    const name = /^Bearer (\w+)$/.exec(authorization ?? '')?.[1]
    return name === undefined ? { status: 401, reason: 'who?' } : { caller: name }
  },
  stillAdmits: () => true,
}
const A = { authorization: 'Bearer alice' }
const B = { authorization: 'Bearer bob' }
const TASKS = 'io.modelcontextprotocol/tasks'

async function setup(limits: Partial<Limits> = {}) {
  const registry = new Registry()
  registry.addTool({
    name: 'count',
    run: (_args, ctx) => {
      ctx.progress(1)
      return 'counted'
    },
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      await ctx.elicit('Sure?', { type: 'object', properties: {} }, { key: 'sure' })
      return 'sure'
    },
  })
  const gate = Promise.withResolvers<string>()
  registry.addTool({ name: 'job', taskSupport: 'optional', run: () => gate.promise })
  const served = await serve(registry, {
    authorization: BY_NAME,
    routes: { mcp: true, sse: true, ws: true },
    limits: { ...DEFAULT_LIMITS, ...limits },
  })
  const { mcp = '', sse = '' } = served.listener.urls
  return { ...served, mcp, sse, gate }
}

/** What a response says, without the values that the caller had sent itself. */
async function heard(response: RawResponse, ...sent: string[]) {
  const { status, headers } = response
  let body = JSON.stringify(await response.body())
  for (const value of sent) body = body.replaceAll(value, '…')
  return { status, body, type: headers['content-type'], session: headers['mcp-session-id'] }
}

describe('what belongs to one caller', () => {
  it('is not a session of another: the same answer as for one that never was, whatever the method', async () => {
    const { mcp } = await setup()
    const session = await openSession(mcp, {}, A)
    const bodies: JsonObject[] = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]
    const as = (headers: Record<string, string>, id: string) => ({
      'mcp-protocol-version': '2025-11-25',
      ...headers,
      'mcp-session-id': id,
    })
    const attempts: ((id: string) => Promise<RawResponse>)[] = [
      ...bodies.map((body) => (id: string) => exchange(mcp, { headers: as(B, id), body })),
      (id) => exchange(mcp, { method: 'GET', headers: { ...as(B, id), accept: 'text/event-stream' } }),
      (id) =>
        exchange(mcp, {
          method: 'GET',
          headers: { ...as(B, id), accept: 'text/event-stream', 'last-event-id': '0-0' },
        }),
      (id) => exchange(mcp, { method: 'DELETE', headers: as(B, id) }),
    ]
    const unknown = session.id.split('').reverse().join('')
    for (const attempt of attempts) {
      const foreign = await heard(await attempt(session.id), session.id)
      expect(foreign.status).toBe(404)
      expect(foreign).toEqual(await heard(await attempt(unknown), unknown))
    }
    expect((await session.request(2, 'ping')).status).toBe(200)
  })

  it('is not a session of another over HTTP+SSE either', async () => {
    const { sse } = await setup()
    const stream = await exchange(sse, { method: 'GET', headers: { ...A, accept: 'text/event-stream' } })
    const id = String(stream.headers['mcp-session-id'])
    const unknown = id.split('').reverse().join('')
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const ways: ((named: string) => Promise<RawResponse>)[] = [
      (named) => exchange(`${sse.replace('/sse', '/messages')}?sessionId=${named}`, { headers: B, body }),
      (named) =>
        exchange(sse.replace('/sse', '/messages'), { headers: { ...B, 'mcp-session-id': named }, body }),
      (named) =>
        exchange(`${sse}?sessionId=${named}`, {
          method: 'GET',
          headers: { ...B, accept: 'text/event-stream' },
        }),
    ]
    for (const way of ways) {
      const foreign = await heard(await way(id), id)
      expect(foreign.status).toBe(404)
      expect(foreign).toEqual(await heard(await way(unknown), unknown))
    }
    stream.drop()
  })

  it('is not a stream of another: event ids count within a session', async () => {
    const { mcp } = await setup()
    const alice = await openSession(mcp, {}, A)
    const call = await alice.request('mine', 'tools/call', { name: 'count', _meta: { progressToken: 1 } })
    await call.ended
    const last = call.events[0]?.id ?? ''
    const bob = await openSession(mcp, {}, B)
    const resumed = await bob.listen({ 'last-event-id': last })
    expect(resumed.status).toBe(400)
    expect(JSON.stringify(await resumed.body())).not.toContain('mine')
    expect((await alice.listen({ 'last-event-id': last })).status).toBe(200)
  })

  it('is not a sealed state of another, though everything else is the same', async () => {
    const { mcp } = await setup()
    const capabilities = { elicitation: {} }
    const call = (headers: Record<string, string>, more: JsonObject = {}) =>
      modern(mcp, 'tools/call', { name: 'ask', ...more }, { headers, capabilities })
    const { result } = await (await call(A)).body()
    const { requestState } = result as { requestState: string }
    const inputResponses = { sure: { action: 'accept', content: {} } }
    const foreign = await heard(await call(B, { requestState, inputResponses }), requestState)
    const forged = await heard(await call(B, { requestState: 'forged', inputResponses }), 'forged')
    expect(foreign).toEqual(forged)
    expect(foreign.body).toContain('-32602')
    expect(await (await call(A, { requestState, inputResponses })).body()).toMatchObject({
      result: { content: [{ text: 'sure' }] },
    })
  })

  it('is not pushed out by another who leaves runs waiting', async () => {
    const { mcp } = await setup({ suspendedRuns: 2 })
    const capabilities = { elicitation: {} }
    const call = async (headers: Record<string, string>, more: JsonObject = {}) => {
      const answer = await modern(mcp, 'tools/call', { name: 'ask', ...more }, { headers, capabilities })
      return (await answer.body())['result'] as { readonly requestState: string } | undefined
    }
    const first = await call(A)
    for (let count = 0; count < 5; count += 1) await call(B)
    const inputResponses = { sure: { action: 'accept', content: {} } }
    expect(await call(A, { requestState: first?.requestState, inputResponses })).toMatchObject({
      content: [{ text: 'sure' }],
    })
  })

  it('is not a task of another, in neither era', async () => {
    const { mcp, gate } = await setup()
    const capabilities = { extensions: { [TASKS]: {} } }
    const begun = await (
      await modern(mcp, 'tools/call', { name: 'job' }, { headers: A, capabilities })
    ).body()
    const id = String((begun['result'] as JsonObject)['taskId'])
    const never = '00000000-0000-4000-8000-000000000000'
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const attempt = async (taskId: string) => {
        const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) }
        const headers = { ...B, 'mcp-name': taskId }
        return heard(await modern(mcp, method, params, { headers, capabilities }), taskId)
      }
      const foreign = await attempt(id)
      expect([method, foreign.body]).toEqual([method, expect.stringContaining('-32602')])
      expect(foreign).toEqual(await attempt(never))
    }
    const alice = await openSession(mcp, {}, A)
    const bob = await openSession(mcp, {}, B)
    const task = await (
      await alice.request(1, 'tools/call', { name: 'job', arguments: {}, task: { ttl: 60_000 } })
    ).body()
    const { taskId } = (task['result'] as { readonly task: { readonly taskId: string } }).task
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const attempt = async (named: string) => heard(await bob.request(2, method, { taskId: named }), named)
      const foreign = await attempt(taskId)
      expect([method, foreign.body]).toEqual([method, expect.stringContaining('-32602')])
      expect(foreign).toEqual(await attempt(never))
    }
    expect(await (await bob.request(3, 'tasks/list')).body()).toMatchObject({ result: { tasks: [] } })
    gate.resolve('done')
    expect(await (await alice.request(4, 'tasks/result', { taskId })).body()).toMatchObject({
      result: { content: [{ text: 'done' }] },
    })
  })

  it('is not cancelled by another who uses the same id', async () => {
    const { mcp, gate } = await setup()
    const alice = await openSession(mcp, {}, A)
    const bob = await openSession(mcp, {}, B)
    const call = alice.request(7, 'tools/call', { name: 'job' })
    await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    gate.resolve('done')
    expect(await (await call).body()).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } })
  })

  it('is named by ids that nobody guesses', async () => {
    const { mcp } = await setup()
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await openSession(mcp, {}, A)).id))
    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/)
  })
})

describe('an anonymous caller', () => {
  it('of one listener is not one of another of the same server', async () => {
    const { server, url, gate } = await (async () => {
      const registry = new Registry()
      const held = Promise.withResolvers<string>()
      registry.addTool({ name: 'job', taskSupport: 'optional', run: () => held.promise })
      return { ...(await serve(registry)), gate: held }
    })()
    const { startHttpListener } = await import('../../listener/http-listener.ts')
    const other = await startHttpListener({ server, port: 0 })
    const session = await openSession(url)
    const task = await (
      await session.request(1, 'tools/call', { name: 'job', arguments: {}, task: { ttl: 60_000 } })
    ).body()
    const { taskId } = (task['result'] as { readonly task: { readonly taskId: string } }).task
    const elsewhere = await openSession(other.url)
    expect(await (await elsewhere.request(1, 'tasks/get', { taskId })).body()).toMatchObject({
      error: { code: -32602 },
    })
    gate.resolve('')
    await other.close()
  })
})

describe('a caller who says who they are', () => {
  it('is the same on another listener, and after a restart: states and tasks are theirs there', async () => {
    const one = await setup()
    const { server } = one
    const { startHttpListener } = await import('../../listener/http-listener.ts')
    const other = await startHttpListener({ server, port: 0, authorization: BY_NAME, routes: { mcp: true } })
    const capabilities = { elicitation: {} }
    const call = (url: string, headers: Record<string, string>, more: JsonObject = {}) =>
      modern(url, 'tools/call', { name: 'ask', ...more }, { headers, capabilities })
    const { result } = await (await call(one.mcp, A)).body()
    const { requestState } = result as { requestState: string }
    const inputResponses = { sure: { action: 'accept', content: {} } }
    expect(await (await call(other.url, B, { requestState, inputResponses })).body()).toMatchObject({
      error: { code: -32602 },
    })
    expect(await (await call(other.url, A, { requestState, inputResponses })).body()).toMatchObject({
      result: { content: [{ text: 'sure' }] },
    })
    const session = await openSession(one.mcp, {}, A)
    const made = await session.request(1, 'tools/call', { name: 'job', arguments: {}, task: { ttl: 60_000 } })
    const { taskId } = ((await made.body())['result'] as { readonly task: { readonly taskId: string } }).task
    const elsewhere = await openSession(other.url, {}, A)
    expect(await (await elsewhere.request(1, 'tasks/get', { taskId })).body()).toMatchObject({
      result: { taskId },
    })
    one.gate.resolve('')
    await other.close()
  })
})

describe('what a handler sees of a request', () => {
  it('are its headers without those that prove who calls', async () => {
    const registry = new Registry()
    registry.addTool({ name: 'headers', run: (_args, ctx) => ({ ...ctx.headers }) })
    const { url } = await serve(registry, { authorization: BY_NAME })
    const headers = { ...A, cookie: 'sid=secret', 'proxy-authorization': 'Basic secret', 'x-mine': 'yes' }
    const answer = await (await modern(url, 'tools/call', { name: 'headers' }, { headers })).body()
    expect(answer).toMatchObject({ result: { structuredContent: { 'x-mine': 'yes' } } })
    expect(JSON.stringify(answer)).not.toMatch(/secret|alice/)
  })
})
