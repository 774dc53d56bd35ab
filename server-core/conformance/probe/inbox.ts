import { isDeepStrictEqual } from 'node:util'
import { Emitter } from '../../protocol/emitter.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'

/** One JSON-RPC message that the peer wrote; those of an array are taken apart. */
export type InMessage = {
  readonly message: JsonObject
  readonly frame: CapturedFrame
  /** Where it came from: an HTTP exchange, or nothing where the connection is one stream. */
  readonly source: object | undefined
}

type Waiter = {
  readonly accepts: (item: InMessage) => boolean
  readonly resolve: (item: InMessage) => void
}

/** The messages of a peer in the order in which they came, and whoever waits for one. */
export class Inbox {
  /** Every message so far. */
  readonly messages: InMessage[] = []
  /** Every frame so far, invalid bytes included. */
  readonly frames: CapturedFrame[] = []
  readonly #waiters = new Set<Waiter>()
  readonly #received = new Emitter<InMessage>()

  add(frame: CapturedFrame, source?: object): void {
    this.frames.push(frame)
    const values = Array.isArray(frame.value) ? (frame.value as unknown[]) : [frame.value]
    for (const message of values) {
      if (!isJsonObject(message)) continue
      const item = { message, frame, source }
      this.messages.push(item)
      this.#received.emit(item)
      for (const waiter of this.#waiters) {
        if (!waiter.accepts(item)) continue
        this.#waiters.delete(waiter)
        waiter.resolve(item)
      }
    }
  }

  /** Calls back with each message from now on. Returns a function that stops it. */
  onMessage(listener: (item: InMessage) => void): () => void {
    return this.#received.listen(listener)
  }

  /**
   * Resolves with the first message, from number `from` of `messages` on, that is accepted, or with undefined when
   * `until` settles before one came.
   */
  async next(
    accepts: (item: InMessage) => boolean,
    until: Promise<unknown>,
    from = this.messages.length,
  ): Promise<InMessage | undefined> {
    const there = this.messages.slice(from).find(accepts)
    if (there !== undefined) return there
    const { promise, resolve } = Promise.withResolvers<InMessage | undefined>()
    const waiter = { accepts, resolve }
    this.#waiters.add(waiter)
    void until.then(() => {
      this.#waiters.delete(waiter)
      resolve(undefined)
    })
    return promise
  }
}

/** Whether two ids read the same. A wrong type is a matter of one check, and no reason for others to see nothing. */
export function isSameId(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || (isId(one) && isId(other) && String(one) === String(other))
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** Whether a message is a response: it has no method. */
export function isResponse(message: JsonObject): boolean {
  return message['method'] === undefined && ('result' in message || 'error' in message || 'id' in message)
}
