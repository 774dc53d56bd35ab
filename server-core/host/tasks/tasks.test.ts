import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener, type HttpListener } from '../../listener/http-listener.ts'
import type { Task } from '../contract/tasks.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

let test: TestHost
let server: ReturnType<typeof createServer>
let listener: HttpListener
/** Ends the work of the tool `build`. */
let finish: (word: string) => void = () => undefined

beforeAll(async () => {
  const registry = new Registry()
  registry.addTool({
    name: 'build',
    taskSupport: 'optional',
    run: (_, ctx) =>
      new Promise<string>((resolve, reject) => {
        finish = resolve
        ctx.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
      }),
  })
  server = createServer({ registry, info: { name: 'tasks', version: '1' } })
  listener = await startHttpListener({ server, port: 0 })
  test = await startTestHost()
})
afterAll(async () => {
  await test.close()
  await listener.close()
  await server.close()
})

let streams = 0

/** Waits until a task of a server is like this. */
async function until(serverId: string, fits: (task: Task) => boolean): Promise<Task> {
  let found: Task | undefined
  await watchUntil(
    test.client,
    ({ tasks = [] }) => {
      found = tasks.find((each) => each.serverId === serverId)?.tasks.find(fits)
      return found !== undefined
    },
    `until-${(streams += 1)}`,
  )
  if (found === undefined) throw new Error('the watch ended')
  return found
}

async function connected(name: string, protocol: '2025-11-25' | '2026-07-28'): Promise<string> {
  const { id } = await test.addApproved({
    name,
    target: { transport: 'http', url: listener.url, headers: [], protocol },
  })
  const state = await test.client.servers.connect({ id })
  expect(state).toMatchObject({ status: 'connected', revision: protocol })
  return id
}

let calls = 0
function call(serverId: string, params: object) {
  calls += 1
  const paramsText = JSON.stringify({ name: 'build', arguments: {}, ...params })
  return test.client.inspect.request({ serverId, callId: `t${calls}`, method: 'tools/call', paramsText })
}

describe.each([
  { protocol: '2025-11-25', kind: 'core', params: { task: { ttl: 60_000 } } },
  { protocol: '2026-07-28', kind: 'extension', params: {} },
] as const)('tasks of $protocol', ({ protocol, kind, params }) => {
  it('are followed until they are over, over a new connection too, and keep the result', async () => {
    const { client } = test
    const serverId = await connected(`tasks ${kind}`, protocol)
    const outcome = await call(serverId, params)
    expect(outcome.type).toBe('task')
    const taskId = outcome.type === 'task' ? outcome.taskId : ''
    expect(await until(serverId, ({ polls }) => polls > 0)).toMatchObject({
      taskId,
      kind,
      tool: 'build',
      status: 'working',
      isFollowed: true,
    })
    if (kind === 'extension') await client.servers.restart({ id: serverId })
    finish('built')
    await until(serverId, ({ hasOutcome }) => hasOutcome)
    const over = await client.tasks.outcome({ serverId, taskId })
    expect(over).toMatchObject({ type: 'result', messageText: expect.stringContaining('built') as string })
    if (kind === 'core') expect((await client.tasks.list({ serverId })).found).toBeGreaterThan(0)
    expect(await client.tasks.forget({ serverId, taskId })).toEqual({ forgotten: true })
    await expect(client.tasks.refresh({ serverId, taskId })).rejects.toThrow('no such task')
  })

  it('are cancelled', async () => {
    const { client } = test
    const serverId = await connected(`cancelled ${kind}`, protocol)
    const outcome = await call(serverId, params)
    const taskId = outcome.type === 'task' ? outcome.taskId : ''
    await client.tasks.cancel({ serverId, taskId })
    expect(await until(serverId, ({ hasOutcome }) => hasOutcome)).toMatchObject({ status: 'cancelled' })
    expect(await client.tasks.outcome({ serverId, taskId })).toMatchObject({
      type: 'failure',
      code: 'cancelled',
    })
    await expect(client.tasks.cancel({ serverId, taskId: 'none' })).rejects.toThrow('no such task')
  })
})
