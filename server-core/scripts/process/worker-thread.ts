import { Worker } from 'node:worker_threads'
import { messageOf } from '../../registry/handler-errors.ts'
import type { Measured, WorkerEnd, WorkerNews, WorkerSays, WorkerStart } from '../channel.ts'
import { outOfMemory } from './memory-watch.ts'

export type WorkerEvents = {
  said(message: unknown): void
  news(news: WorkerNews): void
  ended(end: WorkerEnd): void
}

/** What a heap may grow by until the watch has seen it. */
const HEAP_MARGIN_MEGABYTES = 1_024

/** One Worker, and why it ended in the end. */
export class WorkerThread {
  readonly #worker: Worker
  readonly #number: number
  readonly #start: WorkerStart
  #end: WorkerEnd | undefined

  constructor(number: number, entry: string, start: WorkerStart, events: WorkerEvents) {
    this.#number = number
    this.#start = start
    this.#worker = new Worker(entry, {
      workerData: start,
      env: { ...start.env },
      stdin: false,
      // What goes past the Worker's own capture is dropped and not mixed with ours.
      stdout: true,
      stderr: true,
      execArgv: [],
      // The watch is first: V8 ends the whole process where it finds no room in the middle of its own work.
      resourceLimits: { maxOldGenerationSizeMb: start.heapMegabytes + HEAP_MARGIN_MEGABYTES, stackSizeMb: 4 },
    })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('message', (said: WorkerSays) => {
      if (said.type === 'said') events.said(said.message)
      else if (said.type === 'dying') this.#end ??= said.end
      else events.news(said)
    })
    this.#worker.on('messageerror', (error) => {
      this.#end ??= { reason: `sent what cannot be read: ${messageOf(error)}` }
      this.end()
    })
    this.#worker.on('error', (error) => {
      this.#end ??= { reason: this.#reasonOf(error) }
    })
    this.#worker.on('exit', (code) => {
      events.ended(this.#end ?? { reason: `exited with code ${code}` })
    })
  }

  get bounds(): { readonly heapMegabytes: number; readonly memoryMegabytes: number } {
    return this.#start
  }

  tell(message: unknown): void {
    this.#worker.postMessage(message)
  }

  /** Ends it at once, whatever it does; code that waits in the system holds that up. */
  end(reason?: string): void {
    if (reason !== undefined) this.#end ??= { reason }
    void this.#worker.terminate()
  }

  /** What it holds; also while it runs a loop. Undefined once it has ended. */
  async measure(): Promise<Measured | undefined> {
    try {
      const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics()
      return { worker: this.#number, heapBytes: used_heap_size, externalBytes: external_memory }
    } catch {
      return undefined
    }
  }

  #reasonOf(error: unknown): string {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    return isFull ? outOfMemory(this.#start) : `failed: ${messageOf(error)}`
  }
}
