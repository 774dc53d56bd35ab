import { describe, expect, it } from 'vitest'
import { DecisionGraph } from './graph.ts'
import { confirmedPatterns, contradictions, reasonStats } from './lessons.ts'
import { readyActions, reviewBy } from './ready.ts'
import { sample, stored } from './sample-decision.test-support.ts'
import { DecisionSearch } from './search.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString()
const id = (at: number) => at.toString(16).padStart(8, '0')

describe('lessons', () => {
  it('are patterns that came true twice and more often than not', () => {
    const decisions = [
      sample({ id: id(1), pattern: 'Small steps', outcome: 'success' }),
      sample({ id: id(2), pattern: 'small steps ', outcome: 'success' }),
      sample({ id: id(3), pattern: 'Small steps', outcome: 'failure' }),
      sample({ id: id(4), pattern: 'Big bang', outcome: 'success' }),
      sample({ id: id(5), pattern: 'Big bang', outcome: 'failure' }),
    ]
    expect(confirmedPatterns(decisions)).toEqual([
      {
        pattern: 'Small steps',
        decisions: 3,
        reviewed: 3,
        successes: 2,
        success_rate: 0.667,
        decision_ids: [id(1), id(2), id(3)],
      },
    ])
  })

  it('are decisions that are alike and ended differently', () => {
    const all = stored(
      sample({ id: id(1), decision: 'Cache prices in Redis', outcome: 'success' }),
      sample({
        id: id(2),
        decision: 'Cache the prices in Redis',
        outcome: 'failure',
        lessons: 'Expire them',
      }),
      sample({ id: id(3), decision: 'Walk to work', outcome: 'failure' }),
    )
    expect(contradictions(all, new DecisionSearch(), 5)).toMatchObject([
      { succeeded: { id: id(1) }, failed: { id: id(2), lessons: 'Expire them' } },
    ])
  })

  it('tell which reasons hold', () => {
    const reasons = (...types: ('analysis' | 'intuition')[]) =>
      types.map((type) => ({ type, text: 'because' }))
    const decisions = [
      sample({ id: id(1), reasons: reasons('analysis', 'intuition'), outcome: 'success', confidence: 1 }),
      sample({ id: id(2), reasons: reasons('analysis'), outcome: 'success', confidence: 0.5 }),
      sample({ id: id(3), reasons: reasons('analysis'), outcome: 'failure', confidence: 0.5 }),
    ]
    expect(reasonStats(decisions, 2)).toMatchObject({
      total_decisions: 3,
      reason_types: [
        { type: 'analysis', decisions: 3, reviewed: 3, success_rate: 0.667, brier_score: 0.167 },
      ],
      too_few_reviews: [{ type: 'intuition', reviewed: 1 }],
      diversity: { mean_kinds: 1.333, one_kind: { success_rate: 0.5 }, several_kinds: { success_rate: 1 } },
    })
  })
})

describe('what is to be done', () => {
  it('is to review what is due, grave matters first, and to ask after what is stale', () => {
    const decisions = [
      sample({ id: id(1), stakes: 'low', date: daysAgo(31), review_by: daysAgo(1) }),
      sample({ id: id(2), stakes: 'critical', date: daysAgo(4), review_by: daysAgo(1) }),
      sample({ id: id(3), stakes: 'low', date: daysAgo(90), review_by: daysAgo(60) }),
      sample({ id: id(4), date: daysAgo(1), review_by: daysAgo(-13) }),
      sample({ id: id(5), date: daysAgo(90), review_by: daysAgo(60), outcome: 'success' }),
    ]
    expect(readyActions(decisions, NOW).map((one) => [one.decision_id, one.type, one.priority])).toEqual([
      [id(2), 'review_outcome', 'high'],
      [id(3), 'stale_pending', 'medium'],
      [id(1), 'review_outcome', 'low'],
    ])
    expect(reviewBy(NOW, 'critical').toISOString()).toBe(daysAgo(-3))
  })

  it('is to be less sure where confidence got worse', () => {
    const of = (at: number, days: number, outcome: 'success' | 'failure') =>
      sample({ id: id(at), confidence: 0.9, date: daysAgo(days), outcome })
    const decisions = [
      ...[1, 2, 3].map((at) => of(at, 40 + at, 'success')),
      ...[4, 5, 6].map((at) => of(at, at, 'failure')),
    ]
    expect(readyActions(decisions, NOW)).toMatchObject([
      { type: 'calibration_drift', priority: 'high', category: 'architecture' },
    ])
    expect(readyActions(decisions.slice(0, 5), NOW)).toEqual([])
  })
})

describe('the graph', () => {
  const edge = (target: number, edge_type: 'relates_to' | 'supersedes' | 'depends_on', weight = 1) => ({
    target_id: id(target),
    edge_type,
    weight,
    at: daysAgo(0),
  })
  const graph = new DecisionGraph(
    stored(
      sample({
        id: id(1),
        links: [edge(2, 'supersedes'), edge(3, 'relates_to', 0.5), edge(9, 'relates_to')],
      }),
      sample({ id: id(2), links: [edge(3, 'supersedes')] }),
      sample({ id: id(3) }),
    ),
  )

  it('is walked in both directions, by kind and depth; what leads nowhere is not there', () => {
    const nodes = (...args: Parameters<DecisionGraph['around']>) =>
      graph.around(...args).nodes.map((node) => [node.id, node.distance])
    expect(nodes(id(1), 1, 'outgoing', undefined)).toEqual([
      [id(1), 0],
      [id(2), 1],
      [id(3), 1],
    ])
    expect(nodes(id(1), 2, 'outgoing', ['supersedes'])).toEqual([
      [id(1), 0],
      [id(2), 1],
      [id(3), 2],
    ])
    expect(nodes(id(1), 5, 'incoming', undefined)).toEqual([[id(1), 0]])
    expect(graph.around(id(3), 5, 'both', undefined).edges).toHaveLength(3)
    expect(
      graph.neighbors(id(3), 'both', undefined).map((one) => [one.id, one.direction, one.weight]),
    ).toEqual([
      [id(2), 'incoming', 1],
      [id(1), 'incoming', 0.5],
    ])
  })

  it('refuses edges that mean nothing', () => {
    expect(() => graph.requireMeaning(id(1), id(1), 'relates_to')).toThrow('linked to itself')
    expect(() => graph.requireMeaning(id(3), id(1), 'supersedes')).toThrow('circle')
    expect(() => graph.requireMeaning(id(3), id(1), 'depends_on')).not.toThrow()
    expect(() => graph.requireMeaning(id(3), id(1), 'relates_to')).not.toThrow()
  })
})
