/** Where a name matched, as pairs of start and end. */
export type Spans = readonly (readonly [number, number])[]

/** The rank of a name that has no more than the letters, in order. */
export const scatteredRank = 4

export interface Match {
  /** Lower is better. */
  readonly rank: number
  readonly spans: Spans
}

/**
 * How well a name fits what was typed: the whole of it at the start, at the start of a word, inside; else its words
 * one by one in any order; else its letters in order. `undefined` if it does not fit.
 */
export function matchName(name: string, typed: string): Match | undefined {
  const text = name.toLowerCase()
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return { rank: 0, spans: [] }
  const at = text.indexOf(wanted)
  if (at === 0) return { rank: 0, spans: [[0, wanted.length]] }
  if (at > 0) {
    const wordStart = wordStartOf(text, wanted)
    const start = wordStart ?? at
    return { rank: wordStart === undefined ? 2 : 1, spans: [[start, start + wanted.length]] }
  }
  return matchWords(text, wanted.split(/\s+/)) ?? matchLetters(text, wanted.replaceAll(/\s+/g, ''))
}

function wordStartOf(text: string, wanted: string): number | undefined {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return at
  }
  return undefined
}

function matchWords(text: string, words: readonly string[]): Match | undefined {
  if (words.length < 2) return undefined
  const spans: [number, number][] = []
  for (const word of words) {
    const at = text.indexOf(word)
    if (at === -1) return undefined
    spans.push([at, at + word.length])
  }
  spans.sort((one, other) => one[0] - other[0])
  const disjoint = spans.every(([start], index) => index === 0 || start >= (spans[index - 1]?.[1] ?? 0))
  return { rank: 3, spans: disjoint ? spans : [] }
}

function matchLetters(text: string, letters: string): Match | undefined {
  const spans: [number, number][] = []
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at === -1) return undefined
    const last = spans.at(-1)
    if (last !== undefined && last[1] === at) last[1] = at + letter.length
    else spans.push([at, at + letter.length])
    from = at + letter.length
  }
  return { rank: scatteredRank, spans }
}
