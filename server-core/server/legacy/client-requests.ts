import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { JsonRpcError, JsonRpcResult } from '../../protocol/messages.ts'
import { UnansweredError } from '../failure.ts'

/** How a request goes out, and how it is taken back when it waited in vain. */
export type Sending = {
  readonly send: (id: string) => void
  readonly withdraw: (id: string) => void
}

type Waiting = {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** The server's own requests of one legacy session, until the client answers them. */
export class ClientRequests {
  readonly #waitMs: number
  /** Most clients are never asked anything. */
  #waiting: Map<string, Waiting> | undefined
  /** What waits for `notifications/initialized`. */
  #held: Map<string, (id: string) => void> | undefined
  #isReady = false
  #sent = 0

  /** `waitMs` is how long an answer may take. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** The client is ready (Lifecycle: initialization): what was held goes out, and nothing is held any more. */
  ready(): void {
    const held = this.#held
    this.#isReady = true
    this.#held = undefined
    for (const [id, send] of held ?? []) send(id)
  }

  /**
   * Sends a request under a fresh id as soon as the client is ready, and gives the promise of its result. It rejects
   * with a `ProtocolError` when the client answers with an error, with an `UnansweredError` when it does not answer.
   */
  open(
    method: string,
    { send, withdraw }: Sending,
  ): { readonly id: string; readonly result: Promise<JsonObject> } {
    this.#sent += 1
    const id = `server-${this.#sent}`
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const timer = setTimeout(() => {
      if (this.forget(id)) withdraw(id)
      reject(new UnansweredError(`the client did not answer ${method} within ${this.#waitMs} ms`))
    }, this.#waitMs)
    this.#waiting ??= new Map()
    this.#waiting.set(id, { resolve, reject, timer })
    if (this.#isReady) send(id)
    else {
      this.#held ??= new Map()
      this.#held.set(id, send)
    }
    return { id, result: promise }
  }

  /** The request was given up: a late answer is ignored. Reports whether it had been sent and not been answered. */
  forget(id: string): boolean {
    clearTimeout(this.#waiting?.get(id)?.timer)
    const wasHeld = this.#held?.delete(id) === true
    return this.#waiting?.delete(id) === true && !wasHeld
  }

  answer(message: JsonRpcResult | JsonRpcError): void {
    const { id } = message
    const waiting = typeof id === 'string' ? this.#waiting?.get(id) : undefined
    if (waiting === undefined || typeof id !== 'string') return
    this.forget(id)
    if ('error' in message) {
      const { code, message: text, data } = message.error
      waiting.reject(new ProtocolError(code, text, data))
    } else waiting.resolve(message.result)
  }

  failAll(reason: string): void {
    for (const [id, waiting] of [...(this.#waiting ?? [])]) {
      this.forget(id)
      waiting.reject(new UnansweredError(`the client cannot answer any more: ${reason}`))
    }
  }
}
