import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'

/** Shorter values are words and counts that occur by chance. */
const SHORTEST_VALUE = 4
/** A value may be a part of a longer text, such as a URI, from this length on. */
const SHORTEST_PART = 8
/** Parts of a text that could be an identifier: they contain a digit. */
const WORD = /[\w-]+/g
const MOST_VALUES = 10_000

/**
 * Values that the server returned and the client later sent back: identifiers, cursors, addresses. Each is found by its
 * value in the recording, and replaced by what the server returned in the same place this time.
 */
export class ReturnedValues {
  readonly #sent: ReadonlySet<string>
  /** All that was sent, for values that are a part of a longer one. */
  readonly #sentText: string
  readonly #replacements = new Map<string, string>()
  /** Numbers by the name of their member: `noteId 41`. */
  readonly #numbers = new Map<string, number>()

  /** @param calls the calls of the recording */
  constructor(calls: readonly RecordedCall[]) {
    const sent = new Set<string>()
    for (const { direction, params } of calls) {
      if (direction !== 'sent') continue
      const { _meta, ...own } = params
      collect(own, '', sent)
    }
    this.#sent = sent
    this.#sentText = [...sent].filter((text) => text.length > SHORTEST_PART).join('\n')
  }

  /** What was replaced so far: the recorded value, and the new one. */
  get replacements(): readonly { readonly recorded: string; readonly received: string }[] {
    return [
      ...[...this.#replacements].map(([recorded, received]) => ({ recorded, received })),
      ...[...this.#numbers].map(([key, received]) => ({ recorded: key, received: String(received) })),
    ]
  }

  /** Learns from a recorded result and the one that came this time. */
  learn(recorded: unknown, received: unknown): void {
    this.#compare(recorded, received, '')
  }

  /** Returns parameters with the values of this time. */
  apply(params: JsonObject): JsonObject {
    if (this.#replacements.size === 0 && this.#numbers.size === 0) return params
    return this.#replaced(params, '') as JsonObject
  }

  /** Returns whether two values differ only because a value of the recording was replaced. */
  isReplaced(recorded: unknown, received: unknown): boolean {
    if (typeof recorded === 'number')
      return [...this.#numbers].some(([key, value]) => key.endsWith(` ${recorded}`) && value === received)
    return typeof recorded === 'string' && recorded !== received && this.#text(recorded) === received
  }

  #compare(recorded: unknown, received: unknown, member: string): void {
    if (Array.isArray(recorded) && Array.isArray(received)) {
      for (const [place, item] of recorded.entries()) this.#compare(item, received[place], member)
    } else if (isJsonObject(recorded) && isJsonObject(received)) {
      for (const [name, value] of Object.entries(recorded)) this.#compare(value, received[name], name)
    } else if (typeof recorded === 'number' && typeof received === 'number') {
      const key = `${member} ${recorded}`
      if (recorded !== received && this.#sent.has(key)) this.#numbers.set(key, received)
    } else if (typeof recorded === 'string' && typeof received === 'string' && recorded !== received) {
      this.#compareTexts(recorded, received, member)
    }
  }

  #compareTexts(recorded: string, received: string, member: string): void {
    const [before, after] = [parsedText(recorded), parsedText(received)]
    if (before !== undefined && after !== undefined) this.#compare(before, after, member)
    this.#add(recorded, received)
    // A text such as "Created note n-4711": the words at the same place.
    const [words, newWords] = [recorded.match(WORD) ?? [], received.match(WORD) ?? []]
    if (words.length !== newWords.length) return
    for (const [place, word] of words.entries()) {
      const now = newWords[place]
      if (now !== undefined && now !== word && /\d/.test(word)) this.#add(word, now)
    }
  }

  #add(recorded: string, received: string): void {
    if (recorded.length < SHORTEST_VALUE || this.#replacements.size >= MOST_VALUES) return
    const isSent =
      this.#sent.has(recorded) || (recorded.length >= SHORTEST_PART && this.#sentText.includes(recorded))
    if (isSent) this.#replacements.set(recorded, received)
  }

  #replaced(value: unknown, member: string): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return this.#numbers.get(`${member} ${value}`) ?? value
    if (Array.isArray(value)) return value.map((item) => this.#replaced(item, member))
    if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#replaced(each, name)]))
  }

  #text(text: string): string {
    const whole = this.#replacements.get(text)
    if (whole !== undefined) return whole
    let replaced = text
    for (const [recorded, received] of this.#replacements)
      if (recorded.length >= SHORTEST_PART) replaced = replaced.replaceAll(recorded, received)
    return replaced
  }
}

function collect(value: unknown, member: string, into: Set<string>): void {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'number') into.add(`${member} ${value}`)
  else if (Array.isArray(value)) for (const item of value) collect(item, member, into)
  else if (isJsonObject(value)) for (const [name, each] of Object.entries(value)) collect(each, name, into)
}

/** The value of a text that is a JSON object or array. */
function parsedText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
