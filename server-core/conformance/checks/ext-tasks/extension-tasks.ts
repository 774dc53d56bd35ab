import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck, type Check } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { isInvalidParams, isTerminal, pollTask } from '../tasks/task-calls.ts'

const EXTENSION = 'io.modelcontextprotocol/tasks'
const DECLARED: JsonObject = { extensions: { [EXTENSION]: {} }, elicitation: {} }
const ANSWERS: Readonly<Record<string, JsonObject>> = {
  name: { action: 'accept', content: { name: 'Ada' } },
  confirm: { action: 'accept', content: { confirm: true } },
}

/** Ends the check unless the server has the extension. */
function requireExtension(probe: ServerProbe): void {
  const { extensions } = probe.server.capabilities
  if (!isJsonObject(extensions) || extensions[EXTENSION] === undefined)
    return probe.notApplicable(`the server does not declare ${EXTENSION}`)
}

const call = (connection: ProbeConnection, { name, arguments: args }: FixtureTool, more: JsonObject = {}) =>
  connection.call('tools/call', { name, arguments: args, ...more }, { timeoutMs: 30_000 })

const isTask = (outcome: Outcome): boolean =>
  outcome.type === 'result' && outcome.result['resultType'] === 'task'

/** Creates a task; inconclusive if there is none. */
async function begin(probe: ServerProbe, connection: ProbeConnection, tool: FixtureTool) {
  const outcome = await call(connection, tool)
  const taskId = outcome.type === 'result' && isTask(outcome) ? outcome.result['taskId'] : undefined
  if (outcome.type !== 'result' || typeof taskId !== 'string')
    return probe.inconclusive(`${tool.name} did not become a task: ${describeOutcome(outcome)}`)
  return { taskId, outcome }
}

function judge(
  probe: ServerProbe,
  outcome: Outcome,
  holds: boolean,
  { expected, member, statement }: { expected: string; member: string; statement: string },
): void {
  probe.expect(holds, {
    expected,
    actual: describeOutcome(outcome),
    member,
    statement,
    frame: outcome.frame ?? outcome.sent,
  })
}

const gate = serverCheck(
  'ext-tasks.gate',
  async (probe) => {
    requireExtension(probe)
    const tool = probe.fixture('task')
    const required = probe.findFixture('required-task')
    const stranger = await probe.connect()
    const plain = await call(stranger, tool)
    judge(probe, plain, !isTask(plain) && plain.type === 'result', {
      expected: 'a complete result: the client does not declare the extension',
      member: '/result/resultType',
      statement: 'ext.tasks.declared-only',
    })
    const legacy = await call(stranger, tool, { task: { ttl: 60_000 } })
    judge(probe, legacy, !isTask(legacy) && legacy.type === 'result', {
      expected: 'a complete result: the task member is of an older revision',
      member: '/result/resultType',
      statement: 'ext.tasks.legacy-param-ignored',
    })
    if (required !== undefined) {
      const refused = await call(stranger, required)
      judge(probe, refused, refused.type === 'error' && refused.code === -32021, {
        expected: 'error -32021: the tool needs the extension',
        member: '/error/code',
        statement: 'ext.tasks.missing-capability',
      })
    }
    const connection = await probe.connect({ capabilities: DECLARED })
    for (const method of ['tasks/result', 'tasks/list']) {
      const removed = await connection.call(method, { taskId: 'patchbay-none' })
      judge(probe, removed, removed.type === 'error' && removed.code === -32601, {
        expected: `error -32601 of ${method}`,
        member: '/error/code',
        statement: 'ext.tasks.removed-methods',
      })
    }
  },
  { title: 'Only clients that declare the extension get tasks' },
)

const life = serverCheck(
  'ext-tasks.life',
  async (probe) => {
    requireExtension(probe)
    const tool = probe.fixture('task')
    const connection = await probe.connect({ capabilities: DECLARED })
    const { taskId, outcome } = await begin(probe, connection, tool)
    const isFlat = typeof outcome.result['status'] === 'string' && outcome.result['task'] === undefined
    judge(probe, outcome, isFlat, {
      expected: 'a flat task with its status',
      member: '/result/status',
      statement: 'ext.tasks.flat-result',
    })
    const state = await connection.call('tasks/get', { taskId })
    judge(probe, state, state.type === 'result' && state.result['taskId'] === taskId, {
      expected: 'the task, known as soon as it is named',
      member: '/result/taskId',
      statement: 'ext.tasks.durable',
    })
    if (state.type !== 'result') return
    const last = (await pollTask(connection, taskId, isTerminal)).at(-1)
    if (last === undefined) return probe.inconclusive('the task was not answered')
    const isWhole =
      last.type === 'result' &&
      last.result['resultType'] === 'complete' &&
      last.result['status'] === 'completed' &&
      isJsonObject(last.result['result'])
    judge(probe, last, isWhole, {
      expected: 'the completed task with its result',
      member: '/result/result',
      statement: 'ext.tasks.get-complete',
    })
    const slow = probe.findFixture('slow-task')
    const running = slow === undefined ? undefined : await begin(probe, connection, slow)
    for (const id of [running?.taskId, taskId]) {
      if (id === undefined) continue
      const ack = await connection.call('tasks/cancel', { taskId: id })
      // Members that nobody knows are allowed; those of a task would be taken for its state.
      const isEmpty = ack.type === 'result' && !('taskId' in ack.result) && !('status' in ack.result)
      judge(probe, ack, isEmpty, {
        expected: 'an acknowledgement without a task',
        member: '/result',
        statement: 'ext.tasks.cancel-ack',
      })
    }
    const failing = probe.findFixture('failing-task')
    if (failing !== undefined) {
      const failed = await begin(probe, connection, failing)
      const end = (await pollTask(connection, failed.taskId, isTerminal)).at(-1)
      const holds =
        end?.type === 'result' &&
        end.result['status'] === 'completed' &&
        isJsonObject(end.result['result']) &&
        end.result['result']['isError'] === true
      if (end !== undefined)
        judge(probe, end, holds, {
          expected: 'a completed task whose result has isError',
          member: '/result/status',
          statement: 'ext.tasks.iserror-completed',
        })
    }
    const unknown = await connection.call('tasks/get', { taskId: 'patchbay-none' })
    judge(probe, unknown, isInvalidParams(unknown), {
      expected: 'error -32602 of an unknown task',
      member: '/error/code',
      statement: 'ext.tasks.unknown-id',
    })
  },
  { title: 'Tasks are there at once, and show their outcome at the end' },
)

const input = serverCheck(
  'ext-tasks.input',
  async (probe) => {
    requireExtension(probe)
    const tool = probe.fixture('twice-asking-task')
    const connection = await probe.connect({ capabilities: DECLARED })
    const { taskId } = await begin(probe, connection, tool)
    const answered = new Map<string, string>()
    const update = async (key: string): Promise<void> => {
      const inputResponses = { [key]: ANSWERS[key] ?? { action: 'decline' } }
      const ack = await connection.call('tasks/update', { taskId, inputResponses })
      judge(probe, ack, ack.type === 'result', {
        expected: 'an acknowledgement',
        member: '/result',
        statement: 'ext.tasks.update-ack',
      })
    }
    for (let round = 0; round < 10; round += 1) {
      const states = await pollTask(connection, taskId, (status) => status !== 'working')
      const state = states.at(-1)
      if (state?.type !== 'result') return probe.inconclusive('the state of the task was not answered')
      if (isTerminal(state.result['status'])) break
      const asked = isJsonObject(state.result['inputRequests']) ? state.result['inputRequests'] : {}
      for (const [key, question] of Object.entries(asked)) {
        const before = answered.get(key)
        if (before === undefined || before === JSON.stringify(question)) continue
        probe.fail({
          expected: `a new key for a new question, not ${shortJson(key)} again`,
          actual: shortJson(question),
          member: `/result/inputRequests/${key}`,
          statement: 'ext.tasks.input-keys-unique',
          frame: state.frame,
        })
        return
      }
      const open = Object.entries(asked).find(([key]) => !answered.has(key))
      if (open === undefined) continue
      answered.set(open[0], JSON.stringify(open[1]))
      await update(open[0])
    }
    const [first] = answered.keys()
    if (first === undefined) return probe.inconclusive('the task asked nothing')
    await update(first)
    const end = await connection.call('tasks/get', { taskId })
    judge(probe, end, end.type === 'result' && isTerminal(end.result['status']), {
      expected: 'a task that is over: a repeated answer is ignored',
      member: '/result/status',
      statement: 'ext.tasks.update-ack',
    })
  },
  { title: 'Each question of a task has its own key, and answers are acknowledged' },
)

const serverHeader = serverCheck(
  'ext-tasks.header',
  async (probe) => {
    requireExtension(probe)
    const tool = probe.fixture('task')
    const connection = await probe.connectHttp({ capabilities: DECLARED })
    const { taskId } = await begin(probe, connection, tool)
    const right = await connection.call('tasks/get', { taskId })
    judge(probe, right, right.type === 'result', {
      expected: 'the task',
      member: '/result',
      statement: 'ext.tasks.mcp-name',
    })
    for (const name of ['patchbay-other', null]) {
      const wrong = await connection.call('tasks/get', { taskId }, { headers: { 'mcp-name': name } })
      judge(probe, wrong, wrong.type === 'error' && wrong.code === -32020, {
        expected: `error -32020 with Mcp-Name ${name ?? 'missing'}`,
        member: '/error/code',
        statement: 'ext.tasks.mcp-name',
      })
    }
  },
  { title: 'Mcp-Name of requests about a task is its id' },
)

const clientHeader = clientCheck(
  'ext-tasks.header',
  async (exam) => {
    const now = new Date().toISOString()
    const task = {
      taskId: 'exam-task',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 60_000,
      pollIntervalMs: 50,
    }
    exam.set({ capabilities: ['tasks'] })
    exam.content.capabilities = { tools: {}, extensions: { [EXTENSION]: {} } }
    exam.on('tools/call', ({ usual, params }) => {
      const declared = JSON.stringify(params['_meta'] ?? {}).includes(EXTENSION)
      return declared ? { result: { resultType: 'task', status: 'working', ...task } } : usual()
    })
    const names: (string | undefined)[] = []
    exam.on('tasks/get', ({ headers }) => {
      names.push(headers['mcp-name'])
      const result = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
      return { result: { resultType: 'complete', status: 'completed', ...task, result } }
    })
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } })
    if (names.length === 0) return exam.notApplicable('the client does not ask for tasks of the extension')
    for (const name of names)
      exam.expect(name === 'exam-task', {
        expected: 'Mcp-Name with the id of the task',
        actual: name ?? 'no header',
        frame: exam.messagesOf('tasks/get')[0]?.frame,
      })
  },
  { title: 'Mcp-Name of requests about a task is its id' },
)

/** The checks of the Tasks extension. */
export const EXTENSION_TASK_CHECKS: readonly Check[] = [gate, life, input, serverHeader, clientHeader]
