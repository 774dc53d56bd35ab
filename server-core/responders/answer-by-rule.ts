import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '../protocol/json.ts'
import { declined } from './question-broker.ts'
import { validateAnswer } from './validate-answer.ts'
import type { ModelParts } from './models/model-responder.ts'
import type { Question } from './question.ts'
import type { ScriptParts } from './scripts/run-script.ts'
import type { ResponderLimits, ResponderRule } from './settings.ts'
import { fillTemplate } from './template.ts'

/** What rules answer with. */
export type RuleParts = {
  readonly scripts: ScriptParts
  readonly models: ModelParts
  /** Asks a person, who may have an answer to look at. */
  readonly people: (proposal: JsonObject | undefined) => Promise<JsonObject>
}

/**
 * Answers a question by a rule, and gives the bare result, which fits the question. Throws a `ProtocolError` for a no,
 * a `RuleError` if the rule can give no answer, and the reason of the signal if that is aborted: `never` ends in no
 * other way.
 */
export async function answerByRule(
  rule: ResponderRule,
  question: Question,
  limits: ResponderLimits,
  parts: RuleParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  switch (rule.kind) {
    case 'people':
      return parts.people(undefined)
    case 'decline':
      return declined(question, 'decline')
    case 'never':
      return untilAborted(signal)
    case 'wait':
      await pause(rule.ms, signal)
      return answerByRule(rule.then, question, limits, parts, signal)
    case 'fixed':
      return validateAnswer(question, rule.result)
    default: {
      const answer = validateAnswer(question, await made(rule, question, limits, parts, signal))
      return rule.review === true ? parts.people(answer) : answer
    }
  }
}

async function made(
  rule: Extract<ResponderRule, { review?: unknown }>,
  question: Question,
  limits: ResponderLimits,
  parts: RuleParts,
  signal: AbortSignal,
): Promise<JsonObject> {
  switch (rule.kind) {
    case 'template': {
      const { kind, method, revision, params, server } = question
      return fillTemplate(rule.template, { kind, method, revision, params, server })
    }
    case 'script': {
      const { answerByScript } = await import('./scripts/run-script.ts')
      return answerByScript(rule, question, parts.scripts, signal)
    }
    case 'model': {
      const { answerByModel } = await import('./models/model-responder.ts')
      return answerByModel(rule, question, limits, parts.models, signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
