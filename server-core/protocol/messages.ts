import { isJsonObject, type JsonObject } from './json.ts'

/** A request id. Its type is part of its identity: `1` and `"1"` are different ids. */
export type RequestId = string | number

/** A request (JSON-RPC 2.0). */
export type JsonRpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}

/** A notification (JSON-RPC 2.0). */
export type JsonRpcNotification = {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: JsonObject
}

/** A response with a result (JSON-RPC 2.0). */
export type JsonRpcResult = {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: JsonObject
}

export type JsonRpcErrorBody = { readonly code: number; readonly message: string; readonly data?: unknown }

/** An error answer. The id is missing when the request's own id could not be read. */
export type JsonRpcError = {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId
  readonly error: JsonRpcErrorBody
}

/** A JSON-RPC message of any kind. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcError

/** What one parsed JSON value is on a JSON-RPC wire. */
export type Classified =
  | { readonly type: 'request'; readonly message: JsonRpcRequest }
  | { readonly type: 'notification'; readonly message: JsonRpcNotification }
  | { readonly type: 'result'; readonly message: JsonRpcResult }
  | { readonly type: 'error'; readonly message: JsonRpcError }
  | { readonly type: 'batch'; readonly items: readonly unknown[] }
  | { readonly type: 'invalid'; readonly reason: string; readonly id?: RequestId }

/** Returns whether a value may be a request id: a string, or a safe integer. Fractions and null may not. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
}

/**
 * Returns what a parsed value is, by looking at `jsonrpc`, `id`, `method`, `params`, `result` and `error` and at
 * nothing else (protocol: base messages, JSON-RPC 2.0). Never throws. For an invalid value it gives the reason
 * and, if it could be read, the id to answer to.
 *
 * @example
 * ```ts
 * import { classifyMessage } from 'patchbay/protocol'
 *
 * console.log(classifyMessage({ jsonrpc: '2.0', id: 1, method: 'ping' }).type) // request
 * console.log(classifyMessage({ jsonrpc: '2.0', id: 1, result: {} }).type) // result
 * ```
 */
export function classifyMessage(value: unknown): Classified {
  if (Array.isArray(value)) return { type: 'batch', items: value }
  if (!isJsonObject(value)) return { type: 'invalid', reason: `expected a JSON object, got ${nameOf(value)}` }
  const id = value['id']
  const readableId = isRequestId(id) ? { id } : {}
  if (value['jsonrpc'] !== '2.0') {
    return { type: 'invalid', reason: 'member "jsonrpc" must be "2.0"', ...readableId }
  }
  if (value['method'] !== undefined) return classifyCall(value, readableId)
  const hasResult = value['result'] !== undefined
  const hasError = value['error'] !== undefined
  if (hasResult === hasError) {
    const reason = hasResult
      ? 'a response has either "result" or "error", this one has both'
      : 'neither "method" nor "result" nor "error" is there'
    return { type: 'invalid', reason, ...readableId }
  }
  if (hasResult) {
    if (isResult(value)) return { type: 'result', message: value }
    if (!isRequestId(id)) return { type: 'invalid', reason: 'a result needs the id of its request' }
    return { type: 'invalid', reason: 'member "result" must be an object', id }
  }
  if (isError(value)) return { type: 'error', message: value }
  if (!isErrorBody(value['error'])) {
    const reason = 'member "error" must be an object with an integer "code" and a string "message"'
    return { type: 'invalid', reason, ...readableId }
  }
  return { type: 'invalid', reason: 'member "id" must be a string or an integer' }
}

/** How many items of an array ask for an answer, as far as `method` and `id` say so. */
export function requestCount(items: readonly unknown[]): number {
  let count = 0
  for (const item of items) if (isJsonObject(item) && 'method' in item && 'id' in item) count += 1
  return count
}

function classifyCall(value: JsonObject, readableId: { id?: RequestId }): Classified {
  if (isRequest(value)) return { type: 'request', message: value }
  if (isNotification(value)) return { type: 'notification', message: value }
  if (typeof value['method'] !== 'string') {
    return { type: 'invalid', reason: 'member "method" must be a string', ...readableId }
  }
  if (!hasParams(value)) {
    return { type: 'invalid', reason: 'member "params" must be an object', ...readableId }
  }
  return { type: 'invalid', reason: 'member "id" must be a string or an integer within ±(2^53−1)' }
}

/** The predicates below tell the kinds apart; that `jsonrpc` is "2.0" was seen before. */
function isRequest(value: object): value is JsonRpcRequest {
  return 'id' in value && isRequestId(value.id) && hasMethod(value) && hasParams(value)
}

function isNotification(value: object): value is JsonRpcNotification {
  return !('id' in value) && hasMethod(value) && hasParams(value)
}

function isResult(value: object): value is JsonRpcResult {
  return 'id' in value && isRequestId(value.id) && 'result' in value && isJsonObject(value.result)
}

/** The id of an error may be missing, or null where a peer says so of a request that it could not read. */
function isError(value: object): value is JsonRpcError {
  const id = 'id' in value ? value.id : undefined
  return (id === undefined || id === null || isRequestId(id)) && 'error' in value && isErrorBody(value.error)
}

function isErrorBody(error: unknown): error is JsonRpcErrorBody {
  return isJsonObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
}

function hasMethod(value: object): boolean {
  return 'method' in value && typeof value.method === 'string'
}

function hasParams(value: object): boolean {
  return !('params' in value) || value.params === undefined || isJsonObject(value.params)
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
