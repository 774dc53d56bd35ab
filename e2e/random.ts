/** Numbers that come the same for the same seed, so that a run can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 (included) to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  probability(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let index = 0; index < length; index += 1) bytes[index] = this.below(256)
    return bytes
  }
}
