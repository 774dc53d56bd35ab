import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { readCursor, writeCursor } from '../features/cursor.ts'
import type { Prepared } from '../features/feature.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import type { Run } from '../run.ts'
import type { WireResult } from '../result-metadata.ts'
import type { Task } from './task.ts'
import type { TaskStore } from './task-store.ts'

/** Tasks on one page of `tasks/list`. */
const PAGE_SIZE = 100
/** The longest time that a timer takes, in milliseconds: waiting for a task has no limit of its own. */
const LONGEST_MS = 2_147_483_647

/** Who asks: the caller that may see its tasks, and the session that lists its own. */
export type TaskAsker = { readonly owner: string; readonly session: object }

/** A task as 2025-11-25 writes it (Tasks, Task). A tool that failed makes it `failed`. */
export function coreTask(task: Task): JsonObject {
  const { facts, message = failureText(task) } = task
  return {
    taskId: facts.id,
    status: statusOf(task),
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttl: facts.ttlMs,
    pollInterval: facts.pollIntervalMs,
  }
}

/** What a tool that failed says about it. */
function failureText({ state }: Task): string | undefined {
  if (state.type !== 'ended' || state.outcome.type !== 'result' || !state.outcome.isError) return undefined
  const { content } = state.outcome.result
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return isJsonObject(first) && typeof first['text'] === 'string' ? first['text'] : undefined
}

/** The `_meta` member of every message that belongs to a task (2025-11-25, Tasks: related task). */
export function relatedTask(task: Task): JsonObject {
  return { [MetaKey.relatedTask]: { taskId: task.facts.id } }
}

/**
 * Returns whether a call becomes a task (2025-11-25, Tasks: tool-level negotiation), and what its client asks of it.
 * Throws a `ProtocolError` (`methodNotFound`) if the tool must not or must be called so, and (`invalidParams`) for
 * an invalid `task`.
 */
export function askedTask(call: HandlerCall, params: JsonObject): { readonly ttlMs?: number } | undefined {
  const { task: asked, name } = params
  if (asked === undefined) {
    if (call.task?.support !== 'required') return undefined
    throw new ProtocolError(
      ErrorCode.methodNotFound,
      `Tool "${String(name)}" runs as a task only: call it with params.task`,
    )
  }
  if (call.task === undefined) {
    throw new ProtocolError(
      ErrorCode.methodNotFound,
      `Tool "${String(name)}" does not run as a task: call it without params.task`,
    )
  }
  const ttl = isJsonObject(asked) ? asked['ttl'] : Number.NaN
  if (ttl === undefined || ttl === null) return {}
  if (typeof ttl === 'number' && ttl >= 0) return { ttlMs: Math.round(ttl) }
  throw new ProtocolError(ErrorCode.invalidParams, 'params.task takes an object with "ttl" in milliseconds')
}

/** `tasks/get`, `result`, `cancel` and `list` of 2025-11-25; undefined for any other method. */
export function serveCoreTasks(
  store: TaskStore,
  asker: TaskAsker,
  method: string,
  params: JsonObject,
): Prepared | undefined {
  const named = () => store.find(params['taskId'], asker.owner)
  switch (method) {
    case 'tasks/get':
      return { type: 'result', result: { ...coreTask(named()) } }
    case 'tasks/cancel': {
      const task = named()
      if (task.cancel('cancelled by the client')) return { type: 'result', result: { ...coreTask(task) } }
      throw new ProtocolError(ErrorCode.invalidParams, `The task is over already: it is ${statusOf(task)}`)
    }
    case 'tasks/list':
      return { type: 'result', result: listTasks(store.of(asker.session), params['cursor']) }
    case 'tasks/result':
      return taskResult(named())
    default:
      return undefined
  }
}

function statusOf({ state }: Task): string {
  switch (state.type) {
    case 'working':
      return 'working'
    case 'asking':
      return 'input_required'
    case 'ended':
      return state.outcome.type === 'error' || state.outcome.isError ? 'failed' : 'completed'
    case 'cancelled':
    case 'gone':
      return 'cancelled'
  }
}

function listTasks(tasks: readonly Task[], cursor: unknown): WireResult {
  const last = readCursor('tasks', cursor)
  // A task that was shown last may be gone by now; those after it are younger.
  const place = last === undefined ? 0 : tasks.findIndex(({ facts }) => facts.id === last) + 1
  if (last !== undefined && place === 0) {
    throw new ProtocolError(
      ErrorCode.invalidParams,
      'Invalid cursor: its task no longer exists; start again without one',
    )
  }
  const page = tasks.slice(place, place + PAGE_SIZE)
  const end = page.at(-1)
  const more = place + PAGE_SIZE < tasks.length && end !== undefined
  return { tasks: page.map(coreTask), ...(more ? { nextCursor: writeCursor('tasks', end.facts.id) } : {}) }
}

/** Waits for the end of a task; meanwhile the client gets the task's questions on the stream of this request. */
function taskResult(task: Task): HandlerCall {
  return {
    type: 'handler',
    timeoutMs: LONGEST_MS,
    reentrant: false,
    mayAsk: true,
    run: (run) =>
      new Promise((resolve, reject) => {
        const stop = task.onChange(look)
        run.signal.addEventListener('abort', stop, { once: true })
        const finish = (how: () => void) => {
          stop()
          run.signal.removeEventListener('abort', stop)
          how()
        }
        function look(): void {
          const { state } = task
          switch (state.type) {
            case 'working':
              break
            case 'asking':
              deliver(task, run, (error) => {
                finish(() => {
                  reject(error)
                })
              })
              break
            case 'cancelled':
            case 'gone':
              finish(() => {
                reject(
                  new ProtocolError(
                    ErrorCode.invalidRequest,
                    `The task has no result: ${task.message ?? 'it no longer exists'}`,
                  ),
                )
              })
              break
            case 'ended': {
              const { outcome } = state
              finish(() => {
                if (outcome.type === 'result') resolve(withRelatedTask(task, outcome.result))
                else reject(new ProtocolError(outcome.code, outcome.message, outcome.data))
              })
            }
          }
        }
        look()
      }),
  }
}

/** Asks the client every question that nobody else asks it. */
function deliver(task: Task, run: Run, failed: (error: Error) => void): void {
  for (let claimed = task.claim(); claimed !== undefined; claimed = task.claim()) {
    const { key, question } = claimed
    const params = { ...question.params, _meta: { ...metaOf(question.params), ...relatedTask(task) } }
    run.ask([{ ...question, key, params }]).then(
      (answers) => {
        const answer = answers[key]
        if (answer === undefined) task.release(key)
        else task.answer(key, answer)
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error : new Error(String(error))
        // An error that the client answers with is its answer; anything else leaves the question open.
        if (reason instanceof ProtocolError) task.refuse(key, reason)
        else {
          task.release(key)
          failed(reason)
        }
      },
    )
  }
}

function withRelatedTask(task: Task, result: WireResult): WireResult {
  return { ...result, _meta: { ...metaOf(result), ...relatedTask(task) } }
}

function metaOf(value: JsonObject): JsonObject {
  const meta = value['_meta']
  return isJsonObject(meta) ? meta : {}
}
