import { capabilitiesOf, responderFor, type Responder, type Responders } from '../../client/responders.ts'
import type { RecordedOutcome } from '../../comparison/recorded-calls.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { withoutVolatile } from '../../comparison/volatile-values.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RecordedQuestion } from './replay-plan.ts'

/** A question that the recording does not have. */
export type UnexpectedQuestion = { readonly method: string; readonly params: JsonObject }

/**
 * Answers what a server asks as it was answered in the recording: the same question with its answers in their order, else
 * the next question of its kind. Questions without a recorded answer stay open. A question that the recording does not have goes to the other responders; without
 * these it is reported and refused.
 */
export function recordedResponders(
  questions: readonly RecordedQuestion[],
  {
    onUnexpected,
    others,
  }: { readonly onUnexpected: (question: UnexpectedQuestion) => void; readonly others?: Responders },
): Responders {
  const unused = [...questions]
  const answer: Responder = async (params, context) => {
    const { method } = context
    const key = keyOf(params)
    const ofMethod = (question: RecordedQuestion): boolean => question.method === method
    const same = (question: RecordedQuestion): boolean => ofMethod(question) && keyOf(question.params) === key
    const place = [unused.findIndex(same), unused.findIndex(ofMethod)].find((found) => found !== -1)
    const [question] = place === undefined ? [questions.findLast(same)] : unused.splice(place, 1)
    if (question === undefined && others !== undefined)
      return responderFor(others, capabilitiesOf(others), method, params)(params, context)
    if (question === undefined) {
      onUnexpected({ method, params })
      throw new ProtocolError(ErrorCode.internalError, `the recording has no answer to ${method}`)
    }
    const { outcome } = question
    return outcome.type === 'none' ? unanswered(context.signal) : answerOf(method, outcome)
  }
  return { elicitation: { form: answer, url: answer }, sampling: { answer, tools: true }, roots: answer }
}

/** Never answers, as in the recording. Rejects when the question or the connection ends. */
function unanswered(signal: AbortSignal): Promise<never> {
  const never = Promise.withResolvers<never>()
  const end = (): void => never.reject(new Error('the recording has no answer to this question'))
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return never.promise
}

function answerOf(method: string, { type, value }: Exclude<RecordedOutcome, { type: 'none' }>): JsonObject {
  if (!isJsonObject(value))
    throw new ProtocolError(ErrorCode.internalError, `the recorded answer to ${method} is not an object`)
  if (type === 'result') return value
  const { code, message, data } = value
  throw new ProtocolError(
    typeof code === 'number' ? code : ErrorCode.internalError,
    typeof message === 'string' ? message : '',
    data,
  )
}

function keyOf({ _meta, ...params }: JsonObject): string {
  return canonicalJson(params, withoutVolatile)
}
