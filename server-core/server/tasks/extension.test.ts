import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { connectTo, envelope, serveRegistry, type RawClient, type Reply } from '../raw-client.test-support.ts'
import type { ServerOptions } from '../server.ts'

const ID = 'io.modelcontextprotocol/tasks'
const DECLARED = { elicitation: {}, extensions: { [ID]: {} } }
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
/** A rule that no JSON Schema can say: the handler's side finds an answer wrong that fits the form. */
const ELSEWHERE = z.object({ city: z.string().refine((city) => city !== 'Oslo', 'not there') })
const accept = (city: unknown) => ({ action: 'accept', content: { city } })

/** Jobs of every kind; `gate` lets the waiting one go on. */
function jobs() {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<AbortSignal>()
  const job = (name: string, run: Parameters<Registry['addTool']>[0]['run'], more: object = {}) => {
    registry.addTool({ name, taskSupport: 'optional', ...more, run })
  }
  job('wait', async (_args, ctx) => {
    ctx.progress(1, 2, 'waiting')
    ctx.log.error('never told')
    began.resolve(ctx.signal)
    await gate.promise
    return { waited: true }
  })
  job('quick', () => 'done')
  job('fail', () => Promise.reject(new Error('it broke')))
  job('refuse', () => Promise.reject(new ProtocolError(-31_000, 'not today', { day: 'Sunday' })))
  job('mute', () => ({ structuredContent: { loop: 1n } }))
  job('ask', async (_args, ctx) => {
    const [from, to] = await Promise.all([
      ctx.elicit('From?', ELSEWHERE, { key: 'from' }),
      ctx.elicit('To?', CITY, { key: 'to' }),
    ])
    return `${from.city} to ${String(to['city'])}`
  })
  job('must', () => 'done', { taskSupport: 'required', task: { ttlMs: 5_000, pollIntervalMs: 50 } })
  const byHandler = { taskSupport: 'required', task: { start: 'by-handler' } }
  job(
    'accept',
    async (_args, ctx) => {
      const { city } = await ctx.elicit('Where?', CITY, { key: 'where' })
      if (city === 'nowhere') return 'no need'
      ctx.startTask('on the way')
      const { city: street } = await ctx.elicit('Which street?', CITY, { key: 'street' })
      return `${String(city)}, ${String(street)}`
    },
    byHandler,
  )
  job(
    'late',
    async (_args, ctx) => {
      const answer = ctx.elicit('Where?', CITY, { key: 'where' })
      // The round is over by the time that the handler says so.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      ctx.startTask()
      return String((await answer)['city'])
    },
    byHandler,
  )
  registry.addTool({ name: 'plain', run: () => 'done' })
  return { registry, gate, began: began.promise }
}

async function open(options: Partial<ServerOptions> = {}) {
  const made = jobs()
  return { ...made, ...(await serveRegistry(made.registry, options)) }
}

function send(
  client: RawClient,
  method: string,
  params: JsonObject,
  capabilities: JsonObject = DECLARED,
): Promise<Reply> {
  return client.request(method, { ...params, _meta: envelope(capabilities) })
}

const call = (client: RawClient, name: string, more: JsonObject = {}, capabilities: JsonObject = DECLARED) =>
  send(client, 'tools/call', { name, arguments: {}, ...more }, capabilities)

const get = async (client: RawClient, taskId: string) =>
  (await send(client, 'tasks/get', { taskId })).result ?? {}

async function begin(client: RawClient, name: string, more: JsonObject = {}): Promise<string> {
  return idOf(await call(client, name, more))
}

function idOf({ result, error }: Reply): string {
  const id = result?.['taskId']
  if (result?.['resultType'] !== 'task' || typeof id !== 'string') {
    throw new Error(`no task in ${JSON.stringify(result ?? error)}`)
  }
  return id
}

/** The state of a task, once it is that; told by a subscription, so that nobody has to look twice. */
async function reaches(client: RawClient, taskId: string, status: string): Promise<JsonObject> {
  const listen = send(client, 'subscriptions/listen', { notifications: { taskIds: [taskId] } })
  const message = await Promise.race([
    client.seen(({ method, params }) => {
      const task = isJsonObject(params) ? params : {}
      return method === 'notifications/tasks' && task['taskId'] === taskId && task['status'] === status
    }),
    listen.then((reply) => {
      throw new Error(`the subscription ended: ${JSON.stringify(reply)}`)
    }),
  ])
  return message['params'] as JsonObject
}

describe('the extension io.modelcontextprotocol/tasks', () => {
  it('is declared with tools for it, and only as an extension', async () => {
    const { client } = await open()
    const { result } = await send(client, 'server/discover', {})
    expect(result?.['capabilities']).toMatchObject({ extensions: { [ID]: {} } })
    expect(result?.['capabilities']).not.toHaveProperty('tasks')
    const { result: list } = await send(client, 'tools/list', {})
    const tools = list?.['tools'] as JsonObject[]
    expect(tools.some((tool) => 'execution' in tool)).toBe(false)
    const registry = new Registry()
    registry.addTool({ name: 'plain', run: () => 'done' })
    const without = await serveRegistry(registry)
    const { result: bare } = await send(without.client, 'server/discover', {})
    expect(bare?.['capabilities']).not.toHaveProperty('extensions')
    expect(await send(without.client, 'tasks/get', { taskId: 'x' })).toMatchObject({
      error: { code: -32601 },
    })
  })

  it('answers a call with a flat task that is there at once', async () => {
    const { client } = await open()
    const { result } = await call(client, 'must', { task: { ttl: 1 } })
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.any(String) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      ttlMs: 5_000,
      pollIntervalMs: 50,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } },
    })
    expect(await get(client, String(result?.['taskId']))).toMatchObject({ resultType: 'complete' })
  })

  it('leaves the calls of other clients and other tools as they are', async () => {
    const { client } = await open()
    expect((await call(client, 'quick', {}, {})).result).toMatchObject({ resultType: 'complete' })
    expect((await call(client, 'plain', { task: { ttl: 5 } })).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'done' }],
    })
  })

  it.each(['must', 'accept'])('refuses %s to clients that do not declare it', async (name) => {
    const { client } = await open()
    expect((await call(client, name, {}, { elicitation: {} })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    })
  })

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('refuses %s to them too', async (method) => {
    const { client } = await open()
    const params = { taskId: 'x', inputResponses: {} }
    expect((await send(client, method, params, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    })
    expect((await send(client, method, params)).error).toMatchObject({
      code: -32602,
      message: 'There is no task "x" (any more)',
    })
    expect((await send(client, method, {})).error).toMatchObject({ code: -32602 })
  })

  it.each(['tasks/result', 'tasks/list'])('does not know %s', async (method) => {
    const { client } = await open()
    expect((await send(client, method, { taskId: 'x' })).error).toMatchObject({ code: -32601 })
  })

  it.each([
    ['quick', { status: 'completed', result: { content: [{ text: 'done' }] } }],
    ['fail', { status: 'completed', result: { isError: true, content: [{ text: 'it broke' }] } }],
    [
      'refuse',
      {
        status: 'failed',
        statusMessage: 'not today',
        error: { code: -31_000, message: 'not today', data: { day: 'Sunday' } },
      },
    ],
    ['mute', { status: 'completed', result: { isError: true } }],
  ])('shows how %s ended', async (name, shown) => {
    const { client } = await open()
    const task = await reaches(client, await begin(client, name), shown.status)
    expect(task).toMatchObject(shown)
    expect('result' in task).toBe(shown.status === 'completed')
    expect(JSON.stringify(task)).not.toContain('related-task')
  })

  it('has no progress and no logs, but a message', async () => {
    const { client, gate } = await open()
    const _meta = envelope(DECLARED, { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' })
    const taskId = idOf(await client.request('tools/call', { name: 'wait', _meta }))
    expect(await get(client, taskId)).toMatchObject({ status: 'working', statusMessage: 'waiting' })
    gate.resolve()
    await reaches(client, taskId, 'completed')
    expect(client.notifications('notifications/progress')).toEqual([])
    expect(client.notifications('notifications/message')).toEqual([])
  })

  it('shows questions until they are answered, each under a key of its own', async () => {
    const { client } = await open()
    const taskId = await begin(client, 'ask')
    const asking = await reaches(client, taskId, 'input_required')
    expect(Object.keys(asking['inputRequests'] as object)).toEqual(['from', 'to'])
    expect(asking).toMatchObject({
      inputRequests: { from: { method: 'elicitation/create', params: { message: 'From?' } } },
    })
    const update = (inputResponses: JsonObject) => send(client, 'tasks/update', { taskId, inputResponses })
    const ack = { resultType: 'complete' }
    const { result } = await update({ to: accept('Rome'), from: accept(7), other: { any: 1 } })
    expect(result).toMatchObject(ack)
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType'])
    expect(Object.keys((await get(client, taskId))['inputRequests'] as object)).toEqual(['from'])
    await update({ from: accept('Oslo'), to: accept('ignored') })
    await client.seen(({ params }) => {
      const asked = isJsonObject(params) ? params['inputRequests'] : undefined
      return isJsonObject(asked) && isDeepStrictEqual(Object.keys(asked), ['from (2)'])
    })
    await update({ 'from (2)': accept('Bonn') })
    expect(await reaches(client, taskId, 'completed')).toMatchObject({
      result: { content: [{ text: 'Bonn to Rome' }] },
    })
    expect((await update({ from: accept('late') })).result).toMatchObject(ack)
    expect(await send(client, 'tasks/update', { taskId })).toMatchObject({ error: { code: -32602 } })
  })

  it('asks only for what the call declared', async () => {
    const { client } = await open()
    const reply = await call(client, 'ask', {}, { extensions: { [ID]: {} } })
    expect(await reaches(client, idOf(reply), 'failed')).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    })
  })

  it('cancels with an empty answer, as often as one likes', async () => {
    const { client, began } = await open()
    const taskId = await begin(client, 'wait')
    const signal = await began
    for (let count = 0; count < 2; count += 1) {
      const { result } = await send(client, 'tasks/cancel', { taskId })
      expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType'])
    }
    expect(signal.aborted).toBe(true)
    expect(await get(client, taskId)).toMatchObject({ status: 'cancelled' })
  })

  it('outlives the cancellation of the call that began it', async () => {
    const { client, gate } = await open()
    const taskId = idOf(
      await client.request('tools/call', { name: 'wait', _meta: envelope(DECLARED) }, 'the-call'),
    )
    await client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'the-call' },
    })
    gate.resolve()
    expect(await reaches(client, taskId, 'completed')).toMatchObject({
      result: { structuredContent: { waited: true } },
    })
  })

  it('asks in rounds what a call needs before it is accepted, then answers with the task', async () => {
    const { client } = await open()
    const first = await call(client, 'accept')
    expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { where: {} } })
    expect(first.result).not.toHaveProperty('taskId')
    const second = await call(client, 'accept', {
      requestState: first.result?.['requestState'],
      inputResponses: { where: accept('Oslo') },
    })
    const taskId = idOf(second)
    expect(second.result).toMatchObject({ statusMessage: 'on the way' })
    expect(second.result).not.toHaveProperty('requestState')
    const asking = await reaches(client, taskId, 'input_required')
    expect(Object.keys(asking['inputRequests'] as object)).toEqual(['street'])
    await send(client, 'tasks/update', { taskId, inputResponses: { street: accept('Main St') } })
    expect(await reaches(client, taskId, 'completed')).toMatchObject({
      result: { content: [{ text: 'Oslo, Main St' }] },
    })
  })

  it('answers without a task when the handler starts none', async () => {
    const { client } = await open()
    const { result } = await call(client, 'accept', { inputResponses: { where: accept('nowhere') } })
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'no need' }] })
  })

  it('takes a call over in the next round if its handler says so between two', async () => {
    const { client } = await open()
    const first = await call(client, 'late')
    expect(first.result).toMatchObject({ resultType: 'input_required' })
    // The handler is past its word once the loop has turned as often as it did.
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const second = await call(client, 'late', {
      requestState: first.result?.['requestState'],
      inputResponses: { where: accept('Bonn') },
    })
    expect(await reaches(client, idOf(second), 'completed')).toMatchObject({
      result: { content: [{ text: 'Bonn' }] },
    })
  })

  it('tells subscribers every state in full, where it stands first, tagged with their subscription', async () => {
    const { client, gate, began } = await open()
    const taskId = await begin(client, 'wait')
    await began
    const listening = client.request(
      'subscriptions/listen',
      { notifications: { taskIds: [taskId, 'unknown'] }, _meta: envelope(DECLARED) },
      'my-listen',
    )
    const acknowledged = await client.seen(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    )
    expect(acknowledged['params']).toMatchObject({ notifications: { taskIds: [taskId] } })
    gate.resolve()
    await client.seen(({ params }) => isJsonObject(params) && params['status'] === 'completed')
    const told = client.notifications('notifications/tasks').map(({ params }) => params as JsonObject)
    expect(told.map(({ status }) => status)).toEqual(['working', 'completed'])
    for (const { _meta } of told) {
      expect(_meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 'my-listen' })
    }
    const { resultType: _type, _meta: _info, ...looked } = await get(client, taskId)
    const { _meta: _tag, ...last } = told.at(-1) ?? {}
    expect(last).toEqual(looked)
    await client.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'my-listen' },
    })
    await expect(Promise.race([listening, Promise.resolve('silent')])).resolves.toBe('silent')
  })

  it('takes subscriptions of clients that declare it, to tasks that there are', async () => {
    const { client } = await open()
    const listen = (taskIds: unknown, capabilities: JsonObject = DECLARED) =>
      send(client, 'subscriptions/listen', { notifications: { taskIds } }, capabilities)
    expect(await listen(['x'], {})).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [ID]: {} } } } },
    })
    expect(await listen('x')).toMatchObject({ error: { code: -32602 } })
    expect(await listen(Array.from({ length: 1_001 }, String))).toMatchObject({
      error: { code: -32602, message: 'notifications.taskIds names 1001 tasks; expected at most 1000' },
    })
    expect((await listen(['x'])).result).toMatchObject({ resultType: 'complete' })
  })

  it('shows nothing to other callers', async () => {
    const { client, server } = await open()
    const taskId = await begin(client, 'wait')
    const sent: string[] = []
    const origin = { caller: 'somebody else', headers: {}, checksHeaders: false }
    const sink = {
      emit: () => undefined,
      abandon: () => undefined,
      answer: (bytes: Uint8Array) => sent.push(Buffer.from(bytes).toString()),
    }
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const params = { taskId, inputResponses: {}, _meta: envelope(DECLARED) }
      server.modernRequest({ jsonrpc: '2.0', id: 1, method, params }, origin, sink)
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toHaveLength(3)
    for (const answer of sent) expect(answer).toContain('-32602')
    expect(await get(client, taskId)).toMatchObject({ status: 'working' })
    const { client: again } = await connectTo(server)
    expect(await get(again, taskId)).toMatchObject({ taskId })
  })

  it('runs optional calls plainly when there is no room, and refuses required ones', async () => {
    const { client } = await open({ limits: { ...DEFAULT_LIMITS, tasks: 1 } })
    await begin(client, 'wait')
    expect((await call(client, 'quick')).result).toMatchObject({ resultType: 'complete' })
    expect((await call(client, 'must')).error).toMatchObject({
      code: -32603,
      message: '1 tasks are kept already (limit tasks); try again when some are over',
    })
    const first = await call(client, 'accept', { inputResponses: { where: accept('Oslo') } })
    expect(first.error).toMatchObject({ code: -32603 })
  })

  it('ends with the server, and takes its handlers along', async () => {
    const { client, server, began } = await open()
    await begin(client, 'wait')
    const signal = await began
    await server.close()
    expect(signal.aborted).toBe(true)
  })
})
