import type { HttpFacts } from '../transports/tap.ts'

/** Bytes of a value's place and length. */
const MARK_BYTES = 3
const LONGEST_VALUE = 4_096

/**
 * What the HTTP facts of many frames have in common. The heads of one client differ in few values from request to
 * request, and only those are kept with each frame.
 */
export class HeadTemplate {
  readonly #method: string
  readonly #url: string
  readonly #names: readonly string[]
  readonly #values: readonly string[]

  private constructor(facts: HttpFacts) {
    this.#method = facts.method
    this.#url = facts.url
    this.#names = Object.keys(facts.headers)
    this.#values = Object.values(facts.headers)
  }

  /** Undefined for facts that cannot be kept in this way. */
  static of(facts: HttpFacts): HeadTemplate | undefined {
    const usable = Object.values(facts.headers).every(
      (value: unknown) => typeof value === 'string' && value.length <= LONGEST_VALUE,
    )
    return usable ? new HeadTemplate(facts) : undefined
  }

  /**
   * Writes the values that differ (HTTP knows no characters beyond latin1 there). Gives where it ended, or -1 if the
   * facts are others than these or `to` has no room.
   */
  write(facts: HttpFacts, to: Buffer, start: number): number {
    if (facts.url !== this.#url || facts.method !== this.#method) return -1
    let place = 0
    let end = start
    for (const name in facts.headers) {
      if (name !== this.#names[place]) return -1
      const value: unknown = facts.headers[name]
      if (value !== this.#values[place]) {
        if (typeof value !== 'string' || value.length > LONGEST_VALUE) return -1
        if (end + MARK_BYTES + value.length > to.length) return -1
        to[end] = place
        to[end + 1] = value.length & 0xff
        to[end + 2] = value.length >> 8
        to.write(value, end + MARK_BYTES, 'latin1')
        end += MARK_BYTES + value.length
      }
      place += 1
    }
    return place === this.#names.length ? end : -1
  }

  /** The facts that `write` wrote. */
  read(from: Buffer, start: number, end: number): Omit<HttpFacts, 'exchange' | 'status'> {
    const values = [...this.#values]
    for (let at = start; at < end;) {
      const length = (from[at + 1] ?? 0) + ((from[at + 2] ?? 0) << 8)
      values[from[at] ?? 0] = from.toString('latin1', at + MARK_BYTES, at + MARK_BYTES + length)
      at += MARK_BYTES + length
    }
    const headers = Object.fromEntries(this.#names.map((name, place) => [name, values[place] ?? '']))
    return { method: this.#method, url: this.#url, headers }
  }
}
