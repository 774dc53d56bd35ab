import { percentileOf } from '../../protocol/percentile.ts'

/** The newest calls that the figures are made of. */
const CALLS = 50

/** How long a server took for its newest calls, in milliseconds, without the time it waited for our answers. */
export type Latency = { readonly count: number; readonly p50Ms: number; readonly p95Ms: number }

/** Keeps the times of the newest calls of one server. */
export class LatencyRecorder {
  #times: number[] = []

  /** Notes an answered call. */
  add(ms: number): void {
    this.#times = [...this.#times.slice(1 - CALLS), Math.max(0, ms)]
  }

  /** Forgets every call. */
  clear(): void {
    this.#times = []
  }

  /** `undefined` while no call was answered. */
  get latency(): Latency | undefined {
    if (this.#times.length === 0) return undefined
    const sorted = this.#times.toSorted((a, b) => a - b)
    return { count: sorted.length, p50Ms: percentileOf(sorted, 50), p95Ms: percentileOf(sorted, 95) }
  }
}
