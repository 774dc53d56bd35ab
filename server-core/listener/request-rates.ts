import { tooOften } from '../protocol/limit-error.ts'
import type { Limits } from '../protocol/limits.ts'
import { requestCount } from '../protocol/messages.ts'
import { TokenBucket } from '../protocol/token-bucket.ts'
import type { ListenerExchange } from './listener-exchange.ts'

/** Callers that are counted apart at most. */
const MOST = 10_000

/**
 * How often each caller of a listener may come. Callers that say who they are count together wherever they come from,
 * all others by their address.
 */
export class RequestRates {
  readonly #perSecond: number
  readonly #buckets = new Map<string, TokenBucket>()

  constructor({ requestsPerSecond }: Pick<Limits, 'requestsPerSecond'>) {
    this.#perSecond = requestsPerSecond
  }

  /** Counts what came in and reports whether it may; answers the exchange if it comes too soon. */
  admits(exchange: ListenerExchange): boolean {
    if (this.#perSecond === 0) return true
    return this.#answered(exchange, this.#bucketOf(exchange).take(performance.now()))
  }

  /** Counts the requests of an array as far as they were not counted when it came in; answers it if they are too many. */
  admitsArray(exchange: ListenerExchange, items: readonly unknown[]): boolean {
    if (this.#perSecond === 0) return true
    const count = requestCount(items)
    if (count <= 1) return true
    const isTooMany = count > this.#perSecond
    const waitMs = isTooMany ? Infinity : this.#bucketOf(exchange).take(performance.now(), count - 1)
    return this.#answered(exchange, waitMs)
  }

  #answered(exchange: ListenerExchange, waitMs: number): boolean {
    if (waitMs === 0) return true
    const error = tooOften({ requestsPerSecond: this.#perSecond }, waitMs)
    if (waitMs === Infinity) exchange.sendError(400, error)
    else exchange.sendBusy(429, error, undefined, waitMs)
    return false
  }

  #bucketOf({ admitted, request }: ListenerExchange): TokenBucket {
    const who = admitted.principal === undefined ? (request.socket.remoteAddress ?? '') : admitted.caller
    let bucket = this.#buckets.get(who)
    if (bucket === undefined) {
      const now = performance.now()
      if (this.#buckets.size >= MOST) this.#forgetQuiet(now)
      bucket = new TokenBucket(this.#perSecond, now)
      this.#buckets.set(who, bucket)
    }
    return bucket
  }

  #forgetQuiet(now: number): void {
    for (const [who, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(who)
  }
}
