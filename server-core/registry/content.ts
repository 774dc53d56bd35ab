import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** A text block (specification: Tools, Text Content). */
export function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** Tells whether a value is one of the content blocks of the specification with its required members. */
export function isContentBlock(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string'
    case 'image':
    case 'audio':
      return isBytesOrText(value['data']) && typeof value['mimeType'] === 'string'
    case 'resource':
      return isJsonObject(value['resource'])
    case 'resource_link':
      return typeof value['uri'] === 'string' && typeof value['name'] === 'string'
    default:
      return false
  }
}

/** The block as it goes on the wire: bytes in `data` or `resource.blob` become base64. */
export function wireBlock(block: JsonObject): JsonObject {
  const data = block['data']
  if (data instanceof Uint8Array) return { ...block, data: base64(data) }
  const resource = block['resource']
  if (isJsonObject(resource) && resource['blob'] instanceof Uint8Array) {
    return { ...block, resource: { ...resource, blob: base64(resource['blob']) } }
  }
  return block
}

/** The bytes as base64 (RFC 4648, padded), the form in which the protocol carries images, audio and blobs. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function isBytesOrText(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array
}
