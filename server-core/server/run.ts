import { CodedError } from '../protocol/coded-error.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Emission, Invocation, InvocationFacts, Question, SharedStore } from '../registry/invocation.ts'
import type { ChangeHub } from './changes.ts'
import type { WireResult } from './result-metadata.ts'

/** Bare results of the client, by the key of their question. */
export type Answers = Readonly<Record<string, JsonObject>>

/** What an era does for a running handler. */
export interface RunAdapter {
  emit(emission: Emission): void
  /** `withdrawn`: nobody waits for the answers any more. */
  ask(questions: readonly Question[], withdrawn?: AbortSignal): Promise<Answers>
}

/** Returns what the request brought. Asked at most once, when a handler looks: most never do. */
export interface FactSource {
  facts(): InvocationFacts
}

/** What runs: a handler with milliseconds of its own time. */
export type Runnable = {
  readonly timeoutMs: number
  /** What says how long that is; the limit `handlerMs` unless it is something else. */
  readonly timeoutName?: string
  /** The result, at once where nothing has to be awaited for it. Throws or rejects if there is none. */
  run(run: Run): WireResult | Promise<WireResult>
}

/** Learns of the end of a run, once. */
export interface RunEnd {
  succeeded(result: WireResult): void
  /** `error` is what the handler threw or rejected with, or a `RunEndedError`. */
  failed(error: unknown): void
}

/** A run that was ended from outside. `timeout`: its own time is up; `cancelled`: nobody waits for it any more. */
export class RunEndedError extends CodedError<'timeout' | 'cancelled'> {
  override readonly name = 'RunEndedError'
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
  readonly store: SharedStore
  readonly #source: FactSource
  readonly #changes: ChangeHub
  readonly #adapter: RunAdapter
  #controller: AbortController | undefined
  #ended: RunEndedError | undefined
  #over = false
  #facts: InvocationFacts | undefined
  #end: RunEnd | undefined
  #waits: Set<(error: unknown) => void> | undefined
  #limitMs = 0
  #limitName = ''
  #leftMs = 0
  #startedAt = 0
  #counting = false
  #timer: NodeJS.Timeout | undefined

  constructor(source: FactSource, store: SharedStore, changes: ChangeHub, adapter: RunAdapter) {
    this.#source = source
    this.store = store
    this.#changes = changes
    this.#adapter = adapter
  }

  get facts(): InvocationFacts {
    return (this.#facts ??= this.#source.facts())
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

  ask(questions: readonly Question[], withdrawn?: AbortSignal): Promise<Answers> {
    if (this.#over) {
      return Promise.reject(this.#ended ?? new RunEndedError('cancelled', 'the handler has finished already'))
    }
    return new Promise((resolve, reject) => {
      this.#stopClock()
      const waits = (this.#waits ??= new Set())
      waits.add(reject)
      const withdraw = () => {
        settle()
        reject(asError(withdrawn?.reason))
      }
      withdrawn?.addEventListener('abort', withdraw, { once: true })
      const settle = () => {
        withdrawn?.removeEventListener('abort', withdraw)
        if (waits.delete(reject) && waits.size === 0 && !this.#over) this.#startClock()
      }
      this.#adapter.ask(questions, withdrawn).then(
        (answers) => {
          settle()
          resolve(answers)
        },
        (error: unknown) => {
          settle()
          reject(asError(error))
        },
      )
    })
  }

  /**
   * Runs the handler of a call and tells `end` the result: at once if the handler gives no promise, and as soon as
   * `timeoutMs` of its own time are over or the run is cancelled. Its clock starts when it gives way for the first time.
   */
  execute(call: Runnable, end: RunEnd): void {
    this.#end = end
    let given: WireResult | Promise<WireResult>
    try {
      given = call.run(this)
    } catch (error) {
      this.#fail(error)
      return
    }
    if (!(given instanceof Promise)) {
      this.#succeed(given)
      return
    }
    this.#limitMs = call.timeoutMs
    this.#limitName = call.timeoutName ?? 'limit handlerMs'
    this.#leftMs = call.timeoutMs
    if (!this.#over && this.#waits === undefined) this.#startClock()
    given.then(
      (result) => {
        this.#succeed(result)
      },
      (error: unknown) => {
        this.#fail(error)
      },
    )
  }

  cancel(reason: string): void {
    this.#abort(new RunEndedError('cancelled', reason))
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
        const limit = `the time limit of the handler, ${this.#limitMs} ms, is over (${this.#limitName})`
        this.#abort(new RunEndedError('timeout', limit))
      },
      Math.max(0, leftMs),
    )
  }

  #stopClock(): void {
    if (!this.#counting) return
    this.#leftMs -= performance.now() - this.#startedAt
    this.#clearTimer()
  }

  #abort(error: RunEndedError): void {
    if (this.#over) return
    this.#ended = error
    this.#finish()
    this.#controller?.abort(error)
    for (const reject of this.#waits ?? []) reject(error)
    this.#waits?.clear()
    // Whoever ends it has its own work to finish first.
    queueMicrotask(() => this.#end?.failed(error))
  }

  #succeed(result: WireResult): void {
    if (this.#over) return
    this.#finish()
    this.#end?.succeeded(result)
  }

  #fail(error: unknown): void {
    if (this.#over) return
    this.#finish()
    this.#end?.failed(error)
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
