import type { FilterTerm } from './filter.ts'

export interface LooseTerm {
  readonly term: FilterTerm
  readonly rest: readonly FilterTerm[]
  readonly count: number
}

/** The word without which the most is left; undefined if nothing is left without any one of them. */
export function looseTerm(
  terms: readonly FilterTerm[],
  countWith: (terms: readonly FilterTerm[]) => number,
): LooseTerm | undefined {
  let best: LooseTerm | undefined
  if (terms.length < 2) return undefined
  for (const term of terms) {
    const rest = terms.filter((other) => other !== term)
    const count = countWith(rest)
    // Of two that leave as much the last goes: it was typed last.
    if (count > 0 && count >= (best?.count ?? 0)) best = { term, rest, count }
  }
  return best
}
