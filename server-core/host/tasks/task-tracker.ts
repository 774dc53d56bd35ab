import type { Connection } from '../../client/connection.ts'
import { RequestFailedError } from '../../client/errors.ts'
import { TaskHandle } from '../../client/tasks/task-handle.ts'
import { isOver, readTask, type TaskReference, type TaskState } from '../../client/tasks/task-state.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { OutputCheck, RequestOutcome } from '../contract/inspect.ts'
import type { Task } from '../contract/tasks.ts'
import { HostError } from '../host-error.ts'
import { outcomeOfError, outcomeOfResult, type OutcomeFacts } from './task-outcome.ts'

/** Tasks known of one server; those that are over go first. */
const MOST_TASKS = 200
/** Pages of the server's own list that are read. */
const MOST_PAGES = 20

type Known = {
  readonly reference: TaskReference
  readonly tool: string | undefined
  readonly startedAt: number
  handle: TaskHandle | undefined
  state: TaskState | undefined
  polls: number
  receivedAt: number
  /** Ends the following; undefined while it is not followed. */
  following: AbortController | undefined
  problem: string | undefined
  outcome: RequestOutcome | undefined
}

export type TaskTrackerOptions = {
  /** Called whenever `list` gives something else. */
  readonly changed: () => void
  /** Masks stored secrets in what the server sent. */
  readonly shown: (text: string) => string
  readonly checkOutput: (tool: string, result: JsonObject) => Promise<OutputCheck>
}

/** The tasks of one server; each is followed until it is over, over every connection. */
export class TaskTracker {
  readonly #parts: TaskTrackerOptions
  readonly #known = new Map<string, Known>()
  #connection: Connection | undefined

  constructor(parts: TaskTrackerOptions) {
    this.#parts = parts
  }

  /** The connection from now on; tasks that are not over are followed on it. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const known of this.#known.values()) {
      known.following?.abort()
      known.following = undefined
      known.handle = undefined
      if (connection !== undefined && !hasEnded(known)) this.#follow(known, connection)
    }
    if (this.#known.size > 0) this.#parts.changed()
  }

  /** The newest first. */
  list(): Task[] {
    return Array.from(this.#known.values(), shownTask).reverse()
  }

  /** Adds the task that a call became, if its result says so, and returns its id. */
  started(connection: Connection, params: JsonObject, result: JsonObject): string | undefined {
    const kind = connection.era === 'modern' ? 'extension' : 'core'
    const isTask =
      kind === 'core'
        ? params['task'] !== undefined && isJsonObject(result['task'])
        : result['resultType'] === 'task'
    if (!isTask) return undefined
    const read = readTask(kind, kind === 'core' ? result['task'] : result)
    if (!read.ok) return undefined
    const state = read.value
    const name = params['name']
    const known = this.#add(
      { kind, taskId: state.taskId },
      typeof name === 'string' ? name : undefined,
      state,
    )
    if (this.#connection === connection) this.#follow(known, connection)
    this.#parts.changed()
    return state.taskId
  }

  /** Asks the server for its list. Gives how many it told of. @throws HostError `REFUSED` or `NOT_CONNECTED` */
  async ask(): Promise<number> {
    const connection = this.#connected()
    let found = 0
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = typeof cursor === 'string' ? { cursor } : {}
      const { result } = await refusedAs('list its tasks', () => connection.request('tasks/list', params))
      const tasks = Array.isArray(result['tasks']) ? (result['tasks'] as unknown[]) : []
      for (const raw of tasks) {
        const read = readTask('core', raw)
        if (!read.ok) continue
        const state = read.value
        found += 1
        const known =
          this.#known.get(state.taskId) ?? this.#add({ kind: 'core', taskId: state.taskId }, undefined, state)
        this.#update(known, state)
      }
      cursor = result['nextCursor']
      if (typeof cursor !== 'string') break
    }
    return found
  }

  /** Asks where a task stands. @throws HostError `NOT_FOUND`, `REFUSED` or `NOT_CONNECTED` */
  async refresh(taskId: string): Promise<Task> {
    const known = this.#get(taskId)
    const connection = this.#connected()
    await refusedAs('say where the task stands', () => this.#handleOf(known, connection).refresh())
    if (!hasEnded(known)) this.#follow(known, connection)
    return shownTask(known)
  }

  /** Asks the server to stop a task. @throws HostError `NOT_FOUND`, `REFUSED` or `NOT_CONNECTED` */
  async cancel(taskId: string): Promise<Task> {
    const known = this.#get(taskId)
    await refusedAs('stop the task', () => this.#handleOf(known, this.#connected()).cancel())
    return shownTask(known)
  }

  /** The result of a task; waits until it is over. @throws HostError `NOT_FOUND` or `NOT_CONNECTED` */
  async outcome(taskId: string, signal: AbortSignal | undefined): Promise<RequestOutcome> {
    const known = this.#get(taskId)
    known.outcome ??= await this.#waitFor(known, this.#connected(), signal)
    this.#parts.changed()
    return known.outcome
  }

  /** Removes a task from the list. Returns false if it is not listed. */
  forget(taskId: string): boolean {
    this.#known.get(taskId)?.following?.abort()
    const wasThere = this.#known.delete(taskId)
    if (wasThere) this.#parts.changed()
    return wasThere
  }

  #add(reference: TaskReference, tool: string | undefined, state: TaskState): Known {
    const now = Date.now()
    const known: Known = {
      reference,
      tool,
      startedAt: now,
      handle: undefined,
      state,
      polls: 0,
      receivedAt: now,
      following: undefined,
      problem: undefined,
      outcome: undefined,
    }
    this.#known.set(reference.taskId, known)
    if (this.#known.size > MOST_TASKS) {
      const oldest = [...this.#known.values()].find(hasEnded)
      if (oldest !== undefined) this.#known.delete(oldest.reference.taskId)
    }
    return known
  }

  /** Waits for its end in the background; the result is kept. */
  #follow(known: Known, connection: Connection): void {
    if (known.following !== undefined || known.outcome !== undefined) return
    const following = new AbortController()
    known.following = following
    known.problem = undefined
    void this.#waitFor(known, connection, following.signal).then((outcome) => {
      if (known.following !== following) return
      known.following = undefined
      if (hasEnded(known)) known.outcome = outcome
      else if (outcome.type === 'error' || outcome.type === 'failure') known.problem = outcome.message
      this.#parts.changed()
    })
  }

  async #waitFor(
    known: Known,
    connection: Connection,
    signal: AbortSignal | undefined,
  ): Promise<RequestOutcome> {
    const facts = (): OutcomeFacts => ({
      durationMs: Date.now() - known.startedAt,
      revision: connection.revision,
    })
    try {
      const { result } = await this.#handleOf(known, connection).result(
        signal === undefined ? {} : { signal },
      )
      const check = known.tool === undefined ? NO_SCHEMA : await this.#parts.checkOutput(known.tool, result)
      return outcomeOfResult(result, check, facts(), this.#parts.shown)
    } catch (error) {
      return outcomeOfError(error, facts(), this.#parts.shown)
    }
  }

  #handleOf(known: Known, connection: Connection): TaskHandle {
    if (known.handle !== undefined) return known.handle
    const handle = new TaskHandle(connection, known.reference, known.state)
    handle.onState((state) => {
      known.polls += 1
      this.#update(known, state)
    })
    known.handle = handle
    return handle
  }

  #update(known: Known, state: TaskState): void {
    known.state = state
    known.receivedAt = Date.now()
    this.#parts.changed()
  }

  #get(taskId: string): Known {
    const known = this.#known.get(taskId)
    if (known !== undefined) return known
    throw new HostError('NOT_FOUND', 'There is no such task on the list any more.')
  }

  #connected(): Connection {
    if (this.#connection !== undefined) return this.#connection
    throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
  }
}

const NO_SCHEMA: OutputCheck = { state: 'no-schema' }

function hasEnded({ state }: Known): boolean {
  return state !== undefined && isOver(state)
}

function shownTask({ reference, tool, state, polls, receivedAt, following, problem, outcome }: Known): Task {
  return {
    taskId: reference.taskId,
    kind: reference.kind,
    ...(tool !== undefined && { tool }),
    status: state?.status ?? 'working',
    ...(state?.statusMessage !== undefined && { statusMessage: state.statusMessage }),
    ...(state?.createdAt !== undefined && { createdAt: state.createdAt }),
    ...(state?.lastUpdatedAt !== undefined && { lastUpdatedAt: state.lastUpdatedAt }),
    ...(state?.ttlMs !== undefined && { ttlMs: state.ttlMs }),
    ...(state?.pollIntervalMs !== undefined && { pollIntervalMs: state.pollIntervalMs }),
    polls,
    receivedAt,
    isFollowed: following !== undefined,
    ...(problem !== undefined && { problem }),
    hasOutcome: outcome !== undefined,
  }
}

/** @throws HostError `REFUSED` with what the server answered */
async function refusedAs<T>(action: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const how = cause instanceof RequestFailedError ? 'could not' : 'would not'
    throw new HostError('REFUSED', `The server ${how} ${action}: ${cause.message}`, { cause })
  }
}
