import { tool } from 'patchbay'
import * as inputs from '../lib/inputs.ts'
import { journalOf } from '../lib/journal.ts'
import { reasonStats } from '../lib/lessons.ts'

const READS = { readOnlyHint: true, openWorldHint: false } as const
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

export const query_decisions = tool({
  title: 'Search decisions',
  description: 'Searches past decisions by words, by likeness or by both. Use it before you decide again.',
  input: inputs.queryDecisions,
  validation: 'handler',
  annotations: READS,
  async run({ query, limit, retrieval_mode: mode, bridge_side: side, filters, agent_id }, ctx) {
    const journal = journalOf(ctx)
    const started = performance.now()
    const decisions = await journal.find({ text: query, limit, mode, side, filters })
    const found = decisions.map(({ id }) => id).join(', ')
    await journal
      .trace(ctx, agent_id)
      .add('query', `${query}: ${found || 'nothing'}`, journal.now().getTime())
    return {
      decisions,
      total: decisions.length,
      query,
      retrieval_mode: mode,
      query_time_ms: Math.round(performance.now() - started),
    }
  },
})

export const check_action = tool({
  title: 'Check against guardrails',
  description:
    'Says whether the guardrails allow an action, and what they warn of. Use it before high stakes.',
  input: inputs.checkAction,
  validation: 'handler',
  annotations: READS,
  async run({ agent_id, ...action }, ctx) {
    const journal = journalOf(ctx)
    const verdict = await journal.check({ ...action, tags: [], reasons: 0, reason_types: 0 })
    const outcome = verdict.allowed
      ? 'allowed'
      : `blocked by ${verdict.violations.map((one) => one.guardrail_id).join(', ')}`
    await journal
      .trace(ctx, agent_id)
      .add('check', `${action.description}: ${outcome}`, journal.now().getTime())
    return { ...verdict, evaluated_at: journal.now().toISOString() }
  },
})

export const log_decision = tool({
  title: 'Record a decision',
  description:
    'Records a decision by hand. Rather use pre_action, which looks and checks first. What this session searched, ' +
    'checked and thought since its last decision is attached.',
  input: inputs.logDecision,
  validation: 'handler',
  annotations: { ...WRITES, idempotentHint: false },
  async run(fields, ctx) {
    const journal = journalOf(ctx)
    const { decision, file } = await journal.record(fields, journal.trace(ctx, fields.agent_id))
    const { id, date, deliberation } = decision
    return {
      id,
      path: file,
      indexed: true,
      timestamp: date,
      deliberation_inputs: deliberation?.inputs.length ?? 0,
      deliberation_steps: deliberation?.steps.length ?? 0,
    }
  },
})

export const review_outcome = tool({
  title: 'Record an outcome',
  description: 'Records how a decision turned out. This is what calibration is made of.',
  input: inputs.reviewOutcome,
  validation: 'handler',
  annotations: { ...WRITES, idempotentHint: true },
  async run(review, ctx) {
    const { decision, file } = await journalOf(ctx).review(review)
    const { id, status, outcome, reviewed_at: at } = decision
    return { id, status, outcome, reviewed_at: at, path: file, reindexed: true }
  },
})

export const get_stats = tool({
  title: 'Calibration',
  description: 'Brier score, accuracy, calibration by buckets, how confidence is spread, and counts.',
  input: inputs.getStats,
  validation: 'handler',
  annotations: READS,
  run: (asked, ctx) => journalOf(ctx).stats(asked),
})

export const get_decision = tool({
  title: 'One decision',
  description: 'Gives a decision in full: reasons, deliberation, links, outcome, and what it said before.',
  input: inputs.getDecision,
  validation: 'handler',
  annotations: READS,
  async run({ id }, ctx) {
    const { decision, file } = await journalOf(ctx).files.find(id)
    return { ...decision, path: file }
  },
})

export const get_reason_stats = tool({
  title: 'Which reasons hold',
  description:
    'Reports how well decisions did by the types of reasons given for them, and by how many types.',
  input: inputs.getReasonStats,
  validation: 'handler',
  annotations: READS,
  async run({ filters = {}, min_reviewed: least }, ctx) {
    const { category, stakes, project } = filters
    const meant = (await journalOf(ctx).decisions()).filter(
      (decision) =>
        (category === undefined || decision.category === category) &&
        (stakes === undefined || decision.stakes === stakes) &&
        (project === undefined || decision.project === project),
    )
    return reasonStats(meant, least)
  },
})

export const update_decision = tool({
  title: 'Update a decision',
  description: 'Finalizes what a decision says. What it said before is kept in its file.',
  input: inputs.updateDecision,
  validation: 'handler',
  annotations: { ...WRITES, idempotentHint: false },
  async run(changes, ctx) {
    const { decision, file } = await journalOf(ctx).update(changes)
    return { id: decision.id, path: file, reindexed: true, versions: decision.earlier.length + 1 }
  },
})

export const record_thought = tool({
  title: 'Record a thought',
  description:
    'Keeps a step of your reasoning for the next decision of this session, or adds it to one that is recorded.',
  input: inputs.recordThought,
  validation: 'handler',
  annotations: { ...WRITES, idempotentHint: false },
  async run({ text, decision_id: id, agent_id }, ctx) {
    const journal = journalOf(ctx)
    if (id === undefined) {
      await journal.trace(ctx, agent_id).add('thought', text, journal.now().getTime())
      return { recorded: true, mode: 'before the decision' }
    }
    const { decision } = await journal.addThought(id, text)
    return {
      recorded: true,
      mode: 'after the decision',
      decision_id: decision.id,
      steps: decision.deliberation?.steps.length,
    }
  },
})
