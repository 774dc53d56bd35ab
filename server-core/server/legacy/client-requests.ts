import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { JsonRpcError, JsonRpcResult } from '../../protocol/messages.ts'
import { UnansweredError } from '../failure.ts'

type Waiting = {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** The server's own requests of one legacy session, until the client answers them. */
export class ClientRequests {
  readonly #waitMs: number
  readonly #waiting = new Map<string, Waiting>()
  #sent = 0

  /** `waitMs` is how long an answer may take. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /**
   * Gives a fresh id, and the promise of the result of the request that is sent with it. It rejects with a
   * `ProtocolError` when the client answers with an error, with an `UnansweredError` when it does not answer.
   */
  open(method: string): { readonly id: string; readonly result: Promise<JsonObject> } {
    this.#sent += 1
    const id = `server-${this.#sent}`
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const timer = setTimeout(() => {
      this.#waiting.delete(id)
      reject(new UnansweredError(`the client did not answer ${method} within ${this.#waitMs} ms`))
    }, this.#waitMs)
    this.#waiting.set(id, { resolve, reject, timer })
    return { id, result: promise }
  }

  /** The request was given up: a late answer is ignored. */
  forget(id: string): boolean {
    const waiting = this.#waiting.get(id)
    clearTimeout(waiting?.timer)
    return this.#waiting.delete(id)
  }

  answer(message: JsonRpcResult | JsonRpcError): void {
    const { id } = message
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined
    if (waiting === undefined || typeof id !== 'string') return
    this.forget(id)
    if ('error' in message) {
      const { code, message: text, data } = message.error
      waiting.reject(new ProtocolError(code, text, data))
    } else waiting.resolve(message.result)
  }

  failAll(reason: string): void {
    for (const [id, waiting] of [...this.#waiting]) {
      this.forget(id)
      waiting.reject(new UnansweredError(`the client cannot answer any more: ${reason}`))
    }
  }
}
