import { PeerError, RequestFailedError } from '../../client/errors.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { OutputCheck, RequestOutcome } from '../contract/inspect.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type OutcomeFacts = { readonly durationMs: number; readonly revision: string }

/** The outcome that the call would have had. The message is the result alone, in the place it has in an answer. */
export function outcomeOfResult(
  result: JsonObject,
  outputCheck: OutputCheck,
  facts: OutcomeFacts,
  shown: (text: string) => string,
): RequestOutcome {
  const messageText = shown(stringifyExact({ result }))
  return { type: 'result', ...facts, messageText, bytes: messageText.length, outputCheck }
}

export function outcomeOfError(
  error: unknown,
  facts: OutcomeFacts,
  shown: (text: string) => string,
): RequestOutcome {
  if (error instanceof ProtocolError) {
    return {
      type: 'error',
      ...facts,
      messageText: shown(JSON.stringify({ error: error.toBody() })),
      bytes: error instanceof PeerError ? error.bytes.byteLength : 0,
      code: error.code,
      message: shown(error.message),
      ...(error.data !== undefined && { data: JSON.parse(shown(JSON.stringify(error.data))) as unknown }),
    }
  }
  const code = error instanceof RequestFailedError ? error.code : 'failed'
  return {
    type: 'failure',
    ...facts,
    code,
    message: shown(messageOf(error)),
  }
}
