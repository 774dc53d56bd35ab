import { isJsonObject, type JsonObject } from './json.ts'

/** A request id. Its type is part of its identity: `1` and `"1"` are different ids. */
export type RequestId = string | number

export type JsonRpcRequest = {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}

export type JsonRpcNotification = {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: JsonObject
}

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

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcError

/** What one parsed JSON value is on a JSON-RPC wire. */
export type Classified =
  | { readonly type: 'request'; readonly message: JsonRpcRequest }
  | { readonly type: 'notification'; readonly message: JsonRpcNotification }
  | { readonly type: 'result'; readonly message: JsonRpcResult }
  | { readonly type: 'error'; readonly message: JsonRpcError }
  | { readonly type: 'batch'; readonly items: readonly unknown[] }
  | { readonly type: 'invalid'; readonly reason: string; readonly id?: RequestId }

/** Tells whether a value may be a request id: a string, or a safe integer. Fractions and null may not. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
}

/**
 * Says what a parsed value is, by looking at `jsonrpc`, `id`, `method`, `params`, `result` and `error` and at
 * nothing else (protocol: base messages, JSON-RPC 2.0). Never throws. For an invalid value it gives the reason
 * and, if it could be read, the id to answer to.
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
    if (!isRequestId(id)) return { type: 'invalid', reason: 'a result needs the id of its request' }
    if (!isJsonObject(value['result'])) {
      return { type: 'invalid', reason: 'member "result" must be an object', id }
    }
    return { type: 'result', message: value as unknown as JsonRpcResult }
  }
  const error = value['error']
  if (!isJsonObject(error) || !Number.isInteger(error['code']) || typeof error['message'] !== 'string') {
    const reason = 'member "error" must be an object with an integer "code" and a string "message"'
    return { type: 'invalid', reason, ...readableId }
  }
  if (id !== undefined && id !== null && !isRequestId(id)) {
    return { type: 'invalid', reason: 'member "id" must be a string or an integer' }
  }
  return { type: 'error', message: value as unknown as JsonRpcError }
}

function classifyCall(value: JsonObject, readableId: { id?: RequestId }): Classified {
  if (typeof value['method'] !== 'string') {
    return { type: 'invalid', reason: 'member "method" must be a string', ...readableId }
  }
  const params = value['params']
  if (params !== undefined && !isJsonObject(params)) {
    return { type: 'invalid', reason: 'member "params" must be an object', ...readableId }
  }
  if (!('id' in value)) return { type: 'notification', message: value as unknown as JsonRpcNotification }
  if (!isRequestId(value['id'])) {
    return { type: 'invalid', reason: 'member "id" must be a string or an integer within ±(2^53−1)' }
  }
  return { type: 'request', message: value as unknown as JsonRpcRequest }
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
