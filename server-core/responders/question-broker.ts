import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { isElicitation, type Question } from './question.ts'
import type { RuleError } from './rule-error.ts'
import type { EffectiveSettings, ResponderRule } from './settings.ts'

/** What became of a question. */
export type Outcome =
  | { readonly type: 'result'; readonly result: JsonObject }
  /** `failure` says more than the server receives. */
  | { readonly type: 'error'; readonly error: ProtocolError; readonly failure?: RuleError }
  /** Nobody waits for an answer any more: `reason` is that of the signal. */
  | { readonly type: 'withdrawn'; readonly reason: unknown }

/** One question, while it is open. */
export interface PendingQuestion {
  /**
   * Asks a person. `proposal` is an answer that a rule has ready, to be looked at. What is given goes out as it is.
   * Throws a `ProtocolError` for a no and a deadline, and the reason of the signal if that is aborted.
   */
  ask(proposal: JsonObject | undefined, signal: AbortSignal): Promise<JsonObject>
  close(outcome: Outcome): void
}

/** Where every question passes: it keeps account of them, bounds them, and has people to ask. */
export interface QuestionBroker {
  /** Throws a `ProtocolError` if there are too many. */
  open(question: Question, rule: ResponderRule['kind'], settings: EffectiveSettings): PendingQuestion
}

/** The answer of a person who says no: a result where there is one for that. Throws a `ProtocolError` otherwise. */
export function declined({ kind }: Question, action: 'decline' | 'cancel'): JsonObject {
  if (isElicitation(kind)) return { action }
  const what = kind === 'sampling' ? 'the sampling request' : 'to tell the roots'
  throw new ProtocolError(ErrorCode.userRejected, `the user declined ${what}`)
}

/** The answer when nobody answered in time. Throws a `ProtocolError` where there is no result for that. */
export function expired({ kind }: Question): JsonObject {
  if (isElicitation(kind)) return { action: 'cancel' }
  throw new ProtocolError(ErrorCode.userRejected, 'the user did not answer in time')
}
