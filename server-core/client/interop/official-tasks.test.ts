import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import { stdioTransport } from '../../transports/stdio/stdio-client.ts'
import { connect, type Connection } from '../connect.ts'
import { callTool } from '../requests/call-tool.ts'

const BIN = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

const open: Connection[] = []
afterAll(() => Promise.all(open.map((connection) => connection.close())))

const identity = { name: 'patchbay', version: '0' }
const capabilities = {
  elicitation: { form: {} },
  sampling: {},
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
}

type Field = { readonly type?: string; readonly enum?: string[]; readonly oneOf?: { const: string }[] }
type Form = { readonly properties?: Readonly<Record<string, Field>>; readonly required?: string[] }

/** Any value that a field takes. */
const valueOf = ({ type, enum: choices, oneOf }: Field = {}): string | boolean =>
  type === 'boolean' ? true : (choices?.[0] ?? oneOf?.[0]?.const ?? 'some text')

const connected = async (): Promise<Connection> => {
  const connection = await connect({
    open: () => stdioTransport({ command: process.execPath, args: [BIN, 'stdio'], env: COMPILED }),
    identity,
    declaration: { identity, capabilities },
    responders: {
      elicitation: {
        form: ({ requestedSchema }) => {
          const { properties = {}, required = [] } = requestedSchema as Form
          const content = required.map((name) => [name, valueOf(properties[name])] as const)
          return Promise.resolve({ action: 'accept', content: Object.fromEntries(content) })
        },
      },
      sampling: {
        answer: () =>
          Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled here' } }),
      },
    },
  })
  open.push(connection)
  await connection.listTools()
  return connection
}

// The server takes a second for each of its steps, so its tasks run side by side.
describe.concurrent('tasks with server-everything', () => {
  it('a tool that must be a task is one, asks, and gives its report', async () => {
    const own = await connected()
    const outcome = await callTool(own, {
      name: 'simulate-research-query',
      arguments: { topic: 'tides', ambiguous: true },
    })
    if (outcome.type !== 'task') throw new Error('no task')
    const seen = new Set<string>()
    outcome.task.onState(({ status }) => seen.add(status))
    const { result } = await outcome.task.result()
    expect(JSON.stringify(result)).toContain('After receiving clarification')
    expect([...seen]).toEqual(expect.arrayContaining(['working', 'input_required', 'completed']))
    const tasks = []
    for await (const { items } of own.pages('tasks')) tasks.push(...items)
    expect(tasks).toMatchObject([{ taskId: outcome.task.reference.taskId, status: 'completed' }])
  }, 40_000)

  it('answers the questions of its tasks as those of our own', async () => {
    const own = await connected()
    const args = { prompt: 'Hi', maxTokens: 5 }
    const sampled = await callTool(own, { name: 'trigger-sampling-request-async', arguments: args })
    expect(JSON.stringify(sampled)).toContain('sampled here')
    const asked = await callTool(own, { name: 'trigger-elicitation-request-async' })
    expect(JSON.stringify(asked)).toContain('[COMPLETED]')
  }, 40_000)
})
