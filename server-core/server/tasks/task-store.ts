import { randomBytes } from 'node:crypto'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import { Task } from './task.ts'

export type TaskOptions = {
  /** Milliseconds for which a task is kept if neither its tool nor its client says; an hour if not given. */
  readonly ttlMs?: number
  /** Milliseconds that clients are asked to wait between two looks at a task; a second if not given. */
  readonly pollIntervalMs?: number
}

/** What a new task is. */
export type NewTask = {
  readonly owner: string
  readonly session?: object | undefined
  /** What the tool or the client asks for; the store's own values where they do not. */
  readonly ttlMs?: number | undefined
  readonly pollIntervalMs?: number | undefined
  readonly message?: string | undefined
  /** Ends the handler's run. */
  readonly stop: (reason: string) => void
}

const DEFAULT_TTL_MS = 3_600_000
const DEFAULT_POLL_MS = 1_000
/** A task that expired before its client could read it would be useless. */
const LEAST_TTL_MS = 1_000

/** The tasks of one server, bounded in number and time. */
export class TaskStore {
  readonly #limits: Limits
  readonly #ttlMs: number
  readonly #pollIntervalMs: number
  readonly #tasks = new Map<string, { readonly task: Task; readonly timer: NodeJS.Timeout }>()

  constructor(
    limits: Limits,
    { ttlMs = DEFAULT_TTL_MS, pollIntervalMs = DEFAULT_POLL_MS }: TaskOptions = {},
  ) {
    this.#limits = limits
    this.#ttlMs = ttlMs
    this.#pollIntervalMs = pollIntervalMs
  }

  get full(): boolean {
    return this.#tasks.size >= this.#limits.tasks
  }

  /** Makes a task. Throws a `ProtocolError` (`internalError`) if there are as many as may be. */
  create({ owner, session, ttlMs, pollIntervalMs, message, stop }: NewTask): Task {
    const { tasks, taskMs } = this.#limits
    if (this.full) {
      const reason = `${tasks} tasks are kept already (limit tasks); try again when some are over`
      throw new ProtocolError(ErrorCode.internalError, reason, { limit: 'tasks', value: tasks })
    }
    const facts = {
      // 192 random bits: whoever is anonymous has no more than the id to show.
      id: randomBytes(24).toString('base64url'),
      owner,
      session,
      ttlMs: Math.max(LEAST_TTL_MS, Math.min(ttlMs ?? this.#ttlMs, taskMs)),
      pollIntervalMs: pollIntervalMs ?? this.#pollIntervalMs,
    }
    const task = new Task(facts, stop, message)
    const timer = setTimeout(() => {
      this.#tasks.delete(facts.id)
      task.forget(`the task was kept for ${facts.ttlMs} ms`)
    }, facts.ttlMs)
    // A process that has nothing else to do need not keep tasks that are over.
    timer.unref()
    this.#tasks.set(facts.id, { task, timer })
    return task
  }

  /**
   * The task that a request names. Throws a `ProtocolError` (`invalidParams`) if there is none, or it is not this
   * caller's: both look the same from outside.
   */
  find(id: unknown, owner: string): Task {
    const task = typeof id === 'string' ? this.#tasks.get(id)?.task : undefined
    if (task?.facts.owner === owner) return task
    const named =
      typeof id === 'string' ? `There is no task "${id}" (any more)` : 'params.taskId must be a string'
    throw new ProtocolError(ErrorCode.invalidParams, named)
  }

  /** The tasks that a session created, oldest first. */
  of(session: object): readonly Task[] {
    return [...this.#tasks.values()].flatMap(({ task }) => (task.facts.session === session ? [task] : []))
  }

  /** Cancels what is going on and forgets everything. */
  close(): void {
    for (const { task, timer } of this.#tasks.values()) {
      clearTimeout(timer)
      task.forget('the server stopped')
    }
    this.#tasks.clear()
  }
}
