import { startWorker } from '../../csp/trusted-types.ts'
import type { Check } from './check-arguments.ts'
import type { CheckReply, CheckRequest } from './check-messages.ts'
import workerUrl from './check-worker.ts?worker&url'

/** Milliseconds that a check may take, and how much more for each 1,024 characters of the schema and the value. */
const CHECK_MS = 250
const CHECK_MS_PER_KIB = 1
/** Milliseconds until an unresponsive worker is given up: it did not start, or its code did not load. */
const START_MS = 20_000

/** Schemas that one worker keeps. */
const MAX_SCHEMAS = 100

type Schema = { readonly id: number; readonly text: string }

type Job = {
  readonly id: number
  readonly owner: object
  readonly schema: Schema
  readonly text: string
  readonly resolve: (check: Check | undefined) => void
}

type Running = { readonly job: Job; timer: ReturnType<typeof setTimeout> }

/**
 * Checks values against the schemas of servers in a worker, one after the other. A check that takes too long is ended
 * together with its worker; the checks after it get a new one.
 */
class CheckRunner {
  readonly #schemas = new WeakMap<object, Schema>()
  readonly #waiting: Job[] = []
  #worker: Worker | undefined
  /** The schemas that the present worker has. */
  #sent = new Set<number>()
  #running: Running | undefined
  #lastId = 0

  /**
   * Checks JSON text against a schema. A newer check of the same owner replaces one that has not begun.
   *
   * @param text must be JSON
   * @returns undefined if a newer check replaced this one. Never rejects
   */
  check(owner: object, schema: unknown, text: string): Promise<Check | undefined> {
    return new Promise((resolve) => {
      this.#lastId += 1
      const replaced = this.#waiting.findIndex((job) => job.owner === owner)
      if (replaced >= 0) for (const job of this.#waiting.splice(replaced, 1)) job.resolve(undefined)
      this.#waiting.push({ id: this.#lastId, owner, schema: this.#schemaOf(schema), text, resolve })
      this.#next()
    })
  }

  #schemaOf(schema: unknown): Schema {
    const isObject = typeof schema === 'object' && schema !== null
    const known = isObject ? this.#schemas.get(schema) : undefined
    if (known !== undefined) return known
    this.#lastId += 1
    const made = { id: this.#lastId, text: JSON.stringify(schema ?? true) }
    if (isObject) this.#schemas.set(schema, made)
    return made
  }

  #next(): void {
    const job = this.#running === undefined ? this.#waiting.shift() : undefined
    if (job === undefined) return
    const { id, schema, text } = job
    if (this.#sent.size >= MAX_SCHEMAS) this.#endWorker()
    const worker = (this.#worker ??= this.#start())
    this.#running = {
      job,
      timer: setTimeout(() => this.#giveUp('the worker that checks values did not start'), START_MS),
    }
    const request: CheckRequest = { id, schemaId: schema.id, text }
    worker.postMessage(this.#sent.has(schema.id) ? request : { ...request, schemaText: schema.text })
    this.#sent.add(schema.id)
  }

  #start(): Worker {
    const worker = startWorker(workerUrl)
    worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
      const running = this.#running
      if (worker !== this.#worker || running?.job.id !== data.id) return
      clearTimeout(running.timer)
      if (data.type === 'checked') this.#end(data.check)
      else running.timer = setTimeout(() => this.#timeOut(running), limitOf(running.job))
    })
    worker.addEventListener('error', () => {
      if (worker === this.#worker) this.#giveUp('the worker that checks values did not start')
    })
    return worker
  }

  /** The page may have been busy itself: a reply that is there by now still counts. */
  #timeOut(running: Running): void {
    running.timer = setTimeout(() => this.#giveUp('took too long'))
  }

  #giveUp(reason: string): void {
    this.#endWorker()
    this.#end({ state: 'not-checked', reason })
  }

  #endWorker(): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#sent = new Set()
  }

  #end(check: Check): void {
    const running = this.#running
    this.#running = undefined
    clearTimeout(running?.timer)
    running?.job.resolve(check)
    this.#next()
  }
}

function limitOf({ schema, text }: Job): number {
  return CHECK_MS + ((schema.text.length + text.length) / 1_024) * CHECK_MS_PER_KIB
}

/** The checks of this page. */
export const checkRunner = new CheckRunner()
