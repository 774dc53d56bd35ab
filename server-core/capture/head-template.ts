import type { HttpFacts } from '../ports/tap.ts'

/** Bytes of a value's place and length. */
const MARK_BYTES = 3
const LONGEST_VALUE = 4_096
/** A value's place is one byte. */
const MOST_VALUES = 256
/** What an empty text takes, and its place in a list. */
const TEXT_BYTES = 24
const LATIN1 = /^[\0-\xff]*$/
const EVENT_FIELDS = ['id', 'name', 'retry'] as const

type EventField = (typeof EVENT_FIELDS)[number]

/**
 * What the HTTP facts of many frames have in common. The heads of one client differ in few values from request to
 * request, and only those are kept with each frame.
 */
export class HeadTemplate {
  readonly #method: string
  readonly #url: string
  readonly #names: readonly string[]
  /** The fields of an event. */
  readonly #fields: readonly EventField[] | undefined
  /** Of the headers, then of the fields. */
  readonly #values: readonly string[]

  private constructor({ method, url, headers, event }: HttpFacts) {
    this.#method = method
    this.#url = url
    this.#names = Object.keys(headers)
    this.#fields = event && EVENT_FIELDS.filter((field) => event[field] !== undefined)
    this.#values = [...Object.values(headers), ...(this.#fields ?? []).map((field) => String(event?.[field]))]
  }

  /** Bytes of memory that it takes, roughly. */
  get size(): number {
    return sizeOf([this.#url, ...this.#names, ...this.#values])
  }

  /** Undefined for facts that cannot be kept in this way. */
  static of(facts: HttpFacts): HeadTemplate | undefined {
    const template = new HeadTemplate(facts)
    const values = template.#values
    return values.length <= MOST_VALUES && values.every(isKept) ? template : undefined
  }

  /**
   * Writes the values that differ. Gives where it ended, or -1 if the facts are others than these, one cannot be written,
   * or there is no room before `limit`.
   */
  write(facts: HttpFacts, to: Buffer, start: number, limit: number): number {
    if (facts.url !== this.#url || facts.method !== this.#method) return -1
    let place = 0
    let end = start
    for (const name in facts.headers) {
      if (name !== this.#names[place]) return -1
      end = this.#writeValue(place, facts.headers[name], to, end, limit)
      if (end < 0) return -1
      place += 1
    }
    if (place !== this.#names.length) return -1
    return this.#writeEvent(facts.event, to, end, limit)
  }

  #writeEvent(event: HttpFacts['event'], to: Buffer, start: number, limit: number): number {
    const fields = this.#fields
    if (event === undefined || fields === undefined) return event === fields ? start : -1
    let place = this.#names.length
    let end = start
    for (const field of EVENT_FIELDS) {
      const value = event[field]
      if (value === undefined) continue
      if (field !== fields[place - this.#names.length]) return -1
      end = this.#writeValue(place, String(value), to, end, limit)
      if (end < 0) return -1
      place += 1
    }
    return place === this.#values.length ? end : -1
  }

  #writeValue(place: number, value: unknown, to: Buffer, start: number, limit: number): number {
    if (value === this.#values[place]) return start
    if (!isKept(value)) return -1
    const end = start + MARK_BYTES + value.length
    if (end > limit) return -1
    to[start] = place
    to[start + 1] = value.length & 0xff
    to[start + 2] = value.length >> 8
    to.write(value, start + MARK_BYTES, 'latin1')
    return end
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
    const head = { method: this.#method, url: this.#url, headers }
    return this.#fields === undefined ? head : { ...head, event: this.#eventOf(this.#fields, values) }
  }

  #eventOf(fields: readonly EventField[], values: readonly string[]): NonNullable<HttpFacts['event']> {
    const field = (name: EventField): string | undefined => {
      const at = fields.indexOf(name)
      return at === -1 ? undefined : values[this.#names.length + at]
    }
    const id = field('id')
    const name = field('name')
    const retry = field('retry')
    return {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(retry !== undefined && { retry: Number(retry) }),
    }
  }
}

/** Short text of latin1, as headers are. Fields of an event may be any text, and what no compiler has seen anything. */
function isKept(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_VALUE && LATIN1.test(value)
}

/** Bytes of memory that the texts of a head take by themselves, roughly. */
export function headSize({ url, headers }: HttpFacts): number {
  return sizeOf([url, ...Object.keys(headers), ...Object.values(headers)])
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((size, { length }) => size + TEXT_BYTES + length, 0)
}
