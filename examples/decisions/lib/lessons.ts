import { mean, worthOf } from './calibration.ts'
import { titleOf, type Decision } from './decision.ts'
import type { Stored } from './decision-files.ts'
import { rounded, type DecisionSearch } from './search.ts'

/** Successes that make a pattern one that is confirmed. */
const CONFIRMING = 2
/** How alike two decisions are that should not have ended differently. */
const ALIKE = 0.55
/** Reviewed decisions among which contradictions are looked for, the newest. */
const COMPARED = 300

/** Patterns that decisions gave, which came true at least twice and more often than not. */
export function confirmedPatterns(decisions: readonly Decision[]) {
  const groups = Map.groupBy(
    decisions.filter(({ pattern }) => pattern !== undefined),
    ({ pattern = '' }) => pattern.trim().toLowerCase(),
  )
  return [...groups.values()]
    .map((group) => {
      const worths = group.map(worthOf).filter((worth) => worth !== undefined)
      return {
        pattern: group[0]?.pattern ?? '',
        decisions: group.length,
        reviewed: worths.length,
        successes: worths.filter((worth) => worth === 1).length,
        success_rate: rounded(mean(worths) ?? 0),
        decision_ids: group.map(({ id }) => id),
      }
    })
    .filter(({ successes, success_rate: rate }) => successes >= CONFIRMING && rate > 0.5)
    .sort((a, b) => b.successes - a.successes)
}

/** Decisions that are alike, or of one pattern, of which one succeeded and the other failed. */
export function contradictions(stored: readonly Stored[], search: DecisionSearch, limit: number) {
  const reviewed = stored
    .filter(({ decision: { outcome } }) => outcome === 'success' || outcome === 'failure')
    .slice(-COMPARED)
  return search
    .pairs(reviewed, 0)
    .filter(({ one, other }) => one.outcome !== other.outcome)
    .filter(({ one, other, similarity }) => similarity >= ALIKE || isSamePattern(one, other))
    .slice(0, limit)
    .map(({ one, other, similarity }) => {
      const [succeeded, failed] = one.outcome === 'success' ? [one, other] : [other, one]
      return {
        succeeded: { id: succeeded.id, title: titleOf(succeeded) },
        failed: {
          id: failed.id,
          title: titleOf(failed),
          ...(failed.lessons === undefined ? {} : { lessons: failed.lessons }),
        },
        similarity,
      }
    })
}

function isSamePattern({ pattern: one }: Decision, { pattern: other }: Decision): boolean {
  return one !== undefined && one.trim().toLowerCase() === other?.trim().toLowerCase()
}

/** How well decisions did by the kinds of reasons that were given for them. */
export function reasonStats(decisions: readonly Decision[], minReviewed: number) {
  const kinds = [...new Set(decisions.flatMap(({ reasons }) => reasons.map(({ type }) => type)))].sort()
  const all = kinds.map((type) => {
    const using = decisions.filter(({ reasons }) => reasons.some((one) => one.type === type))
    return { type, ...successOf(using) }
  })
  const kindsOf = ({ reasons }: Decision) => new Set(reasons.map(({ type }) => type)).size
  const withReasons = decisions.filter(({ reasons }) => reasons.length > 0)
  return {
    total_decisions: decisions.length,
    with_reasons: withReasons.length,
    reason_types: all.filter(({ reviewed }) => reviewed >= minReviewed),
    too_few_reviews: all
      .filter(({ reviewed }) => reviewed < minReviewed)
      .map(({ type, reviewed }) => ({ type, reviewed })),
    diversity: {
      mean_kinds: rounded(mean(withReasons.map(kindsOf)) ?? 0),
      one_kind: successOf(withReasons.filter((one) => kindsOf(one) === 1)),
      several_kinds: successOf(withReasons.filter((one) => kindsOf(one) > 1)),
    },
  }
}

function successOf(decisions: readonly Decision[]) {
  const scored = decisions.flatMap((decision) => {
    const worth = worthOf(decision)
    return worth === undefined ? [] : [{ worth, confidence: decision.confidence }]
  })
  const told = (value: number | undefined) => (value === undefined ? null : rounded(value))
  return {
    decisions: decisions.length,
    reviewed: scored.length,
    success_rate: told(mean(scored.map(({ worth }) => worth))),
    mean_confidence: told(mean(scored.map(({ confidence }) => confidence))),
    brier_score: told(mean(scored.map(({ worth, confidence }) => (confidence - worth) ** 2))),
  }
}
