import { Worker } from 'node:worker_threads'
import type { JsonSchema } from '../protocol/json.ts'
import type { CheckOutcome, CheckRequest, FromWorker, ToWorker } from './messages.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Milliseconds that one check may take, compiling its schema included. */
export const CHECK_MS = 250
/** Milliseconds for starting the Worker and loading the validator, on a busy machine too. */
const START_MS = 30_000
/** An idle Worker ends after so many milliseconds. */
const IDLE_MS = 60_000

/** What a check came to: `out-of-time` if it took longer than `CHECK_MS`. */
export type WorkerOutcome = CheckOutcome | { readonly type: 'out-of-time' }

type Waiting = {
  readonly request: CheckRequest
  readonly settle: (outcome: WorkerOutcome) => void
}

/**
 * Checks values against schemas in a Worker that is ended when a check takes too long, so that no schema and no value of a
 * peer can keep this thread busy. Checks run one after another; the Worker starts with the first one.
 */
class CheckWorker {
  readonly #waiting: Waiting[] = []
  readonly #schemaIds = new WeakMap<JsonSchema, number>()
  #nextSchemaId = 1
  #nextId = 1
  #worker: Worker | undefined
  #current: (Waiting & { readonly id: number }) | undefined
  #timer: NodeJS.Timeout | undefined

  check(request: CheckRequest): Promise<WorkerOutcome> {
    return new Promise((settle) => {
      this.#waiting.push({ request, settle })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== undefined) return
    const next = this.#waiting.shift()
    clearTimeout(this.#timer)
    if (next === undefined) {
      this.#worker?.unref()
      this.#timer = setTimeout(() => {
        this.#end()
      }, IDLE_MS).unref()
      return
    }
    const id = this.#nextId
    this.#nextId += 1
    this.#current = { ...next, id }
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    this.#limit(START_MS)
    try {
      worker.postMessage({
        ...next.request,
        id,
        schemaId: this.#schemaId(next.request.schema),
      } satisfies ToWorker)
    } catch (error) {
      this.#settle({ type: 'unusable', reason: messageOf(error) })
    }
  }

  #start(): Worker {
    const built = '../schema-check-worker.js'
    const entry = new URL(import.meta.url.endsWith('.ts') ? './check-worker.ts' : built, import.meta.url)
    const worker = new Worker(entry, { stdout: false, stderr: false })
    worker.on('message', (message: FromWorker) => {
      if (message.id !== this.#current?.id) return
      if (message.type === 'started') this.#limit(CHECK_MS)
      else this.#settle(message.outcome)
    })
    worker.on('error', (error: unknown) => {
      this.#lost(worker, messageOf(error))
    })
    worker.on('exit', (code) => {
      this.#lost(worker, `the Worker exited with code ${code}`)
    })
    return worker
  }

  #limit(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#end()
      this.#settle({ type: 'out-of-time' })
    }, milliseconds)
  }

  #lost(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    if (this.#current !== undefined) this.#settle({ type: 'unusable', reason })
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #settle(outcome: WorkerOutcome): void {
    const { settle } = this.#current ?? {}
    this.#current = undefined
    settle?.(outcome)
    this.#next()
  }

  #schemaId(schema: JsonSchema): number {
    const known = this.#schemaIds.get(schema)
    if (known !== undefined) return known
    const id = this.#nextSchemaId
    this.#nextSchemaId += 1
    this.#schemaIds.set(schema, id)
    return id
  }
}

const shared = new CheckWorker()

/**
 * Checks a value against a schema that somebody else wrote, in a Worker of this process. Never rejects.
 *
 * @param request the schema must be JSON; the same schema object is compiled once
 * @returns the faults of the value, why the schema cannot be used, or `out-of-time` after 250 ms
 */
export function checkInWorker(request: CheckRequest): Promise<WorkerOutcome> {
  return shared.check(request)
}
