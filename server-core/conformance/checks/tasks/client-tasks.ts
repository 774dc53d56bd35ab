import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, type Check } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { ExamConnection } from '../../exam/exam-connection.ts'
import type { Reply } from '../../exam/reply.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'
import { isInvalidParams, isTerminal, plainResult, relatedTask } from './task-calls.ts'

const POLL_MS = 300
const SERVER_TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } } }
const DONE: JsonObject = { content: [{ type: 'text', text: 'done by the task' }] }

/** A tool with that task support; without one if undefined. */
function tool(name: string, taskSupport?: string): JsonObject {
  return {
    name,
    description: 'Returns its text.',
    inputSchema: SCHEMA,
    ...(taskSupport !== undefined && { execution: { taskSupport } }),
  }
}

function taskState(taskId: string, status: string): JsonObject {
  const now = new Date().toISOString()
  return { taskId, status, createdAt: now, lastUpdatedAt: now, ttl: 60_000, pollInterval: POLL_MS }
}

/** Lets the exam server make a task of each call, which goes through these states, one for each look. */
function serveTask(exam: ClientExam, states: readonly string[], result: () => Promise<Reply> | Reply): void {
  exam.content.capabilities = { tools: {}, tasks: SERVER_TASKS }
  exam.content.tools = [tool('work', 'optional')]
  exam.on('tools/call', ({ params, usual }) =>
    params['task'] === undefined ? usual() : { result: { task: taskState('exam-task', 'working') } },
  )
  exam.on('tasks/get', ({ count }) => {
    const status = states[Math.min(count, states.length - 1)] ?? 'completed'
    if (status === 'gone') return { error: { code: -32602, message: 'There is no such task' } }
    return { result: taskState('exam-task', status) }
  })
  exam.on('tasks/result', result)
  exam.on('tasks/cancel', () => ({ result: taskState('exam-task', 'cancelled') }))
}

const finished: () => Reply = () => ({
  result: { ...DONE, _meta: { [MetaKey.relatedTask]: { taskId: 'exam-task' } } },
})

const capability = clientCheck(
  'tasks.client.capability',
  async (exam) => {
    const names = ['plain', 'forbidden', 'required']
    exam.content.tools = [tool('plain'), tool('forbidden', 'forbidden'), tool('required', 'required')]
    const declared = [{ tools: {} }, { tools: {}, tasks: { list: {} } }, { tools: {}, tasks: SERVER_TASKS }]
    let round = 0
    exam.set({ capabilities: ['sampling'] })
    exam.alter('initialize', (result) => ({ ...result, capabilities: declared[round] ?? {} }))
    exam.on('tools/call', async ({ params, usual, ask }) => {
      if (round === 0 && params['name'] === 'plain') {
        const outcome = await ask('sampling/createMessage', {
          messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
          maxTokens: 5,
          task: { ttl: 60_000 },
        })
        exam.expect(outcome.type === 'error' || (outcome.type === 'result' && !('task' in outcome.result)), {
          expected: 'an ordinary answer: the client declares no tasks',
          actual: describeOutcome(outcome),
          member: '/result/task',
          statement: 'tasks.undeclared-ignored',
          frame: outcome.frame ?? outcome.sent,
        })
      }
      if (params['task'] === undefined) return usual()
      return { result: { task: taskState('exam-task', 'completed') } }
    })
    exam.on('tasks/get', () => ({ result: taskState('exam-task', 'completed') }))
    exam.on('tasks/result', finished)
    for (; round < declared.length; round += 1) {
      await exam.step({ type: 'connect' })
      await exam.step({ type: 'list', list: 'tools' })
      for (const name of names) await exam.step({ type: 'call', tool: name, arguments: { text: 'exam' } })
      await exam.step({ type: 'close' })
    }
    for (const [index, connection] of exam.connections.entries()) {
      const mayAugment = isJsonObject(declared[index]?.tasks) && 'requests' in declared[index].tasks
      for (const { message, frame } of connection.inbox.messages) {
        if (message['method'] !== 'tools/call' || !isJsonObject(message['params'])) continue
        const { name, task } = message['params']
        const mustAugment = mayAugment && name === 'required'
        if (mustAugment === (task !== undefined)) continue
        exam.fail({
          expected: mustAugment ? 'a task member: the tool must be a task' : 'no task member',
          actual: shortJson(task),
          member: '/params/task',
          statement: mustAugment
            ? 'tasks.tool-required-client'
            : mayAugment
              ? 'tasks.tool-forbidden-client'
              : 'tasks.requestor-declared-only',
          frame,
        })
      }
    }
  },
  { title: 'Calls are tasks only where server and tool say so' },
)

const polling = clientCheck(
  'tasks.client.polling',
  async (exam) => {
    let lie = 'none'
    serveTask(exam, ['working', 'working', 'completed'], finished)
    exam.on('tasks/get', ({ count, connection }) => {
      if (lie === 'gone') return { error: { code: -32602, message: 'There is no such task' } }
      const at = count - base
      if (lie === 'notice' && at === 0)
        connection.notify('notifications/tasks/status', taskState('exam-task', 'completed'))
      const status = at < 2 ? 'working' : lie === 'input' && at < 4 ? 'input_required' : 'completed'
      return { result: taskState('exam-task', status) }
    })
    let base = 0
    const work = { type: 'call', tool: 'work', task: true } as const
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    for (const kind of ['none', 'notice', 'input', 'gone']) {
      lie = kind
      base = exam.messagesOf('tasks/get').length
      const results = exam.messagesOf('tasks/result').length
      const outcome = await Promise.race([
        exam.step(work),
        elapsed(exam.waits.answerMs + 12 * POLL_MS).then(() => undefined),
      ])
      if (
        !exam
          .messagesOf('tools/call')
          .some(({ message: { params } }) => isJsonObject(params) && 'task' in params)
      )
        exam.notApplicable('the client makes no tasks')
      const looks = exam.messagesOf('tasks/get').slice(base)
      const asked = exam.messagesOf('tasks/result').length > results
      if (kind === 'gone') {
        exam.expect(outcome?.type === 'failed', {
          expected: 'the loss of the task reported',
          actual: outcome === undefined ? 'the client waits still' : shortJson(outcome),
          statement: 'tasks.ttl-expiry',
          frame: looks.at(-1)?.frame,
        })
        break
      }
      exam.expect(outcome?.type === 'done' && (looks.length >= 1 || asked), {
        expected: `the client asks until the task is over (${kind})`,
        actual: `${looks.length} times tasks/get, ${outcome === undefined ? 'and it waits still' : shortJson(outcome)}`,
        statement: kind === 'notice' ? 'tasks.status-not-relied' : 'tasks.poll-until-terminal',
        frame: looks.at(-1)?.frame,
      })
      if (outcome === undefined) break
      if (kind === 'input' && !asked)
        exam.warn({
          expected: 'tasks/result when the task waits for input',
          actual: 'tasks/get alone',
          statement: 'tasks.input-preemptive-result',
          frame: looks.at(-1)?.frame,
        })
      if (kind !== 'none') continue
      const times = looks.map(({ frame }) => frame.at)
      const shortest = Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))
      if (shortest < POLL_MS * 0.5)
        exam.warn({
          expected: `looks ${POLL_MS} ms apart, as pollInterval says`,
          actual: `${Math.round(shortest)} ms`,
          statement: 'tasks.poll-interval',
          frame: looks.at(-1)?.frame,
        })
    }
  },
  { title: 'The client asks for a task until it is over, no faster than told' },
)

type Receiver = {
  readonly connection: ExamConnection
  readonly method: string
  readonly params: JsonObject
}

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  'sampling/createMessage': {
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    maxTokens: 5,
  },
  'elicitation/create': {
    mode: 'form',
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

/** Connects a client that serves tasks, and returns how it is asked for one; not applicable if it does not. */
async function connectReceiver(exam: ClientExam, declared: readonly string[]): Promise<Receiver> {
  exam.set({
    capabilities: ['sampling', 'elicitation', 'tasks'],
    answers: {
      'sampling/createMessage': async () => {
        await elapsed(400)
        return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }
      },
    },
  })
  const connection = await exam.connect()
  const method = declared.find((each) => declaresTask(connection, each))
  if (method === undefined) return exam.notApplicable('the client does not declare tasks')
  return { connection, method, params: QUESTIONS[method] ?? {} }
}

function declaresTask({ initialize }: ExamConnection, method: string): boolean {
  let at: unknown = isJsonObject(initialize) ? initialize['capabilities'] : undefined
  for (const step of ['tasks', 'requests', ...method.split('/')]) at = isJsonObject(at) ? at[step] : undefined
  return isJsonObject(at)
}

const createdTask = (outcome: Outcome): JsonObject | undefined =>
  outcome.type === 'result' && isJsonObject(outcome.result['task']) ? outcome.result['task'] : undefined

const receiver = clientCheck(
  'tasks.client.receiver',
  async (exam) => {
    const { connection, method, params } = await connectReceiver(exam, Object.keys(QUESTIONS))
    // A question of a task of the server, for the passive check of metadata.
    await connection.request('elicitation/create', {
      ...QUESTIONS['elicitation/create'],
      _meta: { [MetaKey.relatedTask]: { taskId: 'exam-task' } },
    })
    const fail = (outcome: Outcome, statement: string, expected: string, member: string) =>
      exam.fail({
        expected,
        actual: describeOutcome(outcome),
        member,
        statement,
        frame: outcome.frame ?? outcome.sent,
      })
    const ids: unknown[] = []
    for (let count = 0; count < 3; count += 1) {
      const outcome = await connection.request(method, { ...params, task: { ttl: 60_000 } })
      const task = createdTask(outcome)
      if (task === undefined) {
        fail(outcome, 'tasks.create-result', 'a result with a task', '/result/task')
        return
      }
      if (typeof task['taskId'] !== 'string')
        fail(outcome, 'tasks.id-string', 'a task id that is a string', '/result/task/taskId')
      if (ids.includes(task['taskId'])) fail(outcome, 'tasks.id-unique', 'a new id', '/result/task/taskId')
      if (task['status'] !== 'working')
        fail(outcome, 'tasks.begin-working', 'the status working', '/result/task/status')
      if (Number.isNaN(Date.parse(String(task['createdAt']))))
        fail(outcome, 'tasks.created-at', 'a time in ISO 8601', '/result/task/createdAt')
      if (Number.isNaN(Date.parse(String(task['lastUpdatedAt']))))
        fail(outcome, 'tasks.updated-at', 'a time in ISO 8601', '/result/task/lastUpdatedAt')
      ids.push(task['taskId'])
    }
    const [first, second] = ids
    const over = await connection.request('tasks/result', { taskId: first })
    const state = await connection.request('tasks/get', { taskId: first })
    if (over.type !== 'result' || (state.type === 'result' && !isTerminal(state.result['status'])))
      fail(over, 'tasks.result-blocks', 'the result, when the task is over', '/result')
    else if (relatedTask(over.result) !== first)
      fail(over, 'tasks.related-meta-result', `_meta with ${MetaKey.relatedTask}`, '/result/_meta')
    if (state.type === 'result' && state.result['ttl'] !== null && typeof state.result['ttl'] !== 'number')
      fail(state, 'tasks.ttl-reported', 'a ttl that is a number or null', '/result/ttl')
    const again = await connection.request('tasks/result', { taskId: first })
    const isSame =
      again.type === 'result' &&
      over.type === 'result' &&
      JSON.stringify(plainResult(again.result)) === JSON.stringify(plainResult(over.result))
    if (!isSame) fail(again, 'tasks.result-terminal', 'the same result again', '/result')
    const unknown = await connection.request('tasks/get', { taskId: 'patchbay-none' })
    if (!isInvalidParams(unknown)) fail(unknown, 'tasks.unknown-32602', 'error -32602', '/error/code')
    await connection.request('tasks/result', { taskId: second })
    const capabilities = connection.initialize?.['capabilities']
    const own = isJsonObject(capabilities) ? capabilities['tasks'] : undefined
    if (!isJsonObject(own) || !('cancel' in own)) return
    const late = await connection.request('tasks/cancel', { taskId: second })
    if (!isInvalidParams(late))
      fail(late, 'tasks.cancel-terminal-32602', 'error -32602 for a task that is over', '/error/code')
    const begun = createdTask(await connection.request(method, { ...params, task: { ttl: 60_000 } }))
    const cancelled = await connection.request('tasks/cancel', { taskId: begun?.['taskId'] })
    if (isInvalidParams(cancelled)) return
    if (cancelled.type !== 'result' || cancelled.result['status'] !== 'cancelled')
      fail(cancelled, 'tasks.cancel-before-answer', 'the task, cancelled', '/result/status')
    await elapsed(600)
    const later = await connection.request('tasks/get', { taskId: begun?.['taskId'] })
    if (later.type === 'result' && later.result['status'] !== 'cancelled')
      fail(later, 'tasks.cancel-final', 'a cancelled task stays so', '/result/status')
  },
  { title: 'The client serves its own tasks by the rules' },
)

const cursor = clientCheck(
  'tasks.client.cursor',
  async (exam) => {
    const cursors = ['007', ' a b ', 'ü/?&=', '']
    exam.content.capabilities = { tools: {}, tasks: SERVER_TASKS }
    exam.on('tasks/list', ({ count }) => ({
      result: {
        tasks: [taskState(`task-${count}`, 'working')],
        ...(count < cursors.length && { nextCursor: cursors[count] }),
      },
    }))
    await exam.step({ type: 'list', list: 'tasks' })
    const pages = exam.messagesOf('tasks/list')
    if (pages.length === 0) return exam.notApplicable('the client does not list tasks')
    for (const [index, { message, frame }] of pages.entries()) {
      const given = isJsonObject(message['params']) ? message['params']['cursor'] : undefined
      const expected = index === 0 ? undefined : cursors[index - 1]
      exam.expect(given === expected, {
        expected: `the cursor ${shortJson(expected)} unchanged`,
        actual: shortJson(given),
        member: '/params/cursor',
        frame,
      })
    }
  },
  { title: 'Cursors of the list of tasks come back unchanged' },
)

const cancels = clientCheck(
  'tasks.client.cancel',
  async (exam) => {
    serveTask(exam, ['working'], () => ({ silent: true }))
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    const call = exam.step({ type: 'call', tool: 'work', task: true, cancelAfterMs: 400 })
    await Promise.race([call, elapsed(exam.waits.answerMs * 2)])
    const calls = exam.messagesOf('tools/call')
    if (!calls.some(({ message: { params } }) => isJsonObject(params) && 'task' in params))
      return exam.notApplicable('the client makes no tasks')
    const ids = calls.map(({ message }) => message['id'])
    const notice = exam
      .messagesOf('notifications/cancelled')
      .find(({ message: { params } }) => isJsonObject(params) && ids.includes(params['requestId'] as never))
    exam.expect(notice === undefined, {
      expected: 'tasks/cancel',
      actual: 'notifications/cancelled for the call that made the task',
      frame: notice?.frame,
    })
    const cancel = await exam.waitForMethod('tasks/cancel')
    const named = isJsonObject(cancel?.message['params']) ? cancel.message['params']['taskId'] : undefined
    exam.expect(named === 'exam-task', {
      expected: 'tasks/cancel with the id of the task',
      actual: cancel === undefined ? 'no tasks/cancel' : shortJson(named),
      member: '/params/taskId',
      frame: cancel?.frame,
    })
  },
  { title: 'The client cancels tasks by tasks/cancel' },
)

const declares = clientCheck(
  'tasks.client.declares',
  async (exam) => {
    const { connection } = await connectReceiver(exam, Object.keys(QUESTIONS))
    for (const [method, params] of Object.entries(QUESTIONS)) {
      for (const ttl of [1, 1e12]) {
        const outcome = await connection.request(method, { ...params, task: { ttl } })
        const task = createdTask(outcome)
        const isDeclared = declaresTask(connection, method)
        exam.expect((task !== undefined) === isDeclared, {
          expected: isDeclared ? 'a task, as it is declared' : 'an ordinary answer: tasks are not declared',
          actual: describeOutcome(outcome),
          member: '/result/task',
          statement: 'tasks.capability',
          frame: outcome.frame ?? outcome.sent,
        })
        if (task === undefined) continue
        exam.expect(task['ttl'] === null || typeof task['ttl'] === 'number', {
          expected: 'a ttl that is a number or null',
          actual: shortJson(task['ttl']),
          member: '/result/task/ttl',
          statement: 'tasks.create-ttl',
          frame: outcome.frame,
        })
      }
    }
  },
  { title: 'The client makes tasks of what it declares, and of nothing else' },
)

/** The checks of clients that make tasks or serve them. */
export const CLIENT_TASK_CHECKS: readonly Check[] = [capability, polling, receiver, cursor, cancels, declares]
