import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketsOf, calibrationByCategory, calibrationOf, confidenceOf } from './calibration.ts'
import { OUTCOMES } from './decision.ts'
import { sample } from './sample-decision.test-support.ts'

const id = (at: number) => at.toString(16).padStart(8, '0')
const decided = (pairs: readonly (readonly [number, (typeof OUTCOMES)[number] | undefined])[]) =>
  pairs.map(([confidence, outcome], at) => sample({ id: id(at), confidence, ...(outcome && { outcome }) }))

describe('calibration', () => {
  it('is the Brier score, the accuracy and the gap between them; what was abandoned tells nothing', () => {
    const decisions = decided([
      [0.9, 'success'],
      [0.8, 'failure'],
      [0.6, 'partial'],
      [0.99, 'abandoned'],
      [0.5, undefined],
    ])
    expect(calibrationOf(decisions)).toEqual({
      total: 5,
      reviewed: 4,
      pending: 1,
      brier_score: 0.22, // (0.01 + 0.64 + 0.01) / 3
      accuracy: 0.5,
      calibration_gap: 0.267,
      tendency: 'overconfident',
    })
  })

  it('says nothing where nothing is known', () => {
    expect(calibrationOf([])).toMatchObject({ brier_score: null, accuracy: null, tendency: 'unknown' })
    expect(calibrationOf(decided([[0.9, 'failure']])).tendency).toBe('unknown')
    expect(confidenceOf([])).toMatchObject({ mean: null, habituation_detected: false })
  })

  it('puts each confidence into one bucket, 1 into the last', () => {
    const decisions = decided([
      [0, 'failure'],
      [0.2, 'success'],
      [0.8, 'success'],
      [1, 'success'],
    ])
    expect(bucketsOf(decisions).map(({ range, decisions: count, actual }) => [range, count, actual])).toEqual(
      [
        ['0.0-0.2', 1, 0],
        ['0.2-0.4', 1, 1],
        ['0.4-0.6', 0, null],
        ['0.6-0.8', 0, null],
        ['0.8-1.0', 2, 1],
      ],
    )
  })

  it('finds who is always equally sure', () => {
    expect(confidenceOf(decided(Array.from({ length: 10 }, () => [0.8, undefined] as const)))).toMatchObject({
      mean: 0.8,
      variance: 0,
      habituation_detected: true,
    })
  })

  it('is computed for each category that has decisions', () => {
    const decisions = [sample({ id: id(1), category: 'security', outcome: 'success' })]
    expect(Object.keys(calibrationByCategory(decisions))).toEqual(['security'])
  })

  it('stays between 0 and 1, and counts every review in one bucket', () => {
    const pair = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom<(typeof OUTCOMES)[number]>(...OUTCOMES),
    )
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 30 }), (pairs) => {
        const decisions = decided(pairs)
        const told = pairs.filter(([, outcome]) => outcome !== 'abandoned').length
        expect(bucketsOf(decisions).reduce((sum, bucket) => sum + bucket.decisions, 0)).toBe(told)
        const { brier_score: brier } = calibrationOf(decisions)
        expect(brier === null ? told === 0 : brier >= 0 && brier <= 1).toBe(true)
      }),
    )
  })
})
