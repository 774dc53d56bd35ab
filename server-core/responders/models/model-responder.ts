import type { JsonObject } from '../../protocol/json.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import type { ResponderLimits, ResponderRule } from '../settings.ts'
import { askModel, type OpenEndpoint } from './ask-model.ts'
import { chooseModel } from './choose-model.ts'
import type { CountedReply } from './ask-model.ts'
import { unusable } from './sampling-params.ts'
import type { TokenBudget } from './token-budget.ts'

export type ModelParts = {
  /** The endpoint of that id with its key. Undefined if there is none. */
  readonly endpoint: (id: string) => Promise<OpenEndpoint | undefined>
  readonly budget: TokenBudget
}

type ModelRule = Extract<ResponderRule, { kind: 'model' }>

/**
 * Answers `sampling/createMessage` by a model (client features: sampling): the model that the rule or the server's
 * hints name, no more tokens than the server, the rule and the budget allow. Throws a `RuleError`.
 */
export async function answerByModel(
  rule: ModelRule,
  question: Question,
  limits: ResponderLimits,
  { endpoint: find, budget }: ModelParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (question.kind !== 'sampling') throw new RuleError('question', 'A model answers sampling, nothing else.')
  const open = await find(rule.endpointId)
  if (open === undefined)
    throw new RuleError('model', 'The model endpoint of this rule is not there any more. Choose another.')
  const { params } = question
  const asked = params['maxTokens']
  if (typeof asked !== 'number' || !(asked >= 1)) throw unusable('maxTokens must be a number from 1')
  const reservation = budget.reserve(Math.min(Math.floor(asked), rule.maxTokens ?? Infinity), limits)
  let reply: CountedReply | undefined
  try {
    const model = rule.model ?? chooseModel(open.endpoint, params)
    reply = await askModel(open, { params, model, maxTokens: reservation.maxTokens }, signal)
    return resultOf(reply, question)
  } finally {
    await reservation.settle(reply?.tokens ?? 0)
  }
}

/** Until 2025-06-18 a message is one block; what a model said in several texts becomes one. */
function resultOf({ content, model, stopReason }: CountedReply, { revision }: Question): JsonObject {
  const blocks = content.length === 0 ? [{ type: 'text', text: '' }] : content
  const [first] = blocks
  const isOne = revisionRow(revision)?.samplingContent === 'one'
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  const joined =
    isOne && blocks.length > 1 && texts.length > 0 ? { type: 'text', text: texts.join('\n\n') } : first
  return {
    role: 'assistant',
    content: isOne || blocks.length === 1 ? joined : blocks,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
  }
}
