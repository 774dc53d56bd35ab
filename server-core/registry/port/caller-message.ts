import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { InvocationFacts } from '../invocation.ts'
import type { CallerMessage, Target } from './messages.ts'
import { isRemoteError } from './remote-error.ts'

/**
 * Reads what came from the caller's side.
 *
 * @throws TypeError if it is invalid
 */
export function parseCallerMessage(value: unknown): CallerMessage {
  if (isJsonObject(value)) {
    const { type, call, id, target, facts, reason, error } = value
    if (type === 'call' && isNumber(call) && isTarget(target) && isFacts(facts))
      return { type, call, target, facts }
    if (type === 'abort' && isNumber(call) && isRemoteError(reason)) return { type, call, reason }
    if (type === 'reply' && isNumber(id)) return { type, id, value: value['value'] }
    if (type === 'failed' && isNumber(id) && isRemoteError(error)) return { type, id, error }
    if (type === 'stop') return { type }
  }
  throw new TypeError('The caller sent an invalid message.')
}

function isTarget(value: unknown): value is Target {
  if (!isJsonObject(value)) return false
  const { op, name, uri, uriTemplate, args } = value
  switch (op) {
    case 'tool':
      return isText(name) && isJsonObject(args)
    case 'prompt':
      return isText(name) && isTexts(args)
    case 'resource':
      return isText(uri)
    case 'template':
      return isText(uriTemplate) && isText(uri) && isJsonObject(value['variables'])
    case 'list':
      return isText(uriTemplate)
    case 'complete':
      return isRef(value['ref']) && isArgument(value['argument']) && isTexts(value['context'])
    default:
      return false
  }
}

function isRef(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { type, name, uri } = value
  return (type === 'ref/prompt' && isText(name)) || (type === 'ref/resource' && isText(uri))
}

function isArgument(value: unknown): boolean {
  return isJsonObject(value) && isText(value['name']) && isText(value['value'])
}

function isFacts(value: unknown): value is InvocationFacts {
  if (!isJsonObject(value)) return false
  const { revision, headers, clientCapabilities, meta, answers } = value
  return isText(revision) && [headers, clientCapabilities, meta, answers].every(isJsonObject)
}

function isTexts(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.values(value).every(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}
