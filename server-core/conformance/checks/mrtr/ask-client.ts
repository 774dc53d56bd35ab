import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { StepOutcome } from '../../exam/client-driver.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { shortJson } from '../../probe/outcome.ts'

/** What a client made of a question. In 2026-07-28 a refusal is a call that fails: `failed`. */
export type ClientAnswer =
  | { readonly type: 'result'; readonly result: JsonObject; readonly frame: CapturedFrame | undefined }
  | { readonly type: 'error'; readonly code: unknown; readonly frame: CapturedFrame | undefined }
  | { readonly type: 'failed'; readonly message: string; readonly frame: CapturedFrame | undefined }
  | { readonly type: 'silence'; readonly frame: CapturedFrame | undefined }

/** The name under which the exam server asks in 2026-07-28. */
export const KEY = 'exam_question'

/** Makes the client call its tool, and asks it something before the answer. */
export async function askClient(
  exam: ClientExam,
  method: string,
  params: JsonObject = {},
): Promise<ClientAnswer> {
  let answer: ClientAnswer | undefined
  // Set while the call runs.
  const seen: { isAsked: boolean } = { isAsked: false }
  exam.on('tools/call', async (turn) => {
    seen.isAsked = true
    if (!exam.isModern) {
      const outcome = await turn.ask(method, params)
      if (outcome.type === 'result') answer = { type: 'result', result: outcome.result, frame: outcome.frame }
      else if (outcome.type === 'error') answer = { type: 'error', code: outcome.code, frame: outcome.frame }
      else answer = { type: 'silence', frame: outcome.frame ?? outcome.sent }
      return turn.usual()
    }
    const { inputResponses } = turn.params
    const given = isJsonObject(inputResponses) ? inputResponses[KEY] : undefined
    if (isJsonObject(given)) {
      const frame = exam.received.find(({ message }) => message === turn.request)?.frame
      answer = { type: 'result', result: given, frame }
      return turn.usual()
    }
    if (inputResponses !== undefined) return turn.usual()
    return {
      result: {
        resultType: 'input_required',
        inputRequests: { [KEY]: { method, params } },
        requestState: 'asked',
      },
    }
  })
  const outcome = await callOnce(exam)
  const frame = exam.messagesOf('tools/call').at(-1)?.frame
  if (frame === undefined) exam.inconclusive('the client called no tool')
  if (answer !== undefined) return answer
  // One that is not driven has called once, for an earlier question.
  if (!seen.isAsked && !(await exam.isDriven())) exam.inconclusive('the client called no tool again')
  return outcome.type === 'failed'
    ? { type: 'failed', message: outcome.message, frame }
    : { type: 'silence', frame }
}

/** Makes the client call the tool `echo`, by its basic run where it can do no more. */
export async function callOnce(exam: ClientExam): Promise<StepOutcome> {
  const client = await exam.client()
  if (client.step === undefined) return exam.run()
  if (exam.connections.length === 0) await exam.connect()
  return exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } })
}

/** What the client declares: in the handshake, or with its newest request. */
export function declaredBy(exam: ClientExam): JsonObject {
  for (const { message } of exam.received.toReversed()) {
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    const declared =
      message['method'] === 'initialize' ? params['capabilities'] : meta[MetaKey.clientCapabilities]
    if (isJsonObject(declared)) return declared
  }
  return {}
}

/** Whether the client declares a capability, as a dotted path. */
export function clientDeclares(exam: ClientExam, path: string): boolean {
  let value: unknown = declaredBy(exam)
  for (const step of path.split('.')) value = isJsonObject(value) ? value[step] : undefined
  return value !== undefined && value !== false
}

/** An answer in a few words. */
export function describeAnswer(answer: ClientAnswer): string {
  switch (answer.type) {
    case 'result':
      return `a result: ${shortJson(answer.result)}`
    case 'error':
      return `error ${shortJson(answer.code)}`
    case 'failed':
      return `the call failed: ${answer.message}`
    case 'silence':
      return 'no answer'
  }
}
