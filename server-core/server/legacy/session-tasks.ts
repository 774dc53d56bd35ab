import type { JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { InvocationFacts } from '../../registry/invocation.ts'
import type { SessionAudience } from '../audience.ts'
import type { ServerCore } from '../core.ts'
import { EmissionFilter } from '../emission.ts'
import { encodeNotification } from '../encode.ts'
import { failureOf } from '../failure.ts'
import type { Feature } from '../features/feature.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import { admitQuestions, questionFor } from '../questions.ts'
import { Run, type FactSource } from '../run.ts'
import { addResultMetadata, type WireResult } from '../result-metadata.ts'
import { askedTask, coreTask, relatedTask, serveCoreTasks } from '../tasks/core-tasks.ts'
import { TaskRun } from '../tasks/task-run.ts'
import type { Task, TaskOutcome } from '../tasks/task.ts'

export type SessionTasksOptions = {
  readonly core: ServerCore
  readonly row: RevisionRow
  /** Names who may see the session's tasks. */
  readonly owner: string
  readonly audience: SessionAudience
  /** Handles messages that belong to no request. */
  readonly send: (bytes: Uint8Array) => void
}

/** A task that is there, but whose handler waits for its request to be answered. */
export type BegunTask = { readonly result: WireResult; readonly start: () => void }

/** The tasks of one legacy session (2025-11-25, Tasks). They outlive it; notifications to it end with it. */
export class SessionTasks {
  readonly #options: SessionTasksOptions
  #stops: (() => void)[] = []
  #closed = false

  constructor(options: SessionTasksOptions) {
    this.#options = options
  }

  /** What serves `tasks/get`, `result`, `cancel` and `list`; undefined for any other method. */
  feature(method: string): Feature | undefined {
    const { core, row, owner } = this.#options
    if (!method.startsWith('tasks/') || !Object.hasOwn(row.requests, method)) return undefined
    return ({ params }) => {
      const prepared = serveCoreTasks(core.tasks, { owner, session: this }, method, params)
      if (prepared === undefined) throw new TypeError(`"${method}" is not a method of tasks`)
      return prepared
    }
  }

  /**
   * Makes a task of a call, if its client asks for that: what the call is answered with, and what starts its handler
   * then. Undefined for a plain call. Throws a `ProtocolError` if the tool does not run so, or there is no room for another task.
   */
  begin(call: HandlerCall, params: JsonObject, source: FactSource): BegunTask | undefined {
    const asked = askedTask(call, params)
    if (asked === undefined) return undefined
    const facts = source.facts()
    const { core, row, owner } = this.#options
    const task = core.tasks.create({
      owner,
      session: this,
      ttlMs: asked.ttlMs ?? call.task?.ttlMs,
      pollIntervalMs: call.task?.pollIntervalMs,
      stop: (reason) => {
        run.cancel(reason)
      },
    })
    this.#watch(task)
    const run = new Run(source, core.store, core.changes, this.#runOf(task, facts))
    const result: WireResult = { task: coreTask(task) }
    const message = call.task?.immediateResponse
    if (message !== undefined) result['_meta'] = { [MetaKey.modelImmediateResponse]: message }
    const start = () => {
      const failed = (error: unknown) => {
        task.end(this.#outcomeOf(error, call))
      }
      const succeeded = (value: WireResult) => {
        const complete = addResultMetadata(core.info, row, value, false)
        try {
          // What JSON cannot carry is a fault of the tool, to be seen now and not when the client asks.
          JSON.stringify(complete)
        } catch (error) {
          failed(error)
          return
        }
        task.end({ type: 'result', result: complete, isError: complete['isError'] === true })
      }
      run.execute(call, { succeeded, failed })
    }
    return { result, start }
  }

  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
    this.#stops = []
  }

  /** Every change is notified, as long as the session lasts. */
  #watch(task: Task): void {
    const stop = task.onChange(() => {
      if (task.state.type !== 'gone') {
        this.#options.send(encodeNotification('notifications/tasks/status', coreTask(task)))
      }
      if (task.state.type === 'working' || task.state.type === 'asking') return
      stop()
      this.#stops = this.#stops.filter((each) => each !== stop)
    })
    this.#stops.push(stop)
  }

  /** Progress and logs of a task go out beside its request, which was answered, and name the task. */
  #runOf(task: Task, facts: InvocationFacts): TaskRun {
    const { core, row, audience, send } = this.#options
    const filter = new EmissionFilter(
      facts.meta['progressToken'],
      audience,
      row.progressMessages,
      relatedTask(task),
    )
    return new TaskRun(
      task,
      (questions) => {
        const written = questions.map((question) => questionFor(row, question, facts.clientCapabilities))
        return admitQuestions(written, facts.clientCapabilities, core.validators)
      },
      (emission) => {
        const bytes = this.#closed || task.state.type === 'ended' ? undefined : filter.encode(emission)
        if (bytes !== undefined) send(bytes)
      },
    )
  }

  #outcomeOf(error: unknown, call: HandlerCall): TaskOutcome {
    const failure = failureOf(error, this.#options.row, call)
    if (failure.type === 'result') return { type: 'result', result: failure.result, isError: true }
    return { type: 'error', ...failure.error.toBody() }
  }
}
