import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcErrorBody, RequestId } from '../protocol/messages.ts'

const HEAD = '{"jsonrpc":"2.0","id":'
const CLOSING = Buffer.from('}')

/**
 * The text of an answer; `tail` is the JSON of more members of the result, each after a comma. Throws what
 * `JSON.stringify` throws if the result is not JSON.
 */
export function encodeResult(id: RequestId, result: JsonObject, tail = ''): string {
  const text = textOnly(result)
  if (text !== undefined) {
    const content = `{"content":[{"type":"text","text":${JSON.stringify(text)}}]`
    return `${HEAD}${idText(id)},"result":${content}${tail}}}`
  }
  const json = JSON.stringify(result)
  const whole = tail === '' ? json : `${json.slice(0, -1)}${json === '{}' ? tail.slice(1) : tail}}`
  return `${HEAD}${idText(id)},"result":${whole}}`
}

/** The bytes of an answer whose result is serialised already. */
export function encodeSerialised(id: RequestId, result: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${HEAD}${idText(id)},"result":`), result, CLOSING])
}

/** The bytes of an error answer; where the request's own id could not be read it is left out, or null. */
export function encodeError(id: RequestId | null | undefined, error: JsonRpcErrorBody): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error }))
}

/** The bytes of a notification. Throws what `JSON.stringify` throws if the parameters are not JSON. */
export function encodeNotification(method: string, params?: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }))
}

/**
 * An encoder of one notification for many who each get it with an id of theirs under `metaKey`, which is all that its
 * `_meta` holds: what is the same for all is serialised once. Throws what `JSON.stringify` throws.
 */
export function idNotificationEncoder(
  method: string,
  params: JsonObject,
  metaKey: string,
): (id: RequestId) => Buffer {
  const { _meta: _, ...rest } = params
  const json = JSON.stringify({ jsonrpc: '2.0', method, params: { ...rest, _meta: {} } })
  const head = `${json.slice(0, -'}}}'.length)}${JSON.stringify(metaKey)}:`
  return (id) => Buffer.from(`${head}${idText(id)}}}}`)
}

/** The bytes of a request to a client. Throws what `JSON.stringify` throws if the parameters are not JSON. */
export function encodeRequest(id: RequestId, method: string, params: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
}

/** The text of a result that is one text block and nothing else, as most are: it is written sooner by hand. */
function textOnly(result: JsonObject): string | undefined {
  const content = result['content']
  if (!Array.isArray(content) || content.length !== 1) return undefined
  for (const name in result) if (name !== 'content') return undefined
  const block: unknown = content[0]
  if (!isJsonObject(block) || block['type'] !== 'text' || block['toJSON'] !== undefined) return undefined
  for (const name in block) if (name !== 'type' && name !== 'text') return undefined
  const text = block['text']
  return typeof text === 'string' ? text : undefined
}

function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}
