import type { JsonObject } from '../protocol/json.ts'
import type { Emission, Invocation, InvocationFacts, Question, SharedStore } from '../registry/invocation.ts'
import type { ChangeHub } from './changes.ts'

/** Bare results of the client, by the key of their question. */
export type Answers = Readonly<Record<string, JsonObject>>

/** What an era does for a running handler. */
export interface RunAdapter {
  emit(emission: Emission): void
  ask(questions: readonly Question[]): Promise<Answers>
}

/** A run that was ended from outside. `timeout`: its own time is up; `cancelled`: nobody waits for it any more. */
export class RunEndedError extends Error {
  override readonly name = 'RunEndedError'
  readonly code: 'timeout' | 'cancelled'

  constructor(code: 'timeout' | 'cancelled', message: string) {
    super(message)
    this.code = code
  }
}

/** Runs that began in this turn of the event loop. */
let started: Run[] = []

function setTimerSoon(run: Run): void {
  if (started.push(run) > 1) return
  setImmediate(() => {
    const runs = started
    started = []
    for (const each of runs) each.setTimer()
  })
}

/**
 * One running handler. It counts the handler's own time (not the time in which it waits for the client), makes
 * the abort signal only when it is looked at, and lets nothing through once the run is over.
 */
export class Run implements Invocation {
  readonly facts: InvocationFacts
  readonly store: SharedStore
  readonly #changes: ChangeHub
  readonly #adapter: RunAdapter
  #controller: AbortController | undefined
  #ended: RunEndedError | undefined
  #over = false
  #reject: ((error: unknown) => void) | undefined
  #waits: Set<(error: unknown) => void> | undefined
  #limitMs = 0
  #leftMs = 0
  #startedAt = 0
  #counting = false
  #timer: NodeJS.Timeout | undefined

  constructor(facts: InvocationFacts, store: SharedStore, changes: ChangeHub, adapter: RunAdapter) {
    this.facts = facts
    this.store = store
    this.#changes = changes
    this.#adapter = adapter
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ended !== undefined) this.#controller.abort(this.#ended)
    }
    return this.#controller.signal
  }

  emit(emission: Emission): void {
    if (!this.#over) this.#adapter.emit(emission)
  }

  changed(change: Parameters<Invocation['changed']>[0]): void {
    this.#changes.announce(
      'kind' in change ? { type: 'list', kind: change.kind } : { type: 'updated', uri: change.uri },
    )
  }

  ask(questions: readonly Question[]): Promise<Answers> {
    if (this.#over) {
      return Promise.reject(this.#ended ?? new RunEndedError('cancelled', 'the handler has finished already'))
    }
    return new Promise((resolve, reject) => {
      this.#stopClock()
      const waits = (this.#waits ??= new Set())
      waits.add(reject)
      const settle = () => {
        if (waits.delete(reject) && waits.size === 0 && !this.#over) this.#startClock()
      }
      this.#adapter.ask(questions).then(
        (answers) => {
          settle()
          resolve(answers)
        },
        (error: unknown) => {
          settle()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    })
  }

  /**
   * Runs the handler and gives its value. Rejects with what it rejects with, or with a `RunEndedError` as soon as
   * `timeoutMs` of its own time are over or the run is cancelled.
   */
  execute<T>(timeoutMs: number, handler: (run: Run) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      this.#limitMs = timeoutMs
      this.#leftMs = timeoutMs
      this.#startClock()
      handler(this).then(
        (value) => {
          this.#finish()
          resolve(value)
        },
        (error: unknown) => {
          this.#finish()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    })
  }

  cancel(reason: string): void {
    this.#end(new RunEndedError('cancelled', reason))
  }

  #startClock(): void {
    this.#startedAt = performance.now()
    this.#counting = true
    setTimerSoon(this)
  }

  /** Sets the timer of a run that is still going at the end of this turn: most are over by then. */
  setTimer(): void {
    if (!this.#counting || this.#timer !== undefined) return
    const leftMs = this.#leftMs - (performance.now() - this.#startedAt)
    this.#timer = setTimeout(
      () => {
        const limit = `the time limit of the handler, ${this.#limitMs} ms, is over`
        this.#end(
          new RunEndedError('timeout', `${limit} (a tool's timeout; the limit handlerMs of all else)`),
        )
      },
      Math.max(0, leftMs),
    )
  }

  #stopClock(): void {
    if (!this.#counting) return
    this.#leftMs -= performance.now() - this.#startedAt
    this.#clearTimer()
  }

  #end(error: RunEndedError): void {
    if (this.#over) return
    this.#ended = error
    this.#finish()
    this.#controller?.abort(error)
    for (const reject of this.#waits ?? []) reject(error)
    this.#waits?.clear()
    this.#reject?.(error)
  }

  #finish(): void {
    this.#over = true
    this.#clearTimer()
  }

  #clearTimer(): void {
    this.#counting = false
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
