import { answerFaults } from '../client/answers/answer-check.ts'
import { withDefaults } from '../client/answers/answering.ts'
import type { AnswerFault } from '../client/answers/form-content.ts'
import { parseExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Question } from './question.ts'
import { RuleError } from './rule-error.ts'
import { messageOf } from '../protocol/error-message.ts'

/** An answer as it would go out, with the defaults of an accepted form, and what it is found fault with. */
export function isValidAnswer(
  question: Question,
  given: JsonObject,
): { readonly result: JsonObject; readonly faults: readonly AnswerFault[] } {
  const result = withDefaults(question.params, given)
  return { result, faults: answerFaults(question, result) }
}

/** The answer of a rule as it would go out. Throws a `RuleError` (`answer`) if it does not fit the question. */
export function validateAnswer(question: Question, given: JsonObject): JsonObject {
  const { result, faults } = isValidAnswer(question, given)
  if (faults.length === 0) return result
  const told = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
  throw new RuleError('answer', `The answer does not fit the question: ${told}.`)
}

/** Reads an answer that somebody wrote as JSON; numbers keep their value. Throws a `RuleError` (`answer`). */
export function readAnswer(text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new RuleError('answer', `The answer is not JSON: ${reason}`, { cause })
  }
  if (isJsonObject(value)) return value
  throw new RuleError('answer', 'The answer must be a JSON object, in braces.')
}
