import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcError, JsonRpcResult, RequestId } from '../protocol/messages.ts'
import { safeLabel } from './labels.ts'

/** What a response says to its request. */
export type Answer =
  | { readonly type: 'result'; readonly id: RequestId; readonly result: JsonObject }
  /** 2026-07-28: the server needs answers first (protocol: multi round-trip requests). */
  | {
      readonly type: 'input-required'
      readonly id: RequestId
      readonly requestState: string | undefined
      readonly questions: readonly Asked[]
    }
  | {
      readonly type: 'error'
      readonly id: RequestId | undefined
      readonly code: number
      readonly message: string
    }
  | { readonly type: 'invalid'; readonly id: RequestId; readonly reason: string }

type Asked = { readonly key: string; readonly method: string; readonly params: JsonObject | undefined }

const QUESTIONS = 100

/** Reads a response message. */
export function answerOf(message: JsonRpcResult | JsonRpcError): Answer {
  if ('error' in message) {
    const { code, message: text } = message.error
    // JSON-RPC writes null where the id could not be read.
    return { type: 'error', id: message.id ?? undefined, code, message: safeLabel(text) }
  }
  const { id, result } = message
  if (result['resultType'] !== 'input_required') return { type: 'result', id, result }
  const requestState = result['requestState']
  const asked = result['inputRequests']
  return {
    type: 'input-required',
    id,
    requestState: typeof requestState === 'string' ? requestState : undefined,
    questions: isJsonObject(asked) ? Object.entries(asked).slice(0, QUESTIONS).map(readQuestion) : [],
  }
}

function readQuestion([key, question]: [string, unknown]): Asked {
  if (!isJsonObject(question)) return { key, method: '', params: undefined }
  const { method, params } = question
  return {
    key,
    method: typeof method === 'string' ? method : '',
    params: isJsonObject(params) ? params : undefined,
  }
}
