import { CATEGORIES, type Category, type Decision } from './decision.ts'
import { rounded } from './search.ts'

/** What an outcome counts; one that was abandoned tells nothing about the confidence. */
const WORTH = { success: 1, partial: 0.5, failure: 0 } as const
/** Reviewed decisions below which no tendency is returned. */
const ENOUGH = 3
/** Confidence that is this far from what came true is more than chance. */
const GAP = 0.05
const BUCKETS = [0, 0.2, 0.4, 0.6, 0.8] as const
/** Confidences that all lie this close together say nothing about single decisions. */
const HABIT = 0.05

type Reviewed = { readonly confidence: number; readonly worth: number }

export type Tendency = 'overconfident' | 'underconfident' | 'well_calibrated' | 'unknown'

export type Calibration = {
  readonly total: number
  readonly reviewed: number
  readonly pending: number
  /** Mean square of confidence less what came true: 0 is best, 0.25 is what a coin would get. */
  readonly brier_score: number | null
  /** The share that came true; what came true in part counts half. */
  readonly accuracy: number | null
  /** Mean confidence less accuracy. */
  readonly calibration_gap: number | null
  readonly tendency: Tendency
}

/** How good the confidence of these decisions was. */
export function calibrationOf(decisions: readonly Decision[]): Calibration {
  const reviewed = reviewedOf(decisions)
  const accuracy = mean(reviewed.map(({ worth }) => worth))
  const confidence = mean(reviewed.map((one) => one.confidence))
  const gap = accuracy === undefined || confidence === undefined ? undefined : confidence - accuracy
  return {
    total: decisions.length,
    reviewed: decisions.filter(({ status }) => status === 'reviewed').length,
    pending: decisions.filter(({ status }) => status === 'pending').length,
    brier_score: told(brierOf(reviewed)),
    accuracy: told(accuracy),
    calibration_gap: told(gap),
    tendency: gap === undefined || reviewed.length < ENOUGH ? 'unknown' : tendencyOf(gap),
  }
}

/** The Brier score of those among the decisions whose outcome tells; undefined if there is none. */
export function brierScore(decisions: readonly Decision[]): number | undefined {
  return brierOf(reviewedOf(decisions))
}

/** Each category that has decisions. */
export function calibrationByCategory(
  decisions: readonly Decision[],
): Partial<Record<Category, Calibration>> {
  return Object.fromEntries(
    CATEGORIES.map((category) => [category, decisions.filter((one) => one.category === category)] as const)
      .filter(([, ofCategory]) => ofCategory.length > 0)
      .map(([category, ofCategory]) => [category, calibrationOf(ofCategory)]),
  )
}

/** Predicted and actual success by how confident one was. */
export function bucketsOf(decisions: readonly Decision[]) {
  const reviewed = reviewedOf(decisions)
  return BUCKETS.map((from, at) => {
    const to = BUCKETS[at + 1] ?? 1
    const isLast = at === BUCKETS.length - 1
    const within = reviewed.filter(({ confidence: value }) => value >= from && (value < to || isLast))
    return {
      range: `${from.toFixed(1)}-${to.toFixed(1)}`,
      decisions: within.length,
      predicted: told(mean(within.map(({ confidence }) => confidence))),
      actual: told(mean(within.map(({ worth }) => worth))),
      brier_score: told(brierOf(within)),
    }
  })
}

/** How the confidence of all these decisions is spread, reviewed or not. */
export function confidenceOf(decisions: readonly Decision[]) {
  const values = decisions.map(({ confidence }) => confidence)
  const middle = mean(values)
  if (middle === undefined) {
    return { mean: null, std_dev: null, variance: null, min: null, max: null, habituation_detected: false }
  }
  const variance = mean(values.map((value) => (value - middle) ** 2)) ?? 0
  return {
    mean: rounded(middle),
    std_dev: rounded(Math.sqrt(variance)),
    variance: rounded(variance),
    min: Math.min(...values),
    max: Math.max(...values),
    habituation_detected: values.length >= 10 && Math.sqrt(variance) < HABIT,
  }
}

/** What came true of a decision, from 0 to 1; undefined while that is not known. */
export function worthOf({ outcome }: Pick<Decision, 'outcome'>): number | undefined {
  return outcome === undefined || outcome === 'abandoned' ? undefined : WORTH[outcome]
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

function reviewedOf(decisions: readonly Decision[]): readonly Reviewed[] {
  return decisions.flatMap((decision) => {
    const worth = worthOf(decision)
    return worth === undefined ? [] : [{ confidence: decision.confidence, worth }]
  })
}

function brierOf(reviewed: readonly Reviewed[]): number | undefined {
  return mean(reviewed.map(({ confidence, worth }) => (confidence - worth) ** 2))
}

function tendencyOf(gap: number): Tendency {
  if (gap > GAP) return 'overconfident'
  return gap < -GAP ? 'underconfident' : 'well_calibrated'
}

function told(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value)
}
