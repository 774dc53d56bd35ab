import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { connectTo, serveRegistry, type RawClient, type Reply } from '../raw-client.test-support.ts'
import type { ServerOptions } from '../server.ts'

const RELATED = 'io.modelcontextprotocol/related-task'
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Jobs of every kind; `gate` lets the waiting one go on. */
function jobs() {
  const registry = new Registry()
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<AbortSignal>()
  const job = (name: string, run: Parameters<Registry['addTool']>[0]['run'], more: object = {}) => {
    registry.addTool({ name, taskSupport: 'optional', ...more, run })
  }
  job('wait', async (_args, ctx) => {
    began.resolve(ctx.signal)
    await gate.promise
    return { waited: true }
  })
  job('fail', () => Promise.reject(new Error('it broke')))
  job('refuse', () => Promise.reject(new ProtocolError(-31_000, 'not today', { day: 'Sunday' })))
  job('ask', async (_args, ctx) => {
    const [from, to] = await Promise.all([
      ctx.elicit('From?', CITY, { key: 'from' }),
      ctx.elicit('To?', CITY, { key: 'to' }),
    ])
    return `${String(from['city'])} to ${String(to['city'])}`
  })
  job('talk', (_args, ctx) => {
    ctx.progress(1, 2, 'halfway')
    ctx.log.warning('careful')
    return 'talked'
  })
  job('must', () => 'done', {
    taskSupport: 'required',
    task: { ttlMs: 5_000, pollIntervalMs: 50, immediateResponse: 'It is under way.' },
  })
  registry.addTool({
    name: 'strict',
    taskSupport: 'optional',
    input: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
    run: () => 'done',
  })
  registry.addTool({ name: 'plain', run: () => 'done' })
  return { registry, gate, began: began.promise }
}

async function open(options: Partial<ServerOptions> = {}) {
  const made = jobs()
  const served = await serveRegistry(made.registry, options)
  const declared = await served.client.initialize({ elicitation: {} })
  return { ...made, ...served, declared }
}

function begin(
  client: RawClient,
  name: string,
  task: JsonObject = {},
  more: JsonObject = {},
): Promise<Reply> {
  return client.request('tools/call', { name, arguments: {}, task, ...more })
}

function idOf(reply: Reply): string {
  const task = reply.result?.['task'] as { taskId?: unknown } | undefined
  if (typeof task?.taskId !== 'string') throw new Error(`no task in ${JSON.stringify(reply)}`)
  return task.taskId
}

describe('tasks of 2025-11-25', () => {
  it('are declared with the tools that may be some, and only then', async () => {
    const { declared, client } = await open()
    expect(declared.result?.['capabilities']).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    })
    const { result } = await client.request('tools/list')
    const tools = result?.['tools'] as JsonObject[]
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution]))
    expect(support).toMatchObject({
      wait: { taskSupport: 'optional' },
      must: { taskSupport: 'required' },
      plain: undefined,
    })
    const registry = new Registry()
    registry.addTool({ name: 'plain', run: () => 'done' })
    const without = await serveRegistry(registry)
    const { result: hello } = await without.client.initialize()
    expect(hello?.['capabilities']).not.toHaveProperty('tasks')
    expect(await without.client.request('tasks/list')).toMatchObject({ error: { code: -32601 } })
  })

  it('are there at once, are looked at, and give exactly the result of the call', async () => {
    const { client, gate, began } = await open()
    const created = await begin(client, 'wait', { ttl: 60_000 })
    expect(created.result).toEqual({
      task: {
        taskId: expect.any(String) as string,
        status: 'working',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        ttl: 60_000,
        pollInterval: 1_000,
      },
    })
    const taskId = idOf(created)
    await began
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({
      taskId,
      status: 'working',
    })
    const blocked = client.request('tasks/result', { taskId })
    gate.resolve()
    expect((await blocked).result).toEqual({
      content: [{ type: 'text', text: '{"waited":true}' }],
      structuredContent: { waited: true },
      _meta: { [RELATED]: { taskId } },
    })
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' })
    const told = await client.seen(({ method }) => method === 'notifications/tasks/status')
    expect(told['params']).toMatchObject({ taskId, status: 'completed', ttl: 60_000 })
  })

  it.each([
    ['fail', 'failed', { result: { isError: true, content: [{ type: 'text', text: 'it broke' }] } }],
    ['refuse', 'failed', { error: { code: -31_000, message: 'not today', data: { day: 'Sunday' } } }],
  ])('that %s are %s and give what the call would have given', async (name, status, answer) => {
    const { client } = await open()
    const taskId = idOf(await begin(client, name))
    expect(await client.request('tasks/result', { taskId })).toMatchObject(answer)
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status })
  })

  it('ask their questions, all of them, while the client waits for the result', async () => {
    const { client } = await open()
    const taskId = idOf(await begin(client, 'ask'))
    await client.seen(({ params }) => (params as JsonObject | undefined)?.['status'] === 'input_required')
    const asked: JsonObject[] = []
    client.answer = (request) => {
      const params = request['params'] as JsonObject
      asked.push(params)
      return {
        result: { action: 'accept', content: { city: params['message'] === 'From?' ? 'Oslo' : 'Rome' } },
      }
    }
    const { result } = await client.request('tasks/result', { taskId })
    expect(result).toMatchObject({ content: [{ text: 'Oslo to Rome' }] })
    expect(asked.map((params) => [params['message'], params['_meta']])).toEqual([
      ['From?', { [RELATED]: { taskId } }],
      ['To?', { [RELATED]: { taskId } }],
    ])
  })

  it('ask again when nobody waits for the answers any more', async () => {
    const { client } = await open()
    const taskId = idOf(await begin(client, 'ask'))
    const isQuestion = (message: JsonObject) => message['method'] === 'elicitation/create'
    void client.request('tasks/result', { taskId }, 77)
    await client.seen(isQuestion)
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } })
    client.answer = () => ({ result: { action: 'accept', content: { city: 'Bonn' } } })
    const { result } = await client.request('tasks/result', { taskId })
    expect(result).toMatchObject({ content: [{ text: 'Bonn to Bonn' }] })
    expect(client.messages.filter(isQuestion)).toHaveLength(4)
  })

  it('that receive a refusal see it as an error', async () => {
    const { client } = await open()
    client.answer = () => ({ error: { code: -1, message: 'the person said no' } })
    const taskId = idOf(await begin(client, 'ask'))
    expect((await client.request('tasks/result', { taskId })).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('the person said no') as string }],
    })
  })

  it('are cancelled once, and their handlers with them', async () => {
    const { client, began } = await open()
    const taskId = idOf(await begin(client, 'wait'))
    const signal = await began
    const blocked = client.request('tasks/result', { taskId })
    expect((await client.request('tasks/cancel', { taskId })).result).toMatchObject({
      taskId,
      status: 'cancelled',
      statusMessage: 'cancelled by the client',
    })
    expect(signal.aborted).toBe(true)
    expect(await blocked).toMatchObject({ error: { code: -32600 } })
    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({
      error: { code: -32602, message: 'The task is over already: it is cancelled' },
    })
  })

  it('are not cancelled by notifications/cancelled for the call that created them', async () => {
    const { client, gate } = await open()
    const taskId = idOf(await client.request('tools/call', { name: 'wait', task: {} }, 50))
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 50 } })
    gate.resolve()
    expect((await client.request('tasks/result', { taskId })).result).toMatchObject({ content: [{}] })
  })

  it('tell progress and logs beside their requests, with the name of the task', async () => {
    const { client } = await open()
    const taskId = idOf(await begin(client, 'talk', {}, { _meta: { progressToken: 'p' } }))
    await client.request('tasks/result', { taskId })
    const _meta = { [RELATED]: { taskId } }
    expect(client.notifications('notifications/progress').map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, total: 2, message: 'halfway', _meta },
    ])
    expect(client.notifications('notifications/message').map(({ params }) => params)).toEqual([
      { level: 'warning', data: 'careful', _meta },
    ])
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ statusMessage: 'halfway' })
  })

  it('follow what the tool says of itself, and what the client asks within the limits', async () => {
    const { client } = await open({ limits: { ...DEFAULT_LIMITS, taskMs: 20_000 } })
    const must = await begin(client, 'must')
    expect(must.result).toMatchObject({
      task: { ttl: 5_000, pollInterval: 50 },
      _meta: { 'io.modelcontextprotocol/model-immediate-response': 'It is under way.' },
    })
    expect((await begin(client, 'talk', { ttl: 90_000 })).result).toMatchObject({ task: { ttl: 20_000 } })
  })

  it('are refused where the tool and the call do not agree on them', async () => {
    const { client } = await open()
    const codeOf = async (name: string, more: JsonObject) =>
      (await client.request('tools/call', { name, arguments: {}, ...more })).error?.code
    expect(await codeOf('plain', { task: {} })).toBe(ErrorCode.methodNotFound)
    expect(await codeOf('must', {})).toBe(ErrorCode.methodNotFound)
    expect(await codeOf('wait', { task: { ttl: -1 } })).toBe(ErrorCode.invalidParams)
    expect(await codeOf('wait', { task: 'yes' })).toBe(ErrorCode.invalidParams)
    expect(await codeOf('talk', {})).toBeUndefined()
  })

  it('fail at once when the arguments do not fit', async () => {
    const { client } = await open()
    const taskId = idOf(await begin(client, 'strict'))
    expect((await client.request('tasks/result', { taskId })).result).toMatchObject({ isError: true })
    expect((await client.request('tasks/get', { taskId })).result).toMatchObject({ status: 'failed' })
  })

  it('are listed page by page, to the session that created them', async () => {
    const { client, server } = await open()
    const ids: string[] = []
    for (let count = 0; count < 120; count += 1) ids.push(idOf(await begin(client, 'talk')))
    const first = await client.request('tasks/list')
    const second = await client.request('tasks/list', { cursor: first.result?.['nextCursor'] })
    const listed = [first, second].flatMap(({ result }) => result?.['tasks'] as JsonObject[])
    expect(listed.map(({ taskId }) => taskId)).toEqual(ids)
    expect(second.result).not.toHaveProperty('nextCursor')
    expect(await client.request('tasks/list', { cursor: 'zzz' })).toMatchObject({ error: { code: -32602 } })
    const { client: other } = await connectTo(server)
    await other.initialize()
    expect((await other.request('tasks/list')).result).toEqual({ tasks: [] })
  })

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    'that %s does not know are -32602',
    async (method) => {
      const { client } = await open()
      expect(await client.request(method, { taskId: 'none' })).toMatchObject({
        error: { code: -32602, message: 'There is no task "none" (any more)' },
      })
      expect(await client.request(method, {})).toMatchObject({ error: { code: -32602 } })
    },
  )

  it('are bounded in number, and refused beyond that', async () => {
    const { client } = await open({ limits: { ...DEFAULT_LIMITS, tasks: 1 } })
    await begin(client, 'talk')
    expect(await begin(client, 'talk')).toMatchObject({
      error: {
        code: -32603,
        message: '1 tasks are kept already (limit tasks); try again when some are over',
      },
    })
    expect((await client.request('tools/call', { name: 'talk' })).result).toMatchObject({ content: [{}] })
  })

  it('are unknown to older revisions, where such tools are plain', async () => {
    const { server } = await open()
    const { client } = await connectTo(server)
    const hello = await client.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    })
    expect(hello.result?.['capabilities']).not.toHaveProperty('tasks')
    expect((await begin(client, 'must')).result).toMatchObject({ content: [{ text: 'done' }] })
    expect(await client.request('tasks/list')).toMatchObject({ error: { code: -32601 } })
  })
})
