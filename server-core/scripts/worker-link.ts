import { Emitter } from '../protocol/emitter.ts'
import { isJsonObject } from '../protocol/json.ts'
import { handlerErrorText } from '../registry/handler-errors.ts'
import type { MessageEndpoint } from '../registry/port/message-endpoint.ts'
import { encodeError } from '../registry/port/remote-error.ts'
import type { WorkerEnd, WorkerNews } from './channel.ts'
import { encodeForPort, decodeFromPort, type PortEncoded } from './encode-for-port.ts'
import type { SourcePlace } from './script-error.ts'

/** How a Worker ended. */
export type LinkEnd = {
  /** As a clause: "exited with code 3". */
  readonly reason: string
  readonly at?: SourcePlace
  /**
   * `itself`: it is at fault. `asked`: it was asked to. `another`: its process had to end for another Worker.
   * `perhaps`: its process crashed, and it is one of those that ran.
   */
  readonly by: 'itself' | 'asked' | 'another' | 'perhaps'
  /** Its process ended, and with it the other Workers. */
  readonly endedProcess: boolean
  /** Calls that ran in it. */
  readonly calls: number
}

export type LinkParts = {
  readonly worker: number
  /** Of the workspace: whose code runs there. */
  readonly file: () => string
  /** Milliseconds that it may take to end before its process is killed. */
  readonly graceMs: number
  send(message: PortEncoded): void
  /** Asks for its end at once; called once. */
  end(): void
  /** It did not end in time, so its process has to. */
  killProcess(reason: string): void
}

/** One that did nothing wrong is given longer: its process ends with the calls of others. */
const POLITE_GRACES = 20

/** The way to one Worker in the process that runs scripts, and what is known of the calls on it. */
export class WorkerLink implements MessageEndpoint {
  readonly worker: number
  readonly closed: Promise<string>
  readonly #parts: LinkParts
  readonly #ended = Promise.withResolvers<LinkEnd>()
  readonly #messages = new Emitter<unknown>()
  readonly #news = new Emitter<WorkerNews>()
  readonly #calls = new Set<unknown>()
  /** Requests of handlers that wait for the client, with their calls, oldest first. */
  readonly #waiting = new Map<unknown, unknown>()
  #askedToEnd: { readonly reason: string | undefined } | undefined
  #isOver = false
  #grace: NodeJS.Timeout | undefined
  onWait: (() => void) | undefined

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.worker = parts.worker
    this.closed = this.#ended.promise.then(({ reason }) => reason)
  }

  /** Resolves when it is over. */
  get ended(): Promise<LinkEnd> {
    return this.#ended.promise
  }
  get isOver(): boolean {
    return this.#isOver
  }
  get callsInFlight(): number {
    return this.#calls.size
  }
  get waiting(): number {
    return this.#waiting.size
  }
  get file(): string {
    return this.#parts.file()
  }

  post(message: unknown): void {
    if (this.#isOver) return
    const sent = encodeForPort(message)
    if (isJsonObject(message)) {
      if (message['type'] === 'call') this.#calls.add(message['call'])
      else if (message['type'] === 'read') this.#calls.add(message['id'])
      else if (message['type'] === 'reply' || message['type'] === 'failed')
        this.#waiting.delete(message['id'])
    }
    this.#parts.send(sent)
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.listen(listener)
  }

  onNews(listener: (news: WorkerNews) => void): void {
    this.#news.listen(listener)
  }

  /** Has it ended; `reason` says what it did wrong, if it did. */
  close(reason?: string): void {
    if (this.#isOver || this.#askedToEnd !== undefined) return
    this.#askedToEnd = { reason }
    this.#parts.end()
    this.#grace = setTimeout(
      () => {
        this.#parts.killProcess(reason ?? 'did not end when it was asked to')
      },
      this.#parts.graceMs * (reason === undefined ? POLITE_GRACES : 1),
    )
  }

  /** Fails the requests that wait longest, so that no more than `most` wait. */
  failWaiting(most: number, error: Error): void {
    const tooMany = [...this.#waiting.keys()].slice(0, Math.max(0, this.#waiting.size - most))
    for (const id of tooMany) this.post({ type: 'failed', id, error: encodeError(error) })
  }

  /** Handles the job messages of the Worker. An unreadable message ends the Worker. */
  receive(said: PortEncoded): void {
    if (this.#isOver) return
    this.#guarded(() => {
      const message = decodeFromPort(said)
      if (isJsonObject(message)) this.#note(message)
      this.#messages.emit(message)
    })
  }

  receiveNews(news: WorkerNews): void {
    this.#guarded(() => {
      this.#news.emit(news)
    })
  }

  /** Whatever a message makes fail here, it is the fault of who sent it, and must not be that of this process. */
  #guarded(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.close(`sent a message that cannot be used: ${handlerErrorText(error)}`)
    }
  }

  /** It ended: by itself, or because it was asked to. */
  over({ reason, at }: WorkerEnd): void {
    const asked = this.#askedToEnd
    this.#finish({
      reason: asked?.reason ?? reason,
      ...(at === undefined ? {} : { at }),
      by: asked !== undefined && asked.reason === undefined ? 'asked' : 'itself',
      endedProcess: false,
    })
  }

  /** Its process ended. */
  overWithProcess(reason: string, by: LinkEnd['by']): void {
    const wasAsked = this.#askedToEnd !== undefined && this.#askedToEnd.reason === undefined
    this.#finish({ reason, by: wasAsked ? 'asked' : by, endedProcess: true })
  }

  #note(message: Readonly<Record<string, unknown>>): void {
    const { type, call, id, request } = message
    if (type === 'done' || type === 'error') {
      this.#calls.delete(call)
      for (const [waiting, ofCall] of this.#waiting) if (ofCall === call) this.#waiting.delete(waiting)
    } else if (type === 'content' || type === 'refused') {
      this.#calls.delete(id)
    } else if (type === 'request' && isJsonObject(request) && request['op'] === 'ask') {
      this.#waiting.set(id, call)
      // After the listeners have it: what is failed at once must be known to them.
      queueMicrotask(() => this.onWait?.())
    }
  }

  #finish(end: Omit<LinkEnd, 'calls'>): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#grace)
    this.#ended.resolve({ ...end, calls: this.#calls.size })
  }
}
