import { CodedError } from '../../protocol/coded-error.ts'
import type { Invocation } from '../invocation.ts'
import type { MessageEndpoint } from './message-endpoint.ts'
import type { Definitions } from './definitions.ts'
import {
  readHandlerMessage,
  type CallerMessage,
  type HandlerMessage,
  type HandlerRequest,
  type Target,
} from './messages.ts'
import { HandlerClock } from './handler-clock.ts'
import { decodeError, encodeError } from './remote-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** The side of the handlers has ended, or it did not answer in time. */
export class HandlersGoneError extends CodedError<'handlers-gone'> {
  override readonly name = 'HandlersGoneError'

  constructor(message: string, options?: ErrorOptions) {
    super('handlers-gone', message, options)
  }
}

type Call = {
  readonly invocation: Invocation
  readonly result: PromiseWithResolvers<unknown>
  readonly time: HandlerClock
  /** The other side has read the abort, so it is not blocked. */
  acknowledged: boolean
}

/** How the side of the handlers is called where its end is reported. */
export type HandlersMessages = {
  /** What a sentence begins with. */
  readonly subject: string
  /** What becomes of the next call, as a clause. */
  readonly next: string
}

const PROCESS_WORDS: HandlersMessages = {
  subject: 'The process that runs the handlers',
  next: 'the next one starts a new process',
}

/** Milliseconds that the other side may take to clean up. */
const STOP_MS = 5_000

export type SessionEvents = {
  definitions(definitions: Definitions): void
  updated(uri: string): void
}

export type SessionOptions = {
  readonly graceMs: number
  readonly words?: HandlersMessages | undefined
}

/** One open channel to a process or thread that runs handlers, and the calls in flight on it. */
export class Session {
  readonly #end: MessageEndpoint
  readonly #graceMs: number
  readonly #words: HandlersMessages
  readonly #events: SessionEvents
  readonly #calls = new Map<number, Call>()
  readonly #stopped = Promise.withResolvers<Error | undefined>()
  #count = 0
  #blocked: NodeJS.Timeout | undefined
  #breach: string | undefined
  #gone: string | undefined
  /** Resolves when the other side has ended, with the reason as a clause. */
  readonly closed: Promise<string>

  constructor(
    end: MessageEndpoint,
    { graceMs, words = PROCESS_WORDS }: SessionOptions,
    events: SessionEvents,
  ) {
    this.#end = end
    this.#graceMs = graceMs
    this.#words = words
    this.#events = events
    end.onMessage((message) => {
      this.#receive(message)
    })
    this.closed = end.closed.then((reason) => this.#closed(reason))
  }

  /**
   * Runs a handler over there. Rejects with what the handler threw, or a `HandlersGoneError` if its process ended
   * or it took longer than `limitMs` of its own time. A process that does not even read the abort is ended
   * `graceMs` after the limit.
   */
  async call(target: Target, invocation: Invocation, limitMs: number): Promise<unknown> {
    if (this.#gone !== undefined) throw goneError(this.#gone, this.#words)
    const call = (this.#count += 1)
    const { signal } = invocation
    const abort = () => {
      this.#abort(call, signal.reason)
    }
    const time = new HandlerClock(limitMs, () => {
      this.#overdue(call, limitMs)
    })
    const state: Call = { invocation, result: Promise.withResolvers(), time, acknowledged: false }
    this.#calls.set(call, state)
    try {
      this.#end.post({ type: 'call', call, target, facts: invocation.facts })
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      return await state.result.promise
    } finally {
      time.stop()
      signal.removeEventListener('abort', abort)
      this.#calls.delete(call)
    }
  }

  /** Ends the channel; `reason` is what the other side did wrong, if it did. */
  close(reason?: string): void {
    if (reason !== undefined) this.#breach ??= reason
    this.#end.close(reason)
  }

  /**
   * Aborts the calls in flight, lets the other side clean up what its handlers share, and closes the channel. Rejects
   * with what the clean-up threw.
   */
  async stop(): Promise<void> {
    if (this.#gone !== undefined) return
    for (const call of this.#calls.keys()) this.#abort(call, new Error('The server stops.'))
    this.#end.post({ type: 'stop' } satisfies CallerMessage)
    const late = setTimeout(() => {
      this.#stopped.resolve(
        new HandlersGoneError(`The handlers' side did not clean up in ${STOP_MS / 1_000} s.`),
      )
    }, STOP_MS)
    this.#blocked = setTimeout(() => {
      this.#stopped.resolve(new HandlersGoneError('A handler blocks its process, so nothing was cleaned up.'))
    }, this.#graceMs)
    const failure = await Promise.race([this.#stopped.promise, this.closed])
    clearTimeout(late)
    clearTimeout(this.#blocked)
    this.#end.close()
    if (failure instanceof Error) throw failure
  }

  #abort(call: number, reason: unknown): void {
    this.#end.post({ type: 'abort', call, reason: encodeError(reason) })
  }

  #overdue(call: number, limitMs: number): void {
    const overdue = this.#calls.get(call)
    if (overdue === undefined) return
    // An abort that was read earlier says nothing about now.
    overdue.acknowledged = false
    const limit = `${limitMs / 1_000} s`
    this.#abort(call, new DOMException(`The time limit of ${limit} has passed.`, 'TimeoutError'))
    const judge = () => {
      if (!this.#calls.has(call)) return
      if (overdue.acknowledged) {
        overdue.result.reject(
          new HandlersGoneError(`The handler did not answer within its time limit of ${limit}.`),
        )
      } else {
        this.close(`was ended: a handler blocked it beyond its time limit of ${limit}`)
      }
    }
    // What came while this side itself had no time is read first.
    setTimeout(() => setImmediate(judge), this.#graceMs)
  }

  #receive(value: unknown): void {
    if (this.#gone !== undefined) return
    try {
      this.#handle(readHandlerMessage(value))
    } catch (error) {
      this.close(messageOf(error))
    }
  }

  #handle(message: HandlerMessage): void {
    if (message.type === 'definitions') {
      this.#events.definitions(message.definitions)
      return
    }
    if (message.type === 'updated') {
      this.#events.updated(message.uri)
      return
    }
    if (message.type === 'stopping') {
      clearTimeout(this.#blocked)
      return
    }
    if (message.type === 'stopped') {
      this.#stopped.resolve(message.error && decodeError(message.error))
      return
    }
    const call = this.#calls.get(message.call)
    switch (message.type) {
      case 'emit':
        call?.invocation.emit(message.emission)
        return
      case 'changed':
        call?.invocation.changed(message.change)
        return
      case 'aborted':
        if (call !== undefined) call.acknowledged = true
        return
      case 'done':
        call?.result.resolve(message.outcome)
        return
      case 'error':
        call?.result.reject(decodeError(message.error))
        return
      case 'request':
        void this.#answer(message.id, message.request, call)
    }
  }

  async #answer(id: number, request: HandlerRequest, call: Call | undefined): Promise<void> {
    try {
      if (call === undefined)
        throw new HandlersGoneError('This call has ended; nothing waits for it any more.')
      this.#end.post({ type: 'reply', id, value: await fulfil(request, call) })
    } catch (error) {
      this.#end.post({ type: 'failed', id, error: encodeError(error) })
    }
  }

  #closed(reason: string): string {
    this.#gone = this.#breach ?? reason
    for (const { result } of this.#calls.values()) result.reject(goneError(this.#gone, this.#words))
    return this.#gone
  }
}

async function fulfil(request: HandlerRequest, { invocation, time }: Call): Promise<unknown> {
  switch (request.op) {
    case 'ask':
      time.pause()
      try {
        return await invocation.ask(request.questions)
      } finally {
        time.resume()
      }
    case 'get':
      return invocation.store.get(request.key)
    case 'set':
      return invocation.store.set(request.key, request.value)
    case 'delete':
      return invocation.store.delete(request.key)
    case 'keys':
      return invocation.store.keys()
  }
}

function goneError(reason: string, { subject, next }: HandlersMessages): HandlersGoneError {
  return new HandlersGoneError(`${subject} ${reason}. This call got no result; ${next}.`)
}
