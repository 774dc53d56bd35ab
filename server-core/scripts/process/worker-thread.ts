import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { MARK_VARIABLE } from '../../processes/process-mark.ts'
import { handlerErrorText } from '../../registry/handler-errors.ts'
import type { Measured, WorkerEnd, WorkerNews, WorkerStart } from '../channel.ts'
import { parseWorkerMessage } from '../channel-parsers.ts'
import { isPortEncoded, type PortEncoded } from '../encode-for-port.ts'
import { outOfMemory } from './memory-watch.ts'

export type WorkerEvents = {
  /** @throws Error if the message cannot be passed on */
  said(message: PortEncoded): void
  news(news: WorkerNews): void
  ended(end: WorkerEnd): void
}

/** What a heap may grow by until the watch has seen it. */
const HEAP_MARGIN_MEGABYTES = 1_024

/** One Worker, and why it ended in the end. */
export class WorkerThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #number: number
  readonly #start: WorkerStart
  readonly #events: WorkerEvents
  #end: WorkerEnd | undefined

  constructor(number: number, entry: string, start: WorkerStart, events: WorkerEvents) {
    this.#number = number
    this.#start = start
    this.#events = events
    // Not the Worker's own port, on which any code in it could speak.
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(entry, {
      workerData: { start, port: port2 },
      transferList: [port2],
      env: { ...start.env, ...ownMark() },
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
    port1.on('message', (message: unknown) => {
      this.#receive(message)
    })
    port1.on('messageerror', (error) => {
      this.#reject(`sent a message that cannot be read: ${handlerErrorText(error)}`)
    })
    this.#worker.on('error', (error) => {
      this.#end ??= { reason: this.#reasonOf(error) }
    })
    this.#worker.on('exit', (code) => {
      for (let last = receiveMessageOnPort(port1); last !== undefined; last = receiveMessageOnPort(port1))
        this.#receive(last.message)
      port1.close()
      events.ended(this.#end ?? { reason: `exited with code ${code}` })
    })
  }

  get bounds(): { readonly heapMegabytes: number; readonly memoryMegabytes: number } {
    return this.#start
  }

  send(message: PortEncoded): void {
    this.#port.postMessage(message)
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

  #receive(value: unknown): void {
    const said = parseWorkerMessage(value)
    if (said === undefined) {
      this.#reject('sent an invalid message')
      return
    }
    try {
      if (isPortEncoded(said)) this.#events.said(said)
      else if (said.type === 'dying') this.#end ??= said.end
      else this.#events.news(said)
    } catch (error) {
      this.#reject(`sent a message that cannot be passed on: ${handlerErrorText(error)}`)
    }
  }

  #reject(reason: string): void {
    this.#end ??= { reason }
    this.end()
  }

  #reasonOf(error: unknown): string {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    return isFull ? outOfMemory(this.#start) : `failed: ${handlerErrorText(error)}`
  }
}

/** The mark of this process, by which what a script starts is found. */
function ownMark(): Readonly<Record<string, string>> {
  const mark = process.env[MARK_VARIABLE]
  return mark === undefined ? {} : { [MARK_VARIABLE]: mark }
}
