import type { Category, Decision, Stakes } from './decision.ts'
import type { Stored } from './decision-files.ts'
import { titleOf } from './decision.ts'
import { KeywordIndex } from './keyword.ts'
import { VectorIndex } from './vectors.ts'

export type Mode = 'semantic' | 'keyword' | 'hybrid'
export type BridgeSide = 'structure' | 'function' | 'both'

export type Filters = {
  readonly category?: Category | undefined
  readonly stakes?: readonly Stakes[] | undefined
  readonly project?: string | undefined
  readonly has_outcome?: boolean | undefined
}

export type Match = {
  readonly id: string
  readonly title: string
  readonly category: Category
  readonly stakes: Stakes
  readonly confidence: number
  readonly date: string
  readonly status: Decision['status']
  readonly outcome?: Decision['outcome']
  readonly project?: string | undefined
  /** 0 is nearest. */
  readonly distance: number
  readonly scores: { readonly semantic: number; readonly keyword: number; readonly combined: number }
}

export type Query = {
  readonly text: string
  readonly limit: number
  readonly mode?: Mode
  readonly side?: BridgeSide
  readonly filters?: Filters | undefined
}

/** What the semantic side counts in hybrid search. */
const SEMANTIC_SHARE = 0.6
/** What is less alike than this has nothing to do with the query. */
const FAR = 0.12

type Indexed = {
  readonly stored: readonly Stored[]
  readonly keyword: KeywordIndex
  readonly vectors: VectorIndex
}

/** Finds decisions by words, by likeness, or by both. What is indexed follows the decisions it is given. */
export class DecisionSearch {
  readonly #near: readonly (readonly string[])[]
  readonly #indexes = new Map<BridgeSide, Indexed>()
  #of: readonly Stored[] | undefined

  /** `near` are groups of words that stand for the same subject. */
  constructor(near: readonly (readonly string[])[] = []) {
    this.#near = near
  }

  /** The decisions that fit best, the best first. */
  find(
    all: readonly Stored[],
    { text, limit, mode = 'hybrid', side = 'both', filters = {} }: Query,
  ): Match[] {
    const { stored, keyword, vectors } = this.#index(all, side)
    const semantic = vectors.similarities(text)
    const words = keyword.scores(text)
    const best = Math.max(...words, Number.EPSILON)
    return stored
      .map(({ decision }, at) => {
        const scores = combined(mode, Math.max(0, semantic[at] ?? 0), (words[at] ?? 0) / best)
        return { decision, scores }
      })
      .filter(({ decision, scores }) => scores.combined > 0 && passes(decision, filters))
      .sort((a, b) => b.scores.combined - a.scores.combined)
      .slice(0, limit)
      .map(({ decision, scores }) => asMatch(decision, scores))
  }

  /** Pairs of decisions that are at least this much alike, the most alike first. */
  pairs(all: readonly Stored[], atLeast: number): { one: Decision; other: Decision; similarity: number }[] {
    const { stored, vectors } = this.#index(all, 'both')
    return stored
      .flatMap(({ decision: one }, at) =>
        stored.slice(at + 1).map(({ decision: other }, further) => {
          return { one, other, similarity: rounded(vectors.between(at, at + 1 + further)) }
        }),
      )
      .filter(({ similarity }) => similarity >= atLeast)
      .sort((a, b) => b.similarity - a.similarity)
  }

  #index(all: readonly Stored[], side: BridgeSide): Indexed {
    if (this.#of !== all) this.#indexes.clear()
    this.#of = all
    const known = this.#indexes.get(side)
    if (known !== undefined) return known
    const stored =
      side === 'both' ? all : all.filter(({ decision: { bridge } }) => bridge?.[side] !== undefined)
    const texts = stored.map(({ decision }) => textOf(decision, side))
    const made = { stored, keyword: new KeywordIndex(texts), vectors: new VectorIndex(texts, this.#near) }
    this.#indexes.set(side, made)
    return made
  }
}

function combined(mode: Mode, semantic: number, keyword: number): Match['scores'] {
  const near = semantic < FAR ? 0 : semantic
  const both = SEMANTIC_SHARE * near + (1 - SEMANTIC_SHARE) * keyword
  const total = mode === 'semantic' ? near : mode === 'keyword' ? keyword : both
  return { semantic: rounded(semantic), keyword: rounded(keyword), combined: rounded(total) }
}

function passes(
  decision: Decision,
  { category, stakes, project, has_outcome: hasOutcome }: Filters,
): boolean {
  if (category !== undefined && decision.category !== category) return false
  if (stakes !== undefined && !stakes.includes(decision.stakes)) return false
  if (project !== undefined && decision.project !== project) return false
  return hasOutcome === undefined || hasOutcome === (decision.outcome !== undefined)
}

function textOf(decision: Decision, side: BridgeSide): string {
  const { bridge } = decision
  if (side !== 'both') return bridge?.[side] ?? ''
  const { decision: text, pattern, context, reasons, tags, lessons, feature } = decision
  // The decision itself counts most.
  const parts = [text, text, pattern, tags.join(' '), context, ...reasons.map((reason) => reason.text)]
  return [...parts, lessons, feature, bridge?.structure, bridge?.function].join('\n')
}

function asMatch(decision: Decision, scores: Match['scores']): Match {
  const { id, category, stakes, confidence, date, status, outcome, project } = decision
  return {
    id,
    title: titleOf(decision),
    category,
    stakes,
    confidence,
    date,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(project === undefined ? {} : { project }),
    distance: rounded(1 - scores.combined),
    scores,
  }
}

/** To three places: more would pretend to know more. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
