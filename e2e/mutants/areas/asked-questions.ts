import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { ChangeMessage } from '../mutant.ts'
import { paramsOf } from './changes-message.ts'

export type AskedMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list'

/** Changes what is asked by one method, as a request or in an `input_required` result. */
export function changeQuestion(
  method: AskedMethod,
  change: (params: JsonObject) => JsonObject | undefined,
): ChangeMessage {
  return (message) => {
    if (message['method'] === method && 'id' in message) {
      const params = change(paramsOf(message))
      return params === undefined ? undefined : { ...message, params }
    }
    const { result } = message
    if (!isJsonObject(result) || !isJsonObject(result['inputRequests'])) return message
    const entries = Object.entries(result['inputRequests']).flatMap(([key, entry]) => {
      if (!isJsonObject(entry) || entry['method'] !== method) return [[key, entry] as const]
      const params = change(isJsonObject(entry['params']) ? entry['params'] : {})
      return params === undefined ? [] : [[key, { ...entry, params }] as const]
    })
    return { ...message, result: { ...result, inputRequests: Object.fromEntries(entries) } }
  }
}

const MARKS: Readonly<Record<AskedMethod, string>> = {
  'elicitation/create': 'action',
  'sampling/createMessage': 'model',
  'roots/list': 'roots',
}

/** Changes the answers to one method, as a response or in the next round; undefined drops the whole message. */
export function changeAnswerTo(
  method: AskedMethod,
  change: (result: JsonObject) => JsonObject | undefined,
): ChangeMessage {
  return (message, { answers }) => {
    if (answers?.['method'] === method && isJsonObject(message['result'])) {
      const result = change(message['result'])
      return result === undefined ? undefined : { ...message, result }
    }
    const params = paramsOf(message)
    const { inputResponses } = params
    if (!isJsonObject(inputResponses)) return message
    const changed: [string, unknown][] = []
    for (const [key, answer] of Object.entries(inputResponses)) {
      const fits = isJsonObject(answer) && MARKS[method] in answer
      const next = fits ? change(answer) : answer
      if (next === undefined) return undefined
      changed.push([key, next])
    }
    return { ...message, params: { ...params, inputResponses: Object.fromEntries(changed) } }
  }
}

/** Changes what a client declares, in the handshake and with each request. */
export function changeDeclared(change: (capabilities: JsonObject) => JsonObject): ChangeMessage {
  return (message) => {
    const params = paramsOf(message)
    const { capabilities, _meta: meta } = params
    if (message['method'] === 'initialize' && isJsonObject(capabilities))
      return { ...message, params: { ...params, capabilities: change(capabilities) } }
    const declared = isJsonObject(meta) ? meta[MetaKey.clientCapabilities] : undefined
    if (!isJsonObject(meta) || !isJsonObject(declared)) return message
    const next = { ...meta, [MetaKey.clientCapabilities]: change(declared) }
    return { ...message, params: { ...params, _meta: next } }
  }
}

/** What the client declared with a request of 2026-07-28. */
export function declaredIn(message: JsonObject | undefined): JsonObject {
  const { _meta: meta } = paramsOf(message)
  const declared = isJsonObject(meta) ? meta[MetaKey.clientCapabilities] : undefined
  return isJsonObject(declared) ? declared : {}
}

/** Whether a message is a round after the first. */
export function isRetry(message: JsonObject): boolean {
  const params = paramsOf(message)
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined
}
