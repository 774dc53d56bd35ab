import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { serve } from '../../server/interop/listening.test-support.ts'
import { createServer } from '../../server/server.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { memoryPair } from '../../transports/memory/memory-link.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { connect } from '../connect.ts'
import { callTool } from '../requests/call-tool.ts'
import { closeAll, connectedTo, type Heard, type Side } from '../scripted-server.test-support.ts'
import { TaskHandle } from './task-handle.ts'
import type { TaskState } from './task-state.ts'

afterEach(closeAll)

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

function registry(): Registry {
  const made = new Registry()
  const task = { pollIntervalMs: 10 }
  made.addTool({
    name: 'greet',
    taskSupport: 'required',
    task,
    run: async (_args, ctx) => {
      const { name } = await ctx.elicit('Your name?', NAME)
      const { other } = await ctx.elicit('And theirs?', {
        type: 'object',
        properties: { other: { type: 'string', default: 'Bob' } },
        required: ['other'],
      })
      return `Hello ${String(name)} and ${String(other)}`
    },
  })
  made.addTool({ name: 'fail', taskSupport: 'optional', task, run: () => Promise.reject(new Error('broke')) })
  made.addTool({
    name: 'forever',
    taskSupport: 'optional',
    task,
    run: (_args, ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  return made
}

const identity = { name: 'own', version: '1' }
const capabilities = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
}

const overHttp = async (revision: Revision): Promise<ClientTransport> =>
  httpTransport({ url: (await serve(registry(), { revisions: [revision] })).url })

const inMemory = (revision: Revision): Promise<ClientTransport> => {
  const server = createServer({ registry: registry(), info: identity, revisions: [revision] })
  onTestFinished(() => server.close())
  const pair = memoryPair()
  server.attach(pair.server)
  return Promise.resolve(pair.client)
}

async function open(way: (revision: Revision) => Promise<ClientTransport>, revision: Revision) {
  const transport = await way(revision)
  const connection = await connect({
    open: () => transport,
    identity,
    declaration: { identity, capabilities },
    responders: {
      elicitation: {
        form: ({ message }) =>
          Promise.resolve({ action: 'accept', content: message === 'Your name?' ? { name: 'Ada' } : {} }),
      },
    },
  })
  onTestFinished(() => connection.close())
  await connection.listTools()
  return connection
}

const started = async (connection: Awaited<ReturnType<typeof open>>, name: string): Promise<TaskHandle> => {
  const outcome = await callTool(connection, { name }, { task: { ttlMs: 60_000 } })
  if (outcome.type !== 'task') throw new Error(`${name} is not a task`)
  return outcome.task
}

describe.each([
  ['2025-11-25', 'in memory', inMemory],
  ['2025-11-25', 'over HTTP', overHttp],
  ['2026-07-28', 'in memory', inMemory],
  ['2026-07-28', 'over HTTP', overHttp],
] as const)('a task of %s %s', (revision, _way, way) => {
  it('asks, is answered, and gives the result of its call', async () => {
    const connection = await open(way, revision)
    const task = await started(connection, 'greet')
    const seen: TaskState['status'][] = []
    task.onState(({ status }) => seen.push(status))
    const { result } = await task.result()
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada and Bob' }] })
    expect(task.state).toMatchObject({ status: 'completed' })
    expect(seen).toContain('completed')
    // From its reference alone, as if in another process.
    const again = new TaskHandle(
      connection,
      JSON.parse(JSON.stringify(task.reference)) as typeof task.reference,
    )
    expect((await again.result()).result).toMatchObject({ content: [{ text: 'Hello Ada and Bob' }] })
  })

  it('fails as its call would have', async () => {
    const connection = await open(way, revision)
    const task = await started(connection, 'fail')
    expect((await task.result()).result).toMatchObject({ isError: true, content: [{ text: 'broke' }] })
    expect(task.state?.status).toBe(revision === '2025-11-25' ? 'failed' : 'completed')
  })

  it('is cancelled, which whoever waits for it learns of', async () => {
    const connection = await open(way, revision)
    const task = await started(connection, 'forever')
    const waiting = expect(task.result()).rejects.toMatchObject({ code: 'cancelled' })
    expect(await task.refresh()).toMatchObject({
      status: 'working',
      ttlMs: revision === '2025-11-25' ? 60_000 : expect.any(Number),
      pollIntervalMs: 10,
    })
    expect(await task.cancel()).toMatchObject({ status: 'cancelled' })
    await waiting
    const unknown = new TaskHandle(connection, { kind: task.reference.kind, taskId: 'another' })
    await expect(unknown.refresh()).rejects.toMatchObject({ code: -32602 })
  })

  it('goes on when waiting for it is given up', async () => {
    const connection = await open(way, revision)
    const task = await started(connection, 'forever')
    const patience = new AbortController()
    const waiting = task.result({ signal: patience.signal })
    patience.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    await expect(task.result({ maximumMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
    expect(await task.refresh()).toMatchObject({ status: 'working' })
  })
})

it('tasks of 2025-11-25 are listed', async () => {
  const connection = await open(inMemory, '2025-11-25')
  const task = await started(connection, 'forever')
  const pages = []
  for await (const page of connection.pages('tasks')) pages.push(...page.items)
  expect(pages).toMatchObject([{ taskId: task.reference.taskId, status: 'working' }])
})

it('a task of the extension tells its status to a listen', async () => {
  const connection = await open(overHttp, '2026-07-28')
  const task = await started(connection, 'forever')
  const told: string[] = []
  const cancelled = Promise.withResolvers<void>()
  connection.on('taskStatus', ({ taskId, task: { status } }) => {
    told.push(`${taskId} ${String(status)}`)
    if (status === 'cancelled') cancelled.resolve()
  })
  const { taskId } = task.reference
  const listening = await connection.listen({ taskIds: [taskId] })
  expect(listening.accepted).toEqual({ taskIds: [taskId] })
  await task.cancel()
  await cancelled.promise
  expect(told.at(-1)).toBe(`${taskId} cancelled`)
  listening.close()
})

it('a task of the extension that takes long is listened to, and its end is heard before the next look', async () => {
  const task = { taskId: 't', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 30_000 }
  const meta = (heard: Heard) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': heard.id } })
  let looks = 0
  const { connection, heard } = await connectedTo(
    'modern',
    (each: Heard, side: Side) => {
      const done = { status: 'completed', result: { content: [] } }
      if (each.method === 'tasks/get') {
        looks += 1
        side.result(each, {
          resultType: 'complete',
          ...task,
          ...(looks === 1 ? { status: 'working' } : done),
        })
      } else if (each.method === 'subscriptions/listen') {
        const notice = (method: string, params: JsonObject) =>
          side.send({ jsonrpc: '2.0', method, params: { ...params, ...meta(each) } })
        notice('notifications/subscriptions/acknowledged', { notifications: { taskIds: ['t'] } })
        notice('notifications/tasks', { ...task, ...done })
      }
    },
    { declaration: { identity, capabilities } },
  )
  const handle = new TaskHandle(connection, { kind: 'extension', taskId: 't' })
  expect((await handle.result()).result).toEqual({ content: [] })
  expect(heard().map(({ method }) => method)).toEqual([
    'tasks/get',
    'subscriptions/listen',
    'tasks/get',
    'notifications/cancelled',
  ])
  expect(heard()[1]?.params['notifications']).toEqual({ taskIds: ['t'] })
})

it('questions of a task can be left to people, and are asked once each', async () => {
  const updates: JsonObject[] = []
  const { connection } = await connectedTo(
    'modern',
    (heard: Heard, side: Side) => {
      const facts = { taskId: 't', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 1 }
      const asking = { inputRequests: { who: { method: 'roots/list' } } }
      if (heard.method === 'tools/call')
        side.result(heard, { resultType: 'task', ...facts, status: 'working' })
      else if (heard.method === 'tasks/update') {
        updates.push(heard.params)
        side.result(heard, { resultType: 'complete' })
      } else if (updates.length === 0)
        side.result(heard, { resultType: 'complete', ...facts, status: 'input_required', ...asking })
      else if (heard.id === 9)
        side.result(heard, { ...facts, status: 'failed', error: { code: -7, message: 'no roots' } })
      // It still shows a question that was answered.
      else side.result(heard, { ...facts, status: 'input_required', ...asking })
    },
    { declaration: { identity, capabilities } },
  )
  const outcome = await callTool(connection, { name: 'x' })
  if (outcome.type !== 'task') throw new Error('no task')
  const { task } = outcome
  const asked = Promise.withResolvers<void>()
  task.onState(({ status }) => {
    if (status === 'input_required') asked.resolve()
  })
  const waiting = task.result({ questions: 'manual' })
  await asked.promise
  expect(task.questions).toEqual([['who', { method: 'roots/list', params: {} }]])
  await task.answer({ who: { roots: [] } })
  expect(task.questions).toEqual([])
  await expect(waiting).rejects.toMatchObject({ code: -7, message: 'no roots' })
  expect(updates).toMatchObject([{ taskId: 't', inputResponses: { who: { roots: [] } } }])
})

it('a task is not a result where the extension was not declared', async () => {
  const { connection } = await connectedTo('modern', (heard, side) =>
    side.result(heard, { resultType: 'task', taskId: 't', status: 'working' }),
  )
  await expect(callTool(connection, { name: 'x' })).rejects.toMatchObject({ code: 'invalid-answer' })
})

it('questions of a server are answered as tasks where that is declared', async () => {
  const answers = new Map<unknown, JsonObject>()
  const notices: JsonObject[] = []
  const arrived = new Map<unknown, () => void>()
  let side: Side | undefined
  const decide = Promise.withResolvers<JsonObject>()
  const { connection } = await connectedTo(
    'legacy',
    (heard, own) => {
      side = own
      if (heard.method === 'ping') own.result(heard, {})
      else if (heard.method === 'notifications/tasks/status') notices.push(heard.params)
      else {
        answers.set(heard.id, heard.message)
        arrived.get(heard.id)?.()
      }
    },
    {
      declaration: {
        identity,
        capabilities: {
          elicitation: {},
          sampling: {},
          tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
        },
      },
      responders: {
        elicitation: { form: () => decide.promise },
        sampling: {
          answer: () =>
            Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }),
        },
      },
    },
  )
  await connection.request('ping')
  const ask = async (id: string, method: string, params: JsonObject): Promise<JsonObject> => {
    const came = new Promise<void>((resolve) => arrived.set(id, resolve))
    side?.send({ jsonrpc: '2.0', id, method, params })
    await came
    return answers.get(id) ?? {}
  }
  const form = { message: 'Who?', requestedSchema: NAME, task: { ttl: 5_000 } }
  const created = await ask('1', 'elicitation/create', form)
  const { task } = created['result'] as { task: { taskId: string } }
  expect(task).toMatchObject({ status: 'working', ttl: 5_000 })
  const { taskId } = task
  expect(await ask('2', 'tasks/get', { taskId })).toMatchObject({ result: { taskId, status: 'working' } })
  const waiting = ask('3', 'tasks/result', { taskId })
  decide.resolve({ action: 'accept', content: { name: 'Ada' } })
  expect(await waiting).toMatchObject({
    result: {
      action: 'accept',
      content: { name: 'Ada' },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    },
  })
  expect(notices).toMatchObject([{ taskId, status: 'completed' }])
  expect(await ask('4', 'tasks/cancel', { taskId })).toMatchObject({ error: { code: -32602 } })
  expect(await ask('5', 'tasks/list', {})).toMatchObject({ result: { tasks: [{ taskId }] } })
  // Sampling is declared, but not as a task: the wish is passed over.
  const sampling = { messages: [], maxTokens: 1, task: {} }
  expect(await ask('6', 'sampling/createMessage', sampling)).toMatchObject({ result: { model: 'm' } })
})
