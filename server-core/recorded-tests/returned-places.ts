import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/**
 * Where a result has a value: members of its structured content, or behind words of its text.
 * `steps` never has a number: items of arrays change their places.
 */
export type ValuePlace =
  | { readonly type: 'structured'; readonly steps: readonly string[] }
  | { readonly type: 'text'; readonly before: string }

/** Shorter values, and those without a digit, occur by chance. */
const SHORTEST = 4
const MOST_STEPS = 3
/** Identifiers in a text. */
const WORD = /[A-Za-z0-9][\w-]*/g
/** Characters in front of a value that tell where it is. */
const CONTEXT = 30

/** Finds the values of a result that the parameters of another call contain, as a whole or in a longer text. */
export function placesOfValues(
  result: unknown,
  params: JsonObject,
): { readonly value: string; readonly place: ValuePlace }[] {
  const sent = [...textsOf(params)]
  if (!isJsonObject(result)) return []
  const isSent = (value: string) =>
    value.length >= SHORTEST && /\d/.test(value) && sent.some((text) => text.includes(value))
  const found: { value: string; place: ValuePlace }[] = []
  const add = (value: string, place: ValuePlace) => {
    if (isSent(value) && !found.some((known) => known.value === value)) found.push({ value, place })
  }
  for (const { steps, value } of members(result['structuredContent'], []))
    add(value, { type: 'structured', steps })
  for (const { index, word, text } of wordsOf(result['content']))
    add(word, { type: 'text', before: text.slice(Math.max(0, index - CONTEXT), index) })
  return found
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (isJsonObject(value)) for (const each of Object.values(value)) yield* textsOf(each)
}

function* members(
  value: unknown,
  steps: readonly string[],
): Generator<{ steps: readonly string[]; value: string }> {
  if (typeof value === 'string' && steps.length > 0) yield { steps, value }
  if (!isJsonObject(value) || steps.length === MOST_STEPS) return
  for (const [name, each] of Object.entries(value)) yield* members(each, [...steps, name])
}

function* wordsOf(content: unknown): Generator<{ index: number; word: string; text: string }> {
  for (const block of Array.isArray(content) ? (content as unknown[]) : []) {
    const text = isJsonObject(block) ? block['text'] : undefined
    if (typeof text !== 'string') continue
    for (const match of text.matchAll(WORD)) yield { index: match.index, word: match[0], text }
  }
}
