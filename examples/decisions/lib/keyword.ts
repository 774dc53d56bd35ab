import { stemsOf } from './words.ts'

/** How fast a word that comes again counts less, and how much a long text counts less (Okapi BM25). */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** Search by words that both texts have, rare ones counting more: Okapi BM25. */
export class KeywordIndex {
  readonly #texts: readonly ReadonlyMap<string, number>[]
  readonly #lengths: readonly number[]
  readonly #holders = new Map<string, number>()
  readonly #meanLength: number

  constructor(texts: readonly string[]) {
    const stems = texts.map(stemsOf)
    this.#texts = stems.map(countsOf)
    this.#lengths = stems.map(({ length }) => length)
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
    for (const counts of this.#texts) {
      for (const stem of counts.keys()) this.#holders.set(stem, (this.#holders.get(stem) ?? 0) + 1)
    }
  }

  /** How well each text fits the query; 0 if it has none of its words. */
  scores(query: string): readonly number[] {
    const wanted = [...new Set(stemsOf(query))]
    return this.#texts.map((counts, at) =>
      wanted.reduce((sum, stem) => sum + this.#score(counts.get(stem) ?? 0, stem, this.#lengths[at] ?? 0), 0),
    )
  }

  #score(count: number, stem: string, length: number): number {
    if (count === 0) return 0
    const holders = this.#holders.get(stem) ?? 0
    const rarity = Math.log(1 + (this.#texts.length - holders + 0.5) / (holders + 0.5))
    const relative = this.#meanLength === 0 ? 1 : length / this.#meanLength
    const damped = count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative)
    return (rarity * count * (SATURATION + 1)) / damped
  }
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
