import { stringifyExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json.ts'

/** How much of a model's context a tool takes. */
export type ContextSize = {
  readonly name: string
  /** Bytes of UTF-8. */
  readonly bytes: number
  /** Estimated: each model counts in its own way. */
  readonly tokens: number
}

/**
 * The context that each tool takes, the largest first. Counted is what clients pass on to a model: name, description and
 * inputSchema, as JSON without spaces.
 */
export function contextSizes(tools: readonly JsonObject[]): readonly ContextSize[] {
  return tools
    .map(({ name, description, inputSchema }) => {
      const text = stringifyExact({ name, description, inputSchema })
      return { name: String(name), bytes: Buffer.byteLength(text), tokens: estimateTokens(text) }
    })
    .toSorted((one, other) => other.tokens - one.tokens || (one.name < other.name ? -1 : 1))
}

/** Words, numbers, characters of languages without spaces between words, and runs of other marks. */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{Lu}?\p{Ll}+|\p{L}+|\p{N}+|[^\p{L}\p{N}\s]+/gu
/** Letters of a word that are one token: most English words are. */
const LETTERS = 9
const DIGITS = 3
/** Marks such as `","` that are one token. */
const MARKS = 3

/** Estimates the tokens of a text. @internal for tests */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) {
    const length = /^\p{L}/u.test(piece) ? LETTERS : /^\p{N}/u.test(piece) ? DIGITS : MARKS
    tokens += Math.ceil(piece.length / length)
  }
  return tokens
}
