import type { JsonObject } from '../protocol/json.ts'
import type { JsonRpcErrorBody, RequestId } from '../protocol/messages.ts'

const HEAD = '{"jsonrpc":"2.0","id":'
const CLOSING = Buffer.from('}')

/** The bytes of an answer. Throws what `JSON.stringify` throws if the result is no JSON. */
export function encodeResult(id: RequestId, result: JsonObject): Buffer {
  return Buffer.from(`${HEAD}${idText(id)},"result":${JSON.stringify(result)}}`)
}

/** The bytes of an answer whose result is serialised already. */
export function encodeSerialised(id: RequestId, result: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${HEAD}${idText(id)},"result":`), result, CLOSING])
}

/** The bytes of an error answer; where the request's own id could not be read it is left out, or null. */
export function encodeError(id: RequestId | null | undefined, error: JsonRpcErrorBody): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error }))
}

/** The bytes of a notification. Throws what `JSON.stringify` throws if the parameters are no JSON. */
export function encodeNotification(method: string, params?: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }))
}

/** The bytes of a request of ours. Throws what `JSON.stringify` throws if the parameters are no JSON. */
export function encodeRequest(id: RequestId, method: string, params: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
}

function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}
