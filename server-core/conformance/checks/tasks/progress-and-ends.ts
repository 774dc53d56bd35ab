import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'
import {
  beginTask,
  endOf,
  isInvalidParams,
  isTerminal,
  LONG_TTL_MS,
  plainResult,
  pollTask,
  relatedTask,
  taskFixture,
} from './task-calls.ts'

const NEXT: Readonly<Record<string, readonly string[]>> = {
  working: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
  input_required: ['input_required', 'working', 'completed', 'failed', 'cancelled'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
}

export const lifecycle = serverCheck(
  'tasks.server.lifecycle',
  async (probe) => {
    const tool = taskFixture(probe, 'task')
    const connection = await probe.connect()
    const { taskId, task } = await beginTask(probe, connection, tool)
    await endOf(probe, connection, taskId)
    const seen: Outcome[] = []
    for (let look = 0; look < 4; look += 1) {
      seen.push(await connection.call('tasks/get', { taskId }))
      await elapsed(200)
    }
    const states = connection.received.filter(
      ({ message: { result } }) => isJsonObject(result) && result['taskId'] === taskId,
    )
    let status = String(task['status'])
    let updated = String(task['lastUpdatedAt'])
    for (const { message, frame } of states) {
      const state = isJsonObject(message['result']) ? message['result'] : {}
      const now = String(state['status'])
      probe.expect(NEXT[status]?.includes(now) ?? false, {
        expected: `a status that may follow ${status}`,
        actual: shortJson(state['status']),
        member: '/result/status',
        statement: isTerminal(status) ? 'tasks.terminal-final' : 'tasks.transitions',
        frame,
      })
      probe.expect(state['ttl'] === null || typeof state['ttl'] === 'number', {
        expected: 'a ttl that is a number or null',
        actual: shortJson(state['ttl']),
        member: '/result/ttl',
        statement: 'tasks.ttl-reported',
        frame,
      })
      const then = String(state['lastUpdatedAt'])
      probe.expect(!(Date.parse(then) < Date.parse(updated)), {
        expected: `a lastUpdatedAt not before ${updated}`,
        actual: then,
        member: '/result/lastUpdatedAt',
        statement: 'tasks.transitions',
        frame,
      })
      status = now
      updated = then
    }
    if (seen.every(({ type }) => type !== 'result'))
      probe.inconclusive('the task no longer existed after its end')
  },
  { title: 'The status of a task moves by the rules, and stays at its end' },
)

export const result = serverCheck(
  'tasks.server.result',
  async (probe) => {
    const tool = taskFixture(probe, 'task')
    const connection = await probe.connect()
    const { taskId } = await beginTask(probe, connection, tool)
    const first = await connection.call('tasks/result', { taskId }, { timeoutMs: 30_000 })
    const state = await connection.call('tasks/get', { taskId })
    const isOver = state.type !== 'result' || isTerminal(state.result['status'])
    probe.expect(first.type === 'result' && isOver, {
      expected: 'the result, when the task is over',
      actual: isOver ? describeOutcome(first) : `an answer while the task is ${describeOutcome(state)}`,
      statement: 'tasks.result-blocks',
      frame: first.frame ?? first.sent,
    })
    await endOf(probe, connection, taskId)
    const second = await connection.call('tasks/result', { taskId })
    probe.expect(second.type === 'result', {
      expected: 'the result of a task that is over',
      actual: describeOutcome(second),
      statement: 'tasks.result-terminal',
      frame: second.frame ?? second.sent,
    })
    for (const outcome of [first, second]) {
      if (outcome.type !== 'result') continue
      probe.expect(relatedTask(outcome.result) === taskId, {
        expected: `_meta with ${MetaKey.relatedTask}`,
        actual: shortJson(outcome.result['_meta']),
        member: '/result/_meta',
        statement: 'tasks.related-meta-result',
        frame: outcome.frame,
      })
    }
    if (first.type === 'result' && second.type === 'result') {
      probe.expect(isDeepStrictEqual(plainResult(first.result), plainResult(second.result)), {
        expected: 'the same result both times',
        actual: describeOutcome(second),
        member: '/result',
        statement: 'tasks.result-terminal',
        frame: [second.frame, first.frame],
      })
      const plain = [0, 1].map(() =>
        connection.call('tools/call', { name: tool.name, arguments: tool.arguments }, { timeoutMs: 30_000 }),
      )
      const [one, other] = await Promise.all(plain)
      const isFixed =
        one?.type === 'result' &&
        other?.type === 'result' &&
        isDeepStrictEqual(plainResult(one.result), plainResult(other.result))
      if (isFixed)
        probe.expect(isDeepStrictEqual(plainResult(one.result), plainResult(first.result)), {
          expected: `the result of the plain call: ${shortJson(one.result)}`,
          actual: describeOutcome(first),
          member: '/result',
          statement: 'tasks.result-terminal',
          frame: [first.frame, one.frame],
        })
    }
    const failing = probe.findFixture('error-task')
    if (failing === undefined) return
    const failed = await beginTask(probe, connection, failing)
    const error = await connection.call('tasks/result', { taskId: failed.taskId }, { timeoutMs: 30_000 })
    const plain = await connection.call('tools/call', { name: failing.name, arguments: failing.arguments })
    probe.expect(error.type === 'error' && (plain.type !== 'error' || plain.code === error.code), {
      expected: `the error of the call: ${describeOutcome(plain)}`,
      actual: describeOutcome(error),
      member: '/error',
      statement: 'tasks.result-error',
      frame: error.frame ?? error.sent,
    })
  },
  { title: 'tasks/result waits for the end and gives the result of the call' },
)

export const input = serverCheck(
  'tasks.server.input',
  async (probe) => {
    const tool = taskFixture(probe, 'asking-task')
    const connection = await probe.connect({ capabilities: { elicitation: {} } })
    const { taskId } = await beginTask(probe, connection, tool)
    const states = await pollTask(
      connection,
      taskId,
      (status) => status === 'input_required' || isTerminal(status),
    )
    const waiting = states.at(-1)
    if (waiting?.type !== 'result' || waiting.result['status'] !== 'input_required')
      probe.warn({
        expected: 'the status input_required while it asks',
        actual: waiting === undefined ? 'nothing' : describeOutcome(waiting),
        member: '/result/status',
        statement: 'tasks.input-required-status',
        frame: waiting?.frame ?? waiting?.sent,
      })
    const from = connection.received.length
    const over = connection.call('tasks/result', { taskId }, { timeoutMs: 30_000 })
    const question = await connection.waitForMethod('elicitation/create', { from })
    const asked =
      question ?? connection.received.find(({ message }) => message['method'] === 'elicitation/create')
    if (asked === undefined) return probe.inconclusive('the task asked nothing')
    probe.expect(relatedTask(asked.message['params']) === taskId, {
      expected: `_meta with ${MetaKey.relatedTask} that names the task`,
      actual: shortJson(isJsonObject(asked.message['params']) ? asked.message['params']['_meta'] : undefined),
      member: '/params/_meta',
      statement: 'tasks.input-related',
      frame: asked.frame,
    })
    await connection.answer(asked.message, {
      action: 'decline',
      _meta: { [MetaKey.relatedTask]: { taskId } },
    })
    await over
    const left = (await pollTask(connection, taskId, (status) => status !== 'input_required')).at(-1)
    if (left?.type === 'result' && left.result['status'] === 'input_required')
      probe.warn({
        expected: 'a status other than input_required after the answer',
        actual: 'input_required',
        member: '/result/status',
        statement: 'tasks.input-required-status',
        frame: left.frame,
      })
  },
  { title: 'Questions of a task name it, and its status says that it waits' },
)

export const metaIgnored = serverCheck(
  'tasks.server.meta-ignored',
  async (probe) => {
    const tool = taskFixture(probe, 'task')
    const connection = await probe.connect()
    const one = await beginTask(probe, connection, tool)
    const other = await beginTask(probe, connection, tool)
    const outcome = await connection.call('tasks/get', {
      taskId: one.taskId,
      _meta: { [MetaKey.relatedTask]: { taskId: other.taskId } },
    })
    probe.expect(outcome.type === 'result' && outcome.result['taskId'] === one.taskId, {
      expected: `the task ${one.taskId} of the parameter`,
      actual: describeOutcome(outcome),
      member: '/result/taskId',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'The parameter names the task, not the metadata' },
)

export const cancel = serverCheck(
  'tasks.server.cancel',
  async (probe) => {
    probe.requireCapability('tasks.cancel')
    const slow = taskFixture(probe, 'slow-task')
    const short = probe.fixture('task')
    const connection = await probe.connect()
    const running = await beginTask(probe, connection, slow)
    const cancelled = await connection.call('tasks/cancel', { taskId: running.taskId })
    if (isInvalidParams(cancelled)) return probe.inconclusive('the task had ended before it was cancelled')
    probe.expect(cancelled.type === 'result' && cancelled.result['status'] === 'cancelled', {
      expected: 'the task, cancelled',
      actual: describeOutcome(cancelled),
      member: '/result/status',
      statement: 'tasks.cancel-before-answer',
      frame: cancelled.frame ?? cancelled.sent,
    })
    const finished = await beginTask(probe, connection, short)
    await endOf(probe, connection, finished.taskId)
    await elapsed(1_200)
    const later = await connection.call('tasks/get', { taskId: running.taskId })
    const stays = later.type === 'result' ? later.result['status'] === 'cancelled' : isInvalidParams(later)
    probe.expect(stays, {
      expected: 'a cancelled task stays so',
      actual: describeOutcome(later),
      member: '/result/status',
      statement: 'tasks.cancel-final',
      frame: later.frame ?? later.sent,
    })
    for (const taskId of [running.taskId, finished.taskId]) {
      const again = await connection.call('tasks/cancel', { taskId })
      probe.expect(isInvalidParams(again), {
        expected: 'error -32602 for a task that is over',
        actual: describeOutcome(again),
        member: '/error/code',
        statement: 'tasks.cancel-terminal-32602',
        frame: again.frame ?? again.sent,
      })
    }
  },
  { title: 'A cancelled task stays cancelled, and ended tasks cannot be cancelled' },
)

export const progress = serverCheck(
  'tasks.server.progress',
  async (probe) => {
    const tool = taskFixture(probe, 'progress-task')
    const connection = await probe.connect()
    const token = 'patchbay-task'
    const from = connection.received.length
    const task = { ttl: LONG_TTL_MS }
    const begun = await beginTask(probe, connection, tool, task, { _meta: { progressToken: token } })
    const end = await endOf(probe, connection, begun.taskId)
    await connection.barrier()
    await connection.silence()
    const notices = connection.received
      .slice(from)
      .filter(({ message }) => message['method'] === 'notifications/progress')
    if (notices.length === 0) return probe.inconclusive('the task reported no progress')
    for (const { message, frame } of notices) {
      const given = isJsonObject(message['params']) ? message['params']['progressToken'] : undefined
      probe.expect(given === token, {
        expected: `progress with the token ${shortJson(token)}`,
        actual: shortJson(given),
        member: '/params/progressToken',
        statement: 'progress.task-token',
        frame,
      })
      // Over HTTP the notices come by another stream than the state, and may be read after it.
      if (connection.transport === 'http' || end.frame === undefined) continue
      probe.expect(frame.index < end.frame.index, {
        expected: 'no progress after the end of the task',
        actual: 'progress',
        statement: 'progress.task-stop',
        frame: [frame, end.frame],
      })
    }
  },
  { title: 'The progress of a task has the token of its call, and ends with it' },
)

export const cancelledNotification = serverCheck(
  'tasks.server.cancelled-notification',
  async (probe) => {
    const tool = taskFixture(probe, 'slow-task')
    const connection = await probe.connect()
    const { taskId, outcome } = await beginTask(probe, connection, tool)
    const { value } = outcome.sent
    await connection.notify('notifications/cancelled', {
      requestId: isJsonObject(value) ? value['id'] : undefined,
    })
    await connection.barrier()
    const state = await connection.call('tasks/get', { taskId })
    if (state.type !== 'result' || state.result['status'] === 'cancelled')
      probe.warn({
        expected: 'the task goes on',
        actual: describeOutcome(state),
        member: '/result/status',
        frame: state.frame ?? state.sent,
      })
  },
  { title: 'A notification does not cancel a task' },
)

export const http = serverCheck(
  'tasks.server.http',
  async (probe) => {
    const tool = taskFixture(probe, 'slow-task')
    const connection = await probe.connectHttp()
    const { taskId } = await beginTask(probe, connection, tool)
    const { exchange } = await connection.send(connection.compose('tasks/result', { taskId }))
    await connection.barrier()
    exchange?.close()
    const state = await connection.call('tasks/get', { taskId })
    probe.expect(state.type === 'result' && state.result['status'] !== 'cancelled', {
      expected: 'the task goes on when the stream is cut',
      actual: describeOutcome(state),
      member: '/result/status',
      statement: 'tasks.sse-disconnect',
      frame: state.frame ?? state.sent,
    })
    const outcome = await connection.call('tasks/result', { taskId }, { timeoutMs: 30_000 })
    probe.expect(outcome.type === 'result', {
      expected: 'the result, asked for again',
      actual: describeOutcome(outcome),
      statement: 'tasks.sse-disconnect',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A stream that is cut loses no task' },
)
