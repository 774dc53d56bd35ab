import { stemOf, stemsOf } from './words.ts'

const DIMENSIONS = 1024
/** What parts of words count beside whole words: enough to bring “auth” near “authentication”. */
const PART_WEIGHT = 0.35
/** What a word counts for all words that are near it. */
const NEAR_WEIGHT = 0.8

/** A text as numbers, of length 1. */
type Vector = Float64Array

/**
 * Search by likeness: each text is a vector of its words, of the parts of its words and of the groups of near words they
 * are in, rare features counting more; texts are as near as the angle between their vectors. It needs no network and
 * no model. It knows only the spelling of words and the groups it is given, and nothing of what sentences mean.
 */
export class VectorIndex {
  readonly #vectors: readonly Vector[]
  readonly #holders = new Map<string, number>()
  readonly #count: number
  readonly #groups: ReadonlyMap<string, readonly string[]>

  /** `near` are groups of words that stand for the same subject. */
  constructor(texts: readonly string[], near: readonly (readonly string[])[] = []) {
    this.#groups = groupsOf(near)
    const features = texts.map((text) => this.#featuresOf(text))
    this.#count = texts.length
    for (const weights of features) {
      for (const name of weights.keys()) this.#holders.set(name, (this.#holders.get(name) ?? 0) + 1)
    }
    this.#vectors = features.map((weights) => this.#vectorOf(weights))
  }

  /** How near each text is to the query: 0 (nothing in common) to 1 (the same). */
  similarities(query: string): readonly number[] {
    const wanted = this.#vectorOf(this.#featuresOf(query))
    return this.#vectors.map((vector) => product(vector, wanted))
  }

  /** How near two of the texts are, by their places. */
  between(one: number, other: number): number {
    const [a, b] = [this.#vectors[one], this.#vectors[other]]
    return a === undefined || b === undefined ? 0 : product(a, b)
  }

  #featuresOf(text: string): ReadonlyMap<string, number> {
    const weights = new Map<string, number>()
    const add = (name: string, weight: number) => weights.set(name, (weights.get(name) ?? 0) + weight)
    for (const stem of stemsOf(text)) {
      add(stem, 1)
      for (const part of partsOf(stem)) add(`part ${part}`, PART_WEIGHT / Math.sqrt(stem.length))
      for (const group of this.#groups.get(stem) ?? []) add(group, NEAR_WEIGHT)
    }
    return weights
  }

  #vectorOf(weights: ReadonlyMap<string, number>): Vector {
    const vector = new Float64Array(DIMENSIONS)
    for (const [name, weight] of weights) {
      const rarity = Math.log(1 + this.#count / (1 + (this.#holders.get(name) ?? 0))) + 0.1
      const hashed = hashOf(name)
      const at = hashed % DIMENSIONS
      // Half of the features count down, so that those which share a place cancel out rather than add up.
      const sign = (hashed & 0x8000_0000) === 0 ? 1 : -1
      vector[at] = (vector[at] ?? 0) + sign * Math.sqrt(weight) * rarity
    }
    const length = Math.sqrt(product(vector, vector))
    return length === 0 ? vector : vector.map((value) => value / length)
  }
}

function product(one: Vector, other: Vector): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}

function partsOf(word: string): readonly string[] {
  const framed = `<${word}>`
  return Array.from({ length: Math.max(0, framed.length - 3) }, (_, at) => framed.slice(at, at + 4))
}

function groupsOf(near: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [place, words] of near.entries()) {
    for (const stem of new Set(words.map((word) => stemOf(word.toLowerCase())))) {
      const known = groups.get(stem) ?? []
      known.push(`near ${place}`)
      groups.set(stem, known)
    }
  }
  return groups
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193)
  return (hash ^ (hash >>> 15)) >>> 0
}
