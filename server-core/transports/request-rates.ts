import type { Limits } from '../protocol/limits.ts'
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

  /** Counts one request: 0, or the milliseconds after which it may come again. */
  take({ admitted, request }: ListenerExchange): number {
    if (this.#perSecond === 0) return 0
    const who = admitted.principal === undefined ? (request.socket.remoteAddress ?? '') : admitted.caller
    const now = performance.now()
    let bucket = this.#buckets.get(who)
    if (bucket === undefined) {
      if (this.#buckets.size >= MOST) this.#forgetQuiet(now)
      bucket = new TokenBucket(this.#perSecond, now)
      this.#buckets.set(who, bucket)
    }
    return bucket.take(now)
  }

  #forgetQuiet(now: number): void {
    for (const [who, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(who)
  }
}
