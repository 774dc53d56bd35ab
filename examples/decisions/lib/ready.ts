import { brierScore } from './calibration.ts'
import { CATEGORIES, titleOf, type Category, type Decision, type Stakes } from './decision.ts'
import { rounded } from './search.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days after which the outcome of a decision is asked for. */
const REVIEW_DAYS: Readonly<Record<Stakes, number>> = { critical: 3, high: 7, medium: 14, low: 30 }
/** Days without a review after which a decision is asked about as such. */
const STALE_DAYS = 60
/** A Brier score that rose by this much is worse than chance makes it; asked of this many decisions on each side. */
const DRIFT = 0.05
const DRIFT_DECISIONS = 3
const RECENT_DAYS = 30

export const ACTION_TYPES = ['review_outcome', 'calibration_drift', 'stale_pending'] as const
export const PRIORITIES = ['low', 'medium', 'high'] as const

export type Priority = (typeof PRIORITIES)[number]
/** Something that wants to be done about the log. */
export type ReadyAction = {
  readonly type: (typeof ACTION_TYPES)[number]
  readonly priority: Priority
  readonly decision_id?: string
  readonly category: Category
  readonly title: string
  readonly reason: string
  readonly suggestion: string
}

/** When the outcome of a decision made at that time should be known. */
export function reviewBy(date: Date, stakes: Stakes): Date {
  return new Date(date.getTime() + REVIEW_DAYS[stakes] * DAY_MS)
}

/** All that is to be done at that time, the most important first. */
export function readyActions(decisions: readonly Decision[], now: Date): readonly ReadyAction[] {
  const pending = decisions.filter(({ status }) => status === 'pending')
  const actions = [...pending.flatMap((decision) => reviewOf(decision, now)), ...drifts(decisions, now)]
  return actions.sort((a, b) => PRIORITIES.indexOf(b.priority) - PRIORITIES.indexOf(a.priority))
}

function reviewOf(decision: Decision, now: Date): readonly ReadyAction[] {
  const overdue = daysBetween(decision.review_by, now)
  if (overdue < 0) return []
  const age = daysBetween(decision.date, now)
  const isStale = age >= STALE_DAYS
  const { id, category, stakes } = decision
  const isGrave = stakes === 'high' || stakes === 'critical'
  return [
    {
      type: isStale ? 'stale_pending' : 'review_outcome',
      priority: isGrave ? 'high' : overdue >= 7 || isStale ? 'medium' : 'low',
      decision_id: id,
      category,
      title: titleOf(decision),
      reason: isStale
        ? `Pending for ${age} days.`
        : `Its review was due ${overdue === 0 ? 'today' : `${overdue} days ago`}; stakes are ${stakes}.`,
      suggestion: `Call review_outcome with id ${id}: success, partial, failure${isStale ? ' or abandoned' : ''}.`,
    },
  ]
}

function drifts(decisions: readonly Decision[], now: Date): readonly ReadyAction[] {
  return CATEGORIES.flatMap((category): readonly ReadyAction[] => {
    const scored = decisions.filter(
      ({ category: of, outcome }) => of === category && outcome !== undefined && outcome !== 'abandoned',
    )
    const recent = scored.filter(({ date }) => daysBetween(date, now) < RECENT_DAYS)
    const before = scored.filter(({ date }) => daysBetween(date, now) >= RECENT_DAYS)
    if (recent.length < DRIFT_DECISIONS || before.length < DRIFT_DECISIONS) return []
    const [is, was] = [brierScore(recent) ?? 0, brierScore(before) ?? 0]
    if (is - was <= DRIFT) return []
    return [
      {
        type: 'calibration_drift',
        priority: is - was > 2 * DRIFT ? 'high' : 'medium',
        category,
        title: `Confidence in ${category} decisions got worse`,
        reason: `The Brier score of the last ${RECENT_DAYS} days is ${rounded(is)}, before it was ${rounded(was)}.`,
        suggestion: `Call get_stats with category ${category}, and be less sure there.`,
      },
    ]
  })
}

/** Whole days from a time to another, negative if it is still to come. */
function daysBetween(from: string, to: Date): number {
  return Math.floor((to.getTime() - Date.parse(from)) / DAY_MS)
}
