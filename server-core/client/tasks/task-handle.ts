import { Emitter } from '../../protocol/emitter.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Connection, RequestResult } from '../connection.ts'
import { PeerError, RequestFailedError } from '../errors.ts'
import { QuestionWithdrawn } from '../answers/question-withdrawn.ts'
import type { InputRequest } from '../rounds/rounds.ts'
import { isOver, readTask, type TaskReference, type TaskState } from './task-state.ts'

/** Options of waiting for the result of a task. */
export type TaskResultOptions = {
  /** Aborting ends the waiting; the task goes on. */
  readonly signal?: AbortSignal
  /** Milliseconds to wait in all; without end unless told. */
  readonly maximumMs?: number
  /** `manual`: nobody answers what the task asks but `answer`. */
  readonly questions?: 'auto' | 'manual'
}

const USUAL_POLL_MS = 1_000
const SHORTEST_POLL_MS = 20
const LONGEST_POLL_MS = 30_000
/** How often in a row asking may fail before waiting is given up. */
const FAILURES = 5

/**
 * A task of a server, of either kind: where it stands, its end, its cancellation. It may be made again from its
 * reference at any time, also on another connection of the same caller.
 *
 * @example
 * ```ts
 * import { connectTo, callTool, TaskHandle } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const outcome = await callTool(connection, { name: 'add', arguments: { a: 1, b: 2 } })
 * if (outcome.type === 'task') {
 *   // The reference is data: another process can go on with it.
 *   const same = new TaskHandle(connection, outcome.task.reference)
 *   console.log((await same.result()).result)
 * }
 * await connection.close()
 * ```
 */
export class TaskHandle {
  readonly reference: TaskReference
  readonly #connection: Connection
  readonly #states = new Emitter<TaskState>()
  /** Keys that were answered: they are never asked again, whatever the server still shows. */
  readonly #answered = new Set<string>()
  /** Questions that somebody looks for an answer to. */
  readonly #asking = new Map<string, AbortController>()
  /** Why a question could not be answered. */
  #failure: Error | undefined
  #state: TaskState | undefined
  /** Ends the pauses of those who wait. */
  readonly #sleepers = new Set<() => void>()
  #delivery: Promise<RequestResult> | undefined
  /** The waiting that listens already. */
  #watched: AbortSignal | undefined
  /** A notice came that no look at the task has followed yet. */
  #isNoticed = false

  constructor(connection: Connection, reference: TaskReference, state?: TaskState) {
    this.#connection = connection
    this.reference = reference
    this.#state = state
  }

  /** Where it stood when it was last heard of; undefined before `refresh` if it was made from its reference. */
  get state(): TaskState | undefined {
    return this.#state
  }

  /** Calls back whenever it is heard of; `result` and `refresh` listen. Returns an unsubscribe function. */
  onState(listener: (state: TaskState) => void): () => void {
    return this.#states.listen(listener)
  }

  /** Asks where it stands. Throws as a request does; a `PeerError` if the server does not know the task (any more). */
  async refresh(signal?: AbortSignal): Promise<TaskState> {
    const { result, bytes } = await this.#request('tasks/get', {}, signal)
    return this.#receive(result, bytes)
  }

  /** The questions that wait for `answer`, by key (extension). */
  get questions(): readonly (readonly [string, InputRequest])[] {
    return Object.entries(this.#state?.questions ?? {}).filter(([key]) => !this.#answered.has(key))
  }

  /** Returns answers: bare results by the keys of their questions (extension). Throws as a request does. */
  async answer(answers: Readonly<Record<string, JsonObject>>, signal?: AbortSignal): Promise<void> {
    const keys = Object.keys(answers)
    for (const key of keys) this.#answered.add(key)
    try {
      await this.#request('tasks/update', { inputResponses: answers }, signal)
    } catch (error) {
      for (const key of keys) this.#answered.delete(key)
      throw error
    }
  }

  /** Asks the server to stop it. Gives where it stands then; the extension's servers may need a while. */
  async cancel(signal?: AbortSignal): Promise<TaskState> {
    const { result, bytes } = await this.#request('tasks/cancel', {}, signal)
    return this.reference.kind === 'core' ? this.#receive(result, bytes) : this.refresh(signal)
  }

  /**
   * Waits for its end and gives the result that the request would have had; what it asks meanwhile goes to the
   * responders. Throws what the request would have thrown, and a `RequestFailedError` (`cancelled`) if the task was
   * cancelled. Status notices shorten the waiting, and
   * are listened for; nothing relies on them.
   */
  async result(options: TaskResultOptions = {}): Promise<RequestResult> {
    const { signal, maximumMs = Infinity } = options
    const over = new AbortController()
    const giveUp = (code: 'cancelled' | 'timeout' | 'closed', reason: string): void =>
      over.abort(new RequestFailedError(code, reason))
    const onAbort = (): void => giveUp('cancelled', 'waiting for the task was given up; the task goes on')
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    const late = (): void => giveUp('timeout', `the task was not over within ${maximumMs} ms; it goes on`)
    const limit = maximumMs === Infinity ? undefined : setTimeout(late, maximumMs)
    const stops = [
      this.#connection.on('closed', ({ message }) => giveUp('closed', `the connection ended: ${message}`)),
      this.#connection.on('taskStatus', ({ taskId, task }) => {
        if (taskId === this.reference.taskId) this.#noticed(task)
      }),
    ]
    this.#failure = undefined
    if (this.reference.kind === 'core') {
      const lost = [`task ${this.reference.taskId}, unless the server keeps it beyond its session`]
      stops.push(this.#connection.onRenewal(() => Promise.resolve({ restored: [], lost })))
    }
    try {
      return await this.#wait(over.signal, options.questions !== 'manual')
    } catch (error) {
      throw over.signal.aborted ? over.signal.reason : error
    } finally {
      over.abort()
      clearTimeout(limit)
      signal?.removeEventListener('abort', onAbort)
      for (const stop of stops) stop()
    }
  }

  async #wait(signal: AbortSignal, answers: boolean): Promise<RequestResult> {
    let failures = 0
    for (let state = this.#state, bytes: Uint8Array | undefined; ;) {
      signal.throwIfAborted()
      if (this.#failure !== undefined) throw this.#failure
      if (state === undefined || bytes === undefined || !isOver(state)) {
        if (state !== undefined && !isOver(state)) {
          const attended = answers ? await this.#attend(state, signal) : undefined
          if (attended !== undefined) return attended
          await this.#pause(state, signal)
        }
        try {
          this.#isNoticed = false
          const read = await this.#request('tasks/get', {}, signal)
          failures = 0
          state = this.#receive(read.result, read.bytes)
          bytes = read.bytes
          if (!isOver(state)) this.#watch(signal)
        } catch (error) {
          failures += 1
          if (!isPassing(error) || failures >= FAILURES || signal.aborted) throw error
          await this.#sleep(USUAL_POLL_MS * failures, signal)
        }
      } else return this.#end(state, bytes, signal)
    }
  }

  /**
   * Has the server tell where a task of the extension stands, once the first look found it unfinished. A server that
   * cannot, or a listen that is lost, leaves it to be asked for.
   */
  #watch(signal: AbortSignal): void {
    if (this.reference.kind === 'core' || this.#watched === signal) return
    this.#watched = signal
    this.#connection.listen({ taskIds: [this.reference.taskId] }).then(
      (listening) => {
        if (signal.aborted) listening.close()
        else signal.addEventListener('abort', () => listening.close(), { once: true })
      },
      () => undefined,
    )
  }

  /** Sees to what the task asks. In 2025-11-25 it asks while its result is waited for, so that this gives the result. */
  async #attend(state: TaskState, signal: AbortSignal): Promise<RequestResult | undefined> {
    if (state.status !== 'input_required') return undefined
    if (this.reference.kind === 'core') {
      this.#delivery ??= this.#fetchResult(signal)
      // Where it stands is still asked for meanwhile, so that whoever watches sees it move.
      this.#delivery.catch(() => undefined)
      const first = await Promise.race([this.#delivery, this.#pause(state, signal)])
      if (first !== undefined) return first
      return undefined
    }
    for (const [key, question] of this.questions) {
      if (!this.#asking.has(key)) void this.#ask(key, question, state, signal)
    }
    return undefined
  }

  /** Has one question answered while the task is still looked at: it may be taken back, or the task end. */
  async #ask(key: string, question: InputRequest, { raw }: TaskState, over: AbortSignal): Promise<void> {
    const asking = new AbortController()
    const withdraw = (): void => asking.abort(new QuestionWithdrawn('connection'))
    over.addEventListener('abort', withdraw, { once: true })
    this.#asking.set(key, asking)
    const { signal } = asking
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(raw))
      const answer = await this.#connection.answerFor(key, question, { bytes, signal })
      if (!signal.aborted) await this.answer({ [key]: answer }, over)
    } catch (error) {
      if (!signal.aborted) this.#failure = error instanceof Error ? error : new Error(String(error))
    } finally {
      over.removeEventListener('abort', withdraw)
      this.#asking.delete(key)
      for (const wake of this.#sleepers) wake()
    }
  }

  async #end(state: TaskState, bytes: Uint8Array, signal: AbortSignal): Promise<RequestResult> {
    if (state.status === 'cancelled') {
      const why = state.statusMessage === undefined ? '' : `: ${state.statusMessage}`
      throw new RequestFailedError('cancelled', `the task was cancelled${why}`, { bytes })
    }
    if (this.reference.kind === 'core') return this.#delivery ?? this.#fetchResult(signal)
    const { result, error } = state.raw
    if (state.status === 'completed' && isJsonObject(result)) return { result, bytes }
    if (state.status === 'failed' && isJsonObject(error)) {
      const { code, message, data } = error
      if (typeof code === 'number' && typeof message === 'string')
        throw new PeerError({ code, message, ...(data === undefined ? {} : { data }) }, { bytes })
    }
    const message = `a task that has ${state.status} needs ${state.status === 'failed' ? 'an error' : 'a result'}`
    throw new RequestFailedError('invalid-answer', message, { bytes })
  }

  #fetchResult(signal: AbortSignal): Promise<RequestResult> {
    return this.#connection.request('tasks/result', this.#params({}), {
      signal,
      timeoutMs: Infinity,
      maximumMs: Infinity,
    })
  }

  /** Waits as long as the server wants to be left alone, or until it tells something. */
  async #pause({ pollIntervalMs = USUAL_POLL_MS }: TaskState, signal: AbortSignal): Promise<undefined> {
    if (this.#isNoticed) return undefined
    const milliseconds = Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pollIntervalMs))
    await this.#sleep(milliseconds, signal)
    return undefined
  }

  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    const wake = (): void => resolve()
    signal.addEventListener('abort', wake, { once: true })
    this.#sleepers.add(wake)
    await promise
    this.#sleepers.delete(wake)
    signal.removeEventListener('abort', wake)
    clearTimeout(timer)
  }

  #request(method: string, params: JsonObject, signal: AbortSignal | undefined): Promise<RequestResult> {
    return this.#connection.request(method, this.#params(params), signal === undefined ? {} : { signal })
  }

  #params(params: JsonObject): JsonObject {
    return { taskId: this.reference.taskId, ...params }
  }

  #receive(raw: JsonObject, bytes: Uint8Array): TaskState {
    const state = readTask(this.reference.kind, raw)
    if (!state.ok) throw new RequestFailedError('invalid-answer', state.reason, { bytes })
    this.#become(state.value)
    return state.value
  }

  /** A notice wakes whoever waits; where the task stands is then asked for. */
  #noticed(raw: JsonObject): void {
    const state = readTask(this.reference.kind, raw)
    if (!state.ok || (this.#state !== undefined && isOver(this.#state))) return
    this.#isNoticed = true
    this.#become(state.value)
    for (const wake of this.#sleepers) wake()
  }

  #become(state: TaskState): void {
    this.#state = state
    for (const [key, asking] of this.#asking) {
      if (!Object.hasOwn(state.questions, key)) asking.abort(new QuestionWithdrawn('server'))
    }
    this.#states.emit(state)
  }
}

/** A failure that may be over by the next time. */
function isPassing(error: unknown): boolean {
  return error instanceof RequestFailedError && (error.code === 'timeout' || error.code === 'transport')
}
