import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import {
  beginTask,
  callAsTask,
  endOf,
  isInvalidParams,
  LONG_TTL_MS,
  pollTask,
  isTerminal,
  taskFixture,
  taskIn,
} from './task-calls.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const CREATIONS = 12
const FLOOD = 5_000
const ENDLESS_TTL_MS = 1e12

export const capability = serverCheck(
  'tasks.server.capability',
  async (probe) => {
    const connection = await probe.connect()
    const declared = connection.initialized?.['capabilities']
    if (isJsonObject(declared) && declared['tasks'] !== undefined)
      return probe.notApplicable('the server declares tasks')
    const tool = probe.fixture('echo')
    const plain = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    if (plain.type !== 'result') return probe.inconclusive(`the plain call failed: ${describeOutcome(plain)}`)
    const outcome = await callAsTask(connection, tool)
    probe.expect(outcome.type === 'result' && Array.isArray(outcome.result['content']), {
      expected: 'an ordinary result: the task member is ignored',
      actual: describeOutcome(outcome),
      member: outcome.type === 'result' ? '/result/task' : '/error',
      statement: 'tasks.undeclared-ignored',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A server without tasks ignores the task member of a call' },
)

export const toolModes = serverCheck(
  'tasks.server.tool-modes',
  async (probe) => {
    probe.requireCapability('tasks.requests.tools.call')
    const connection = await probe.connect()
    const required = probe.findFixture('required-task')
    if (required !== undefined) {
      const plain = await connection.call('tools/call', {
        name: required.name,
        arguments: required.arguments,
      })
      probe.expect(plain.type === 'error' && plain.code === -32601, {
        expected: 'error -32601: the tool must be called as a task',
        actual: describeOutcome(plain),
        member: '/error/code',
        statement: 'tasks.tool-required-32601',
        frame: plain.frame ?? plain.sent,
      })
    }
    const forbidden = probe.findFixture('echo')
    const mayBeTask = isJsonObject(forbidden?.tool['execution'])
      ? forbidden.tool['execution']['taskSupport']
      : undefined
    if (forbidden !== undefined && (mayBeTask === undefined || mayBeTask === 'forbidden')) {
      const outcome = await callAsTask(connection, forbidden)
      if (outcome.type !== 'error' || outcome.code !== -32601)
        probe.warn({
          expected: 'error -32601: the tool may not be called as a task',
          actual: describeOutcome(outcome),
          member: '/error/code',
          statement: 'tasks.tool-forbidden-32601',
          frame: outcome.frame ?? outcome.sent,
        })
    }
    const optional = probe.findFixture('task')
    if (optional === undefined) return
    if (
      isJsonObject(optional.tool['execution']) &&
      optional.tool['execution']['taskSupport'] === 'optional'
    ) {
      const plain = await connection.call(
        'tools/call',
        { name: optional.name, arguments: optional.arguments },
        { timeoutMs: 30_000 },
      )
      const task = await callAsTask(connection, optional)
      probe.expect(plain.type === 'result' && taskIn(plain) === undefined, {
        expected: 'an ordinary result of a plain call',
        actual: describeOutcome(plain),
        statement: 'tasks.tool-optional',
        frame: plain.frame ?? plain.sent,
      })
      probe.expect(taskIn(task) !== undefined, {
        expected: 'a task',
        actual: describeOutcome(task),
        member: '/result/task',
        statement: 'tasks.tool-optional',
        frame: task.frame ?? task.sent,
      })
    }
  },
  { title: 'Tools are called plainly or as tasks as their taskSupport says' },
)

export const create = serverCheck(
  'tasks.server.create',
  async (probe) => {
    const tool = taskFixture(probe, 'slow-task')
    const connection = await probe.connect()
    const ids: string[] = []
    const wishes = [
      { ttl: LONG_TTL_MS },
      { ttl: LONG_TTL_MS, taskId: 'patchbay-chosen' },
      {},
      ...Array.from({ length: CREATIONS - 3 }, () => ({ ttl: LONG_TTL_MS })),
    ]
    for (const wish of wishes) {
      const outcome = await callAsTask(connection, tool, wish)
      const frame = outcome.frame ?? outcome.sent
      const task = taskIn(outcome)
      if (task === undefined) {
        if (outcome.type === 'error' && ids.length > 0) break
        probe.fail({
          expected: 'a result with a task',
          actual: describeOutcome(outcome),
          member: '/result/task',
          statement: 'tasks.create-result',
          frame,
        })
        return
      }
      const { taskId, status, createdAt, lastUpdatedAt, ttl } = task
      const judge = (holds: boolean, member: string, statement: string, expected: string, actual: unknown) =>
        probe.expect(holds, {
          expected,
          actual: shortJson(actual),
          member: `/result/task/${member}`,
          statement,
          frame,
        })
      judge(typeof taskId === 'string', 'taskId', 'tasks.id-string', 'a task id that is a string', taskId)
      judge(taskId !== 'patchbay-chosen', 'taskId', 'tasks.id-receiver', 'an id of the server', taskId)
      judge(status === 'working', 'status', 'tasks.begin-working', 'the status working', status)
      const isTime = (value: unknown) => typeof value === 'string' && ISO.test(value)
      judge(isTime(createdAt), 'createdAt', 'tasks.created-at', 'a time in ISO 8601', createdAt)
      judge(isTime(lastUpdatedAt), 'lastUpdatedAt', 'tasks.updated-at', 'a time in ISO 8601', lastUpdatedAt)
      judge(ttl === null || typeof ttl === 'number', 'ttl', 'tasks.create-ttl', 'a number or null', ttl)
      if (typeof taskId !== 'string') continue
      judge(!ids.includes(taskId), 'taskId', 'tasks.id-unique', 'a new id', taskId)
      ids.push(taskId)
    }
    probe.expect(!areCounted(ids), {
      expected: 'ids that cannot be guessed',
      actual: `ids that count: ${ids.slice(0, 3).join(', ')}`,
      member: '/result/task/taskId',
      statement: 'tasks.id-entropy',
    })
  },
  { title: 'A task is created at once, working, with an id of the server' },
)

/** Whether each id is the one before and a small number more. */
function areCounted(ids: readonly string[]): boolean {
  const numbers = ids.map((id) => /^(.*?)(\d{1,15})$/.exec(id))
  const [first] = numbers
  if (ids.length < 3 || first === undefined || first === null) return false
  const steps = numbers.map((each, index) => {
    const before = numbers[index - 1]
    if (index === 0) return 1
    return each?.[1] === first[1] && before ? Number(each?.[2]) - Number(before[2]) : NaN
  })
  return steps.every((step) => step > 0 && step <= 16)
}

export const unknownTasks = serverCheck(
  'tasks.server.unknown',
  async (probe) => {
    probe.requireCapability('tasks')
    const connection = await probe.connect()
    const methods = ['tasks/get', 'tasks/result', ...(probe.declares('tasks.cancel') ? ['tasks/cancel'] : [])]
    for (const method of methods) {
      for (const taskId of ['none', '', 3]) {
        const outcome = await connection.call(method, { taskId })
        probe.expect(isInvalidParams(outcome), {
          expected: `error -32602 of ${method} with the id ${shortJson(taskId)}`,
          actual: describeOutcome(outcome),
          member: '/error/code',
          frame: outcome.frame ?? outcome.sent,
        })
      }
    }
  },
  { title: 'Unknown tasks are refused with -32602' },
)

export const listTasks = serverCheck(
  'tasks.server.list',
  async (probe) => {
    probe.requireCapability('tasks.list')
    const tool = taskFixture(probe, 'task')
    const connection = await probe.connect()
    const created = new Set<string>()
    for (let count = 0; count < 60; count += 1) {
      const task = taskIn(await callAsTask(connection, tool, { ttl: 600_000 }))
      if (typeof task?.['taskId'] !== 'string') break
      created.add(task['taskId'])
    }
    if (created.size === 0) return probe.inconclusive('no task could be created')
    const listed: string[] = []
    const cursors = new Set<unknown>()
    for (let cursor: unknown; ;) {
      const outcome = await connection.call('tasks/list', typeof cursor === 'string' ? { cursor } : {})
      const tasks = outcome.type === 'result' ? outcome.result['tasks'] : undefined
      if (outcome.type !== 'result' || !Array.isArray(tasks)) {
        probe.fail({
          expected: 'a page of tasks',
          actual: describeOutcome(outcome),
          member: '/result/tasks',
          statement: 'tasks.list-pagination',
          frame: outcome.frame ?? outcome.sent,
        })
        return
      }
      for (const task of tasks as unknown[]) if (isJsonObject(task)) listed.push(String(task['taskId']))
      cursor = outcome.result['nextCursor']
      if (cursor === undefined) break
      if (cursors.has(cursor)) {
        probe.fail({
          expected: 'a list that ends',
          actual: `the cursor ${shortJson(cursor)} came twice`,
          member: '/result/nextCursor',
          statement: 'tasks.list-pagination',
          frame: outcome.frame,
        })
        break
      }
      cursors.add(cursor)
    }
    const missing = [...created].filter((id) => !listed.includes(id))
    probe.expect(missing.length === 0, {
      expected: `all ${created.size} tasks`,
      actual: `${missing.length} are missing`,
      member: '/result/tasks',
      statement: 'tasks.list-complete',
    })
    const twice = [...created].filter((id) => listed.filter((each) => each === id).length > 1)
    probe.expect(twice.length === 0, {
      expected: 'each task once',
      actual: `${twice.length} are listed twice`,
      member: '/result/tasks',
      statement: 'tasks.list-complete',
    })
    const bad = await connection.call('tasks/list', { cursor: 'patchbay-none' })
    probe.expect(isInvalidParams(bad), {
      expected: 'error -32602 of an unknown cursor',
      actual: describeOutcome(bad),
      member: '/error/code',
      statement: 'tasks.bad-cursor-32602',
      frame: bad.frame ?? bad.sent,
    })
  },
  { title: 'Tasks are listed once each, over all pages' },
)

export const failedTask = serverCheck(
  'tasks.server.failed',
  async (probe) => {
    const tool = taskFixture(probe, 'failing-task')
    const connection = await probe.connect()
    const { taskId } = await beginTask(probe, connection, tool)
    const states = await pollTask(connection, taskId, isTerminal)
    const last = states.at(-1)
    if (last?.type !== 'result') return probe.inconclusive('the state of the task was not answered')
    probe.expect(last.result['status'] === 'failed', {
      expected: 'the status failed',
      actual: shortJson(last.result['status']),
      member: '/result/status',
      statement: 'tasks.failed-status',
      frame: last.frame,
    })
    if (typeof last.result['statusMessage'] !== 'string')
      probe.warn({
        expected: 'a statusMessage that says why',
        actual: shortJson(last.result['statusMessage']),
        member: '/result/statusMessage',
        statement: 'tasks.failed-message',
        frame: last.frame,
      })
    const outcome = await connection.call('tasks/result', { taskId })
    const isFailure =
      outcome.type === 'error' || (outcome.type === 'result' && outcome.result['isError'] === true)
    probe.expect(isFailure, {
      expected: 'the error, or a result with isError',
      actual: describeOutcome(outcome),
      member: '/result/isError',
      statement: 'tasks.failed-status',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A tool that fails makes a failed task' },
)

export const limits = serverCheck(
  'tasks.server.limits',
  async (probe) => {
    const tool = taskFixture(probe, 'task')
    if (probe.support.mayFlood !== true) return probe.notApplicable('floods of messages were not permitted')
    const connection = await probe.connect()
    let accepted = 0
    let isCapped = false
    while (accepted < FLOOD) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => callAsTask(connection, tool, { ttl: ENDLESS_TTL_MS })),
      )
      const tasks = outcomes.map(taskIn)
      isCapped ||= tasks.some((task) => task !== undefined && task['ttl'] !== ENDLESS_TTL_MS)
      accepted += tasks.filter((task) => task !== undefined).length
      if (isCapped || tasks.includes(undefined)) break
    }
    if (accepted >= FLOOD && !isCapped)
      probe.warn({
        expected: 'a limit of tasks, or of their ttl',
        actual: `${accepted} tasks accepted with a ttl of ${ENDLESS_TTL_MS} ms`,
        member: '/result/task/ttl',
        statement: 'tasks.resource-limits',
      })
    const barrier = await connection.tryBarrier()
    if (barrier.type !== 'result')
      probe.warn({
        expected: 'the server goes on',
        actual: describeOutcome(barrier),
        statement: 'tasks.rate-limit',
        frame: barrier.sent,
      })
  },
  { title: 'The number of tasks, or their ttl, is limited' },
)

export const isolation = serverCheck(
  'tasks.server.isolation',
  async (probe) => {
    const tool = taskFixture(probe, 'task')
    const { secondToken } = probe.support
    if (secondToken === undefined) {
      const connection = await probe.connect()
      if (probe.target.headers === undefined && (await sharesTasks(probe, connection, tool)))
        probe.warn({
          expected: 'no list of tasks where callers cannot be told apart',
          actual: 'tasks of another session are listed',
          statement: 'tasks.no-list-unidentified',
        })
      if (probe.target.headers === undefined) return
      return probe.notApplicable('there is no second principal')
    }
    const first = await probe.connect()
    const second = await probe.connect({ headers: { authorization: `Bearer ${secondToken}` } })
    const { taskId } = await beginTask(probe, first, tool)
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result']) {
      const outcome = await second.call(method, { taskId })
      probe.expect(outcome.type === 'error' || outcome.type === 'http', {
        expected: `${method} of another principal refused with -32602`,
        actual: describeOutcome(outcome),
        member: '/result',
        statement: 'tasks.context-bound',
        frame: outcome.frame ?? outcome.sent,
      })
    }
    const list = await second.call('tasks/list', {})
    probe.expect(!JSON.stringify(list.type === 'result' ? list.result : {}).includes(taskId), {
      expected: 'a list without the task of another principal',
      actual: `the task ${taskId}`,
      member: '/result/tasks',
      statement: 'tasks.context-bound',
      frame: list.frame ?? list.sent,
    })
    await endOf(probe, first, taskId)
  },
  { title: 'Tasks belong to the principal that created them' },
)

/** Whether a second connection without identity sees the tasks of the first in its list. */
async function sharesTasks(
  probe: Parameters<typeof beginTask>[0],
  first: Parameters<typeof beginTask>[1],
  tool: Parameters<typeof beginTask>[2],
): Promise<boolean> {
  if (!probe.declares('tasks.list')) return false
  const { taskId } = await beginTask(probe, first, tool)
  const second = await probe.connect()
  const list = await second.call('tasks/list', {})
  return list.type === 'result' && JSON.stringify(list.result).includes(taskId)
}
