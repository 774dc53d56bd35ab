import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import type { CompletionRef } from '../entries.ts'
import { DEPRECATED_EMISSIONS } from '../deprecated/table.ts'
import type { Emission, InvocationFacts, Question } from '../invocation.ts'
import { isArrayOf, isDefinitions, type Definitions } from './definitions.ts'
import { isRemoteError, type RemoteError } from './remote-error.ts'

/** Which handler to run, on what. */
export type Target =
  | { readonly op: 'tool'; readonly name: string; readonly args: JsonObject }
  | { readonly op: 'resource'; readonly uri: string }
  | {
      readonly op: 'template'
      readonly uriTemplate: string
      readonly uri: string
      readonly variables: Readonly<Record<string, string | readonly string[]>>
    }
  | { readonly op: 'list'; readonly uriTemplate: string }
  | { readonly op: 'prompt'; readonly name: string; readonly args: Readonly<Record<string, string>> }
  | {
      readonly op: 'complete'
      readonly ref: CompletionRef
      readonly argument: { readonly name: string; readonly value: string }
      readonly context: Readonly<Record<string, string>>
    }

/** From the caller to the side of the handlers. `call` numbers the calls, `id` the handlers' requests. */
export type CallerMessage =
  | { readonly type: 'call'; readonly call: number; readonly target: Target; readonly facts: InvocationFacts }
  | { readonly type: 'abort'; readonly call: number; readonly reason: RemoteError }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly error: RemoteError }
  /** Clean up what the handlers share; `stopping` and then `stopped` are the answer. */
  | { readonly type: 'stop' }

/** What a handler needs from the caller's side and waits for. */
export type HandlerRequest =
  | { readonly op: 'ask'; readonly questions: readonly Question[] }
  | { readonly op: 'get' | 'delete'; readonly key: string }
  | { readonly op: 'set'; readonly key: string; readonly value: unknown }
  | { readonly op: 'keys' }

export type Change = { readonly kind: 'tools' | 'resources' | 'prompts' } | { readonly uri: string }

/** From the side of the handlers to the caller. */
export type HandlerMessage =
  | { readonly type: 'definitions'; readonly definitions: Definitions }
  | { readonly type: 'updated'; readonly uri: string }
  /** The stop was read: the other side is not blocked. */
  | { readonly type: 'stopping' }
  | { readonly type: 'stopped'; readonly error?: RemoteError }
  | { readonly type: 'emit'; readonly call: number; readonly emission: Emission }
  | { readonly type: 'changed'; readonly call: number; readonly change: Change }
  | { readonly type: 'request'; readonly call: number; readonly id: number; readonly request: HandlerRequest }
  /** The abort was read: the other side is not blocked. */
  | { readonly type: 'aborted'; readonly call: number }
  | { readonly type: 'done'; readonly call: number; readonly outcome: unknown }
  | { readonly type: 'error'; readonly call: number; readonly error: RemoteError }

const CALL_MESSAGES = new Set(['emit', 'changed', 'request', 'aborted', 'done', 'error'])
const CHANGED_KINDS = new Set<unknown>(['tools', 'resources', 'prompts'] satisfies ListKind[])

/**
 * Reads what came from the side of the handlers. Their process may run code that is not ours: anything that is
 * none of our messages throws a `TypeError`.
 */
export function readHandlerMessage(value: unknown): HandlerMessage {
  if (isJsonObject(value)) {
    const { type, definitions, uri, error } = value
    if (type === 'definitions' && isDefinitions(definitions)) return { type, definitions }
    if (type === 'updated' && typeof uri === 'string') return { type, uri }
    if (type === 'stopping') return { type }
    if (type === 'stopped' && error === undefined) return { type }
    if (type === 'stopped' && isRemoteError(error)) return { type, error }
    if (isCallMessage(value)) return value
  }
  throw new TypeError('sent a message that the registry port does not define')
}

type CallMessage = Extract<HandlerMessage, { readonly call: number }>

function isCallMessage(value: object): value is CallMessage {
  if (!isJsonObject(value)) return false
  const { type, call } = value
  return (
    typeof type === 'string' && CALL_MESSAGES.has(type) && Number.isSafeInteger(call) && hasBody(type, value)
  )
}

function hasBody(type: string, value: JsonObject): boolean {
  switch (type) {
    case 'emit':
      return isEmission(value['emission'])
    case 'changed':
      return isChange(value['change'])
    case 'request':
      return Number.isSafeInteger(value['id']) && isRequest(value['request'])
    case 'error':
      return isRemoteError(value['error'])
    default:
      return true
  }
}

function isChange(value: unknown): boolean {
  return isJsonObject(value) && (CHANGED_KINDS.has(value['kind']) || typeof value['uri'] === 'string')
}

function isEmission(value: unknown): value is Emission {
  if (!isJsonObject(value)) return false
  const { type, message } = value
  switch (type) {
    case 'progress':
      return (
        typeof value['progress'] === 'number' && isOptionalNumber(value['total']) && isOptionalText(message)
      )
    case 'elicitation-complete':
      return typeof value['key'] === 'string'
    case 'task':
      return isOptionalText(message)
    case 'release':
      return isOptionalNumber(value['retryMs'])
    default:
      return DEPRECATED_EMISSIONS.get(type)?.(value) ?? false
  }
}

function isRequest(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  switch (value['op']) {
    case 'ask':
      return isArrayOf(value['questions'], isQuestion)
    case 'get':
    case 'set':
    case 'delete':
      return typeof value['key'] === 'string'
    default:
      return value['op'] === 'keys'
  }
}

function isQuestion(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value['key'] === 'string' &&
    typeof value['method'] === 'string' &&
    isJsonObject(value['params']) &&
    (value['after'] === undefined || value['after'] === 'change')
  )
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isOptionalNumber(value: unknown): boolean {
  return value === undefined || typeof value === 'number'
}
