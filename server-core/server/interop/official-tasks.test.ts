import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { serve } from './listening.test-support.ts'

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

function registry(): Registry {
  const made = new Registry()
  const task = { pollIntervalMs: 10 }
  made.addTool({
    name: 'greet',
    taskSupport: 'required',
    task,
    run: async (_args, ctx) => {
      ctx.progress(1, 2, 'asking')
      const { name } = await ctx.elicit('Your name?', NAME)
      return `Hello ${String(name)}`
    },
  })
  made.addTool({
    name: 'fail',
    taskSupport: 'optional',
    task,
    run: () => Promise.reject(new Error('it broke')),
  })
  made.addTool({
    name: 'forever',
    taskSupport: 'optional',
    task,
    run: (_args, ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => {
          reject(new Error('aborted'))
        })
      }),
  })
  return made
}

/** The official client of 2025-11-25, which calls tools as tasks where they say so. */
async function connect() {
  const { url } = await serve(registry())
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { elicitation: {}, tasks: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))
  // Declared optional properties and exact optional properties are at odds in the official types.
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  await client.listTools()
  return { client, tasks: client.experimental.tasks }
}

async function stream(tasks: Client['experimental']['tasks'], name: string) {
  const seen: string[] = []
  let last: unknown
  for await (const message of tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema, {
    task: { ttl: 60_000 },
  })) {
    seen.push(message.type)
    last = message.type === 'result' ? message.result : message.type === 'error' ? message.error : undefined
  }
  return { seen, last }
}

it('an official client calls a tool as a task, and answers its question', async () => {
  const { tasks } = await connect()
  const { seen, last } = await stream(tasks, 'greet')
  expect(seen[0]).toBe('taskCreated')
  expect(seen.at(-1)).toBe('result')
  expect(last).toMatchObject({ content: [{ type: 'text', text: 'Hello Ada' }] })
})

it('an official client sees a task fail', async () => {
  const { tasks } = await connect()
  const { seen } = await stream(tasks, 'fail')
  expect([seen[0], seen.at(-1)]).toEqual(['taskCreated', expect.stringMatching(/^(result|error)$/)])
  const { tasks: listed } = await tasks.listTasks()
  expect(listed).toMatchObject([{ status: 'failed', ttl: 60_000, pollInterval: 10 }])
})

it('an official client looks at a task and cancels it', async () => {
  const { tasks } = await connect()
  const running = tasks.callToolStream({ name: 'forever', arguments: {} }, CallToolResultSchema, { task: {} })
  const first = await running.next()
  if (first.done === true || first.value.type !== 'taskCreated') throw new Error('no task was created')
  const { taskId } = first.value.task
  expect(await tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working' })
  expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' })
  await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 })
  await expect(tasks.getTask('another')).rejects.toMatchObject({ code: -32602 })
})
