import type { Responder, Responders } from '../client/responders.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { answerByRule, type RuleParts } from './answer-by-rule.ts'
import type { QuestionBroker, Outcome } from './question-broker.ts'
import { kindOf, type Question } from './question.ts'
import { RuleError } from './rule-error.ts'
import type { EffectiveSettings } from './settings.ts'
import { messageOf } from '../protocol/error-message.ts'

export type ResponderParts = Omit<RuleParts, 'people'> & {
  readonly server: Question['server']
  readonly broker: QuestionBroker
  /** Aborted when the connection ends, with the reason. */
  readonly ended?: AbortSignal
}

/**
 * What `connect` takes, made of settings: every kind of question is answered, by its rule as it is when the question
 * comes. So each kind is declared, tools of sampling included, unless the connection has a declaration of its own.
 */
export function respondersFor(
  settings: () => EffectiveSettings | Promise<EffectiveSettings>,
  parts: ResponderParts,
): Responders {
  const answer: Responder = async (params, { method, revision, bytes, key, signal: withdrawn }) => {
    const kind = kindOf(method, params)
    if (kind === undefined)
      throw new ProtocolError(ErrorCode.methodNotFound, `this client does not answer ${method}`)
    const { server, broker, ended } = parts
    const signal = ended === undefined ? withdrawn : AbortSignal.any([withdrawn, ended])
    const question: Question = {
      kind,
      method,
      params,
      revision,
      bytes,
      server,
      ...(key === undefined ? {} : { key }),
    }
    const effective = await settings()
    const rule = effective.rules[kind]
    const pending = broker.open(question, rule.kind, effective)
    const people: RuleParts['people'] = (proposal) => pending.ask(proposal, signal)
    try {
      signal.throwIfAborted()
      const result = await answerByRule(rule, question, effective.limits, { ...parts, people }, signal)
      signal.throwIfAborted()
      pending.close({ type: 'result', result })
      return result
    } catch (error) {
      const outcome = outcomeOf(error, signal)
      pending.close(outcome)
      throw outcome.type === 'error' ? outcome.error : error
    }
  }
  return {
    elicitation: { form: answer, url: answer },
    sampling: { answer, tools: true },
    roots: answer,
  }
}

function outcomeOf(error: unknown, signal: AbortSignal): Exclude<Outcome, { type: 'result' }> {
  if (signal.aborted) return { type: 'withdrawn', reason: signal.reason }
  if (error instanceof ProtocolError) return { type: 'error', error }
  const failure =
    error instanceof RuleError ? error : new RuleError('fault', messageOf(error), { cause: error })
  return { type: 'error', error: failure.toProtocolError(), failure }
}
