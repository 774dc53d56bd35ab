import { tool } from 'patchbay'
import { calibrationOf } from '../lib/calibration.ts'
import * as inputs from '../lib/inputs.ts'
import { journalOf } from '../lib/journal.ts'
import { confirmedPatterns } from '../lib/lessons.ts'
import { PRIORITIES, readyActions } from '../lib/ready.ts'
import { asMarkdown, sessionContext } from '../lib/session-context.ts'

export const pre_action = tool({
  title: 'Before an action',
  description:
    'Call this before any significant decision. Finds similar past decisions, checks the guardrails, reports how good your ' +
    'confidence was in this category, and records the decision if it is allowed and its category and confidence are given.',
  input: inputs.preAction,
  validation: 'handler',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run({ action, reasons, tags, pattern, project, options, agent_id }, ctx) {
    const started = performance.now()
    const journal = journalOf(ctx)
    const trace = journal.trace(ctx, agent_id)
    const { description, category, stakes, confidence } = action
    const similar = await journal.find({ text: description, limit: options.query_limit })
    const reasonTypes = new Set(reasons.map(({ type }) => type)).size
    const planned = { ...action, project, tags, reasons: reasons.length, reason_types: reasonTypes }
    const verdict = await journal.check(planned)
    const decisions = await journal.decisions()
    const sameCategory = decisions.filter((one) => category === undefined || one.category === category)
    const now = journal.now().getTime()
    await trace.add(
      'query',
      `${description}: ${similar.map(({ id }) => id).join(', ') || 'nothing similar'}`,
      now,
    )
    await trace.add('check', `${description}: ${verdict.allowed ? 'allowed' : 'blocked'}`, now)

    const missing = [
      ...(options.auto_record ? [] : ['auto_record is false']),
      ...(verdict.allowed ? [] : ['a guardrail blocks it']),
      ...(category === undefined ? ['it has no category'] : []),
      ...(confidence === undefined ? ['it has no confidence'] : []),
    ]
    const recorded =
      missing.length > 0 || category === undefined || confidence === undefined
        ? { recorded: false, not_recorded_because: missing.join('; ') }
        : await journal
            .record(
              {
                decision: description,
                confidence,
                category,
                stakes,
                reasons,
                tags,
                pattern,
                project,
                agent_id,
              },
              trace,
            )
            .then(({ decision: { id }, file }) => ({ recorded: true, decision_id: id, path: file }))
    return {
      allowed: verdict.allowed,
      ...recorded,
      relevant_decisions: similar,
      guardrails: verdict,
      calibration: { category: category ?? 'all', ...calibrationOf(sameCategory) },
      ...(options.include_patterns ? { patterns: confirmedPatterns(sameCategory) } : {}),
      query_time_ms: Math.round(performance.now() - started),
    }
  },
})

export const get_session_context = tool({
  title: 'Context for a session',
  description:
    'Call this when a session starts or the task changes. Gives your profile, relevant decisions, guardrails, ' +
    'calibration by category, what is to be reviewed, confirmed patterns and contradictions.',
  input: inputs.sessionContext,
  validation: 'handler',
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(asked, ctx) {
    const context = await sessionContext(journalOf(ctx), asked)
    return asked.format === 'json' ? context : asMarkdown(context)
  },
})

export const ready = tool({
  title: 'What is to be done',
  description:
    'Lists what the log needs: outcomes to review, decisions that are stale, confidence that got worse.',
  input: inputs.ready,
  validation: 'handler',
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ min_priority, action_types: types, limit, category }, ctx) {
    const journal = journalOf(ctx)
    const least = PRIORITIES.indexOf(min_priority)
    const actions = readyActions(await journal.decisions(), journal.now()).filter(
      (one) =>
        PRIORITIES.indexOf(one.priority) >= least &&
        (types.length === 0 || types.includes(one.type)) &&
        (category === undefined || one.category === category),
    )
    return { actions: actions.slice(0, limit), total: actions.length }
  },
})
