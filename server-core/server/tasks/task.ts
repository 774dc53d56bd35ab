import { Emitter } from '../../protocol/emitter.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Question } from '../../registry/invocation.ts'
import type { Answers } from '../run.ts'
import type { WireResult } from '../result-metadata.ts'

/** How the call of a task ended; each protocol makes its own status of it. */
export type TaskOutcome =
  | { readonly type: 'result'; readonly result: WireResult; readonly isError: boolean }
  | { readonly type: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }

export type TaskState =
  | { readonly type: 'working' }
  /** The handler waits for answers of the client. */
  | { readonly type: 'asking' }
  | { readonly type: 'ended'; readonly outcome: TaskOutcome }
  | { readonly type: 'cancelled' }
  /** Its time is over, and nobody can find it any more. */
  | { readonly type: 'gone' }

export type TaskFacts = {
  readonly id: string
  /** Names who may see the task. */
  readonly owner: string
  /** The session that created it, if there was one: only there it is listed. */
  readonly session: object | undefined
  /** Milliseconds for which it is kept, from its creation. */
  readonly ttlMs: number
  readonly pollIntervalMs: number
}

type Waiting = {
  readonly question: Question
  /** Somebody is asking the client just now. */
  claimed: boolean
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (error: Error) => void
}

const WORKING: TaskState = { type: 'working' }
const ASKING: TaskState = { type: 'asking' }

/** One call of a tool that goes on after its request was answered. */
export class Task {
  readonly facts: TaskFacts
  readonly createdAt = new Date()
  #updatedAt = this.createdAt
  #message: string | undefined
  #final: TaskState | undefined
  readonly #questions = new Map<string, Waiting>()
  readonly #usedKeys = new Set<string>()
  readonly #changes = new Emitter()
  readonly #stop: (reason: string) => void
  #isNotifying = false

  /** `stop` ends the handler's run. */
  constructor(facts: TaskFacts, stop: (reason: string) => void, message: string | undefined) {
    this.facts = facts
    this.#stop = stop
    this.#message = message
  }

  get state(): TaskState {
    return this.#final ?? (this.#questions.size > 0 ? ASKING : WORKING)
  }

  get updatedAt(): Date {
    return this.#updatedAt
  }

  /** What may be shown of it. */
  get message(): string | undefined {
    return this.#message
  }

  /** The questions that wait for answers, by a key that no other question of this task ever has. */
  get questions(): ReadonlyMap<string, Question> {
    return new Map([...this.#questions].map(([key, { question }]) => [key, question]))
  }

  /** Called soon after each change, once for the changes of one turn. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  /** Asks the client, all questions together, and gives the answers by the questions' own keys. */
  async ask(questions: readonly Question[]): Promise<Answers> {
    const waiting = questions.map(async (question) => {
      const answer = await new Promise<JsonObject>((resolve, reject) => {
        this.#questions.set(this.#freshKey(question.key), { question, claimed: false, resolve, reject })
      })
      return [question.key, answer] as const
    })
    this.#changed()
    return Object.fromEntries(await Promise.all(waiting))
  }

  /** Reserves a question for the client; undefined if another request has them all. `release` returns it. */
  claim(): { readonly key: string; readonly question: Question } | undefined {
    for (const [key, waiting] of this.#questions) {
      if (waiting.claimed) continue
      waiting.claimed = true
      return { key, question: waiting.question }
    }
    return undefined
  }

  /** The question that was taken could not be asked: somebody else may. */
  release(key: string): void {
    const waiting = this.#questions.get(key)
    if (waiting === undefined) return
    waiting.claimed = false
    this.#changed()
  }

  /** Accepts an answer; one to a question that does not wait (any more) is ignored. */
  answer(key: string, answer: JsonObject): void {
    this.#settle(key, (waiting) => {
      waiting.resolve(answer)
    })
  }

  /** The client refused to answer: the handler sees that as an error. */
  refuse(key: string, error: Error): void {
    this.#settle(key, (waiting) => {
      waiting.reject(error)
    })
  }

  setStatusMessage(message: string): void {
    if (this.#final !== undefined || message === this.#message) return
    this.#message = message
    this.#changed()
  }

  end(outcome: TaskOutcome): void {
    if (this.#final !== undefined) return
    if (outcome.type === 'error') this.#message = outcome.message
    this.#finish({ type: 'ended', outcome })
  }

  /** Ends it if it is not over; false if it was. */
  cancel(reason: string): boolean {
    if (this.#final !== undefined) return false
    this.#message = reason
    this.#finish({ type: 'cancelled' })
    this.#stop(reason)
    return true
  }

  /** Its time is over: nobody finds it any more. */
  forget(reason: string): void {
    const over = this.#final !== undefined
    this.#finish({ type: 'gone' })
    if (!over) this.#stop(reason)
  }

  #finish(state: TaskState): void {
    this.#final = state
    // The run rejects what still waits.
    this.#questions.clear()
    this.#changed()
  }

  #settle(key: string, how: (waiting: Waiting) => void): void {
    const waiting = this.#questions.get(key)
    if (waiting === undefined) return
    this.#questions.delete(key)
    this.#changed()
    how(waiting)
  }

  #freshKey(key: string): string {
    let fresh = key
    for (let count = 2; this.#usedKeys.has(fresh); count += 1) fresh = `${key} (${count})`
    this.#usedKeys.add(fresh)
    return fresh
  }

  #changed(): void {
    this.#updatedAt = new Date()
    if (this.#isNotifying || this.#changes.size === 0) return
    this.#isNotifying = true
    setImmediate(() => {
      this.#isNotifying = false
      this.#changes.emit()
    })
  }
}
