import { randomUUID } from 'node:crypto'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { declares } from '../declaration.ts'
import { errorBodyOf } from '../responders.ts'
import { QuestionWithdrawn } from '../answers/question-withdrawn.ts'

export type OwnTasksOptions = {
  /** What this client declared. */
  readonly capabilities: JsonObject
  readonly answer: (
    method: string,
    params: JsonObject,
    asked: { readonly signal: AbortSignal; readonly bytes: Uint8Array },
  ) => Promise<JsonObject>
  readonly notify: (method: string, params: JsonObject) => void
}

type Outcome = { readonly result: JsonObject } | { readonly error: unknown }

type OwnTask = {
  readonly taskId: string
  readonly createdAt: string
  readonly ttl: number | null
  readonly controller: AbortController
  readonly over: Promise<Outcome>
  status: 'working' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  lastUpdatedAt: string
}

const MOST_TASKS = 256
const LONGEST_TTL_MS = 3_600_000
const POLL_INTERVAL_MS = 500
/** The capability that lets a question be a task. */
const CAPABILITY_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['sampling/createMessage', ['sampling', 'createMessage']],
  ['elicitation/create', ['elicitation', 'create']],
])

/**
 * Questions of a server that it wants answered as tasks (2025-11-25, Tasks: task augmentation by servers): the answer to
 * the question is a task, its own answer is fetched when it is there. Only where the client declares it.
 */
export class OwnTasks {
  readonly #options: OwnTasksOptions
  readonly #tasks = new Map<string, OwnTask>()

  constructor(options: OwnTasksOptions) {
    this.#options = options
  }

  /** Serves a request that concerns tasks; undefined if it does not. Rejects with a `ProtocolError`. */
  serve(method: string, params: JsonObject, bytes: Uint8Array): Promise<JsonObject> | undefined {
    const { capabilities } = this.#options
    const way = CAPABILITY_OF.get(method)
    if (way !== undefined) {
      const isAsked = params['task'] !== undefined && declares(capabilities, 'tasks', 'requests', ...way)
      return isAsked ? this.#create(method, params, bytes) : undefined
    }
    if (!declares(capabilities, 'tasks')) return undefined
    switch (method) {
      case 'tasks/get':
        return this.#named(params).then(written)
      case 'tasks/result':
        return this.#result(params)
      case 'tasks/cancel':
        return declares(capabilities, 'tasks', 'cancel') ? this.#cancel(params) : undefined
      case 'tasks/list':
        if (!declares(capabilities, 'tasks', 'list')) return undefined
        return Promise.resolve({ tasks: [...this.#tasks.values()].map(written) })
      default:
        return undefined
    }
  }

  /** The connection ended. */
  abortAll(): void {
    for (const { controller } of this.#tasks.values()) controller.abort(new QuestionWithdrawn('connection'))
    this.#tasks.clear()
  }

  async #create(method: string, params: JsonObject, bytes: Uint8Array): Promise<JsonObject> {
    const wanted = isJsonObject(params['task']) ? params['task']['ttl'] : undefined
    if (!isJsonObject(params['task']))
      throw new ProtocolError(
        ErrorCode.invalidParams,
        'params.task takes an object with "ttl" in milliseconds',
      )
    if (this.#tasks.size >= MOST_TASKS)
      throw new ProtocolError(ErrorCode.internalError, `this client keeps ${MOST_TASKS} tasks at most`)
    const ttl = typeof wanted === 'number' && wanted >= 0 ? Math.min(wanted, LONGEST_TTL_MS) : LONGEST_TTL_MS
    const { task: _, ...question } = params
    const controller = new AbortController()
    const over = Promise.withResolvers<Outcome>()
    const createdAt = new Date().toISOString()
    const task: OwnTask = {
      taskId: randomUUID(),
      createdAt,
      lastUpdatedAt: createdAt,
      ttl,
      controller,
      over: over.promise,
      status: 'working',
    }
    this.#tasks.set(task.taskId, task)
    setTimeout(() => this.#expire(task), ttl).unref()
    this.#options.answer(method, question, { signal: controller.signal, bytes }).then(
      (result) => {
        over.resolve({ result })
        this.#become(task, 'completed')
      },
      (error: unknown) => {
        over.resolve({ error })
        this.#become(task, 'failed', errorBodyOf(error).message)
      },
    )
    controller.signal.addEventListener('abort', () => {
      const error = new ProtocolError(ErrorCode.invalidRequest, 'the task was cancelled')
      over.resolve({ error })
    })
    return Promise.resolve({ task: written(task) })
  }

  async #result(params: JsonObject): Promise<JsonObject> {
    const task = await this.#named(params)
    const outcome = await task.over
    if ('error' in outcome) throw outcome.error
    const { result } = outcome
    const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
    return { ...result, _meta: { ...meta, [MetaKey.relatedTask]: { taskId: task.taskId } } }
  }

  async #cancel(params: JsonObject): Promise<JsonObject> {
    const task = await this.#named(params)
    if (task.status !== 'working')
      throw new ProtocolError(ErrorCode.invalidParams, `the task is over already: it is ${task.status}`)
    this.#become(task, 'cancelled')
    task.controller.abort(new QuestionWithdrawn('server'))
    return written(task)
  }

  async #named({ taskId }: JsonObject): Promise<OwnTask> {
    const task = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined
    if (task !== undefined) return Promise.resolve(task)
    throw new ProtocolError(ErrorCode.invalidParams, `there is no task ${JSON.stringify(taskId)}`)
  }

  #become(task: OwnTask, status: OwnTask['status'], message?: string): void {
    if (task.status !== 'working' || !this.#tasks.has(task.taskId)) return
    task.status = status
    task.lastUpdatedAt = new Date().toISOString()
    if (message !== undefined) task.statusMessage = message
    this.#options.notify('notifications/tasks/status', written(task))
  }

  #expire(task: OwnTask): void {
    if (!this.#tasks.delete(task.taskId)) return
    task.controller.abort(new QuestionWithdrawn('server', 'its time was over'))
  }
}

function written({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl }: OwnTask): JsonObject {
  return {
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl,
    pollInterval: POLL_INTERVAL_MS,
  }
}
