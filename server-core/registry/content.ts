import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { annotationsDefect } from './annotations.ts'

const KINDS = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link'])

/** A text block (specification: Tools, Text Content). */
export function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** Returns whether a value can be a URI: a text that is not empty and has no white space. */
export function isUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri !== '' && !/\s/.test(uri)
}

/** Returns whether a value is one of the content blocks of the specification with its required members. */
export function isContentBlock(value: unknown): value is JsonObject {
  return isOfBlockKind(value) && blockDefect(value) === undefined
}

/** Returns whether a value says that it is a content block, whatever it lacks. */
export function isOfBlockKind(value: unknown): value is JsonObject {
  return isJsonObject(value) && KINDS.has(value['type'])
}

/**
 * What is wrong with a block of a kind that is known (specification: Tools, Tool Result), as a clause; undefined if
 * nothing is. Kinds that are not known are their author's own word.
 */
export function blockDefect(block: JsonObject): string | undefined {
  return memberDefect(block) ?? annotationsDefect(block['annotations'])
}

function memberDefect(block: JsonObject): string | undefined {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : 'a text block needs "text"'
    case 'image':
    case 'audio': {
      const complete = isBytesOrText(block['data']) && typeof block['mimeType'] === 'string'
      return complete ? undefined : 'an image or audio block needs "data" (base64 or bytes) and "mimeType"'
    }
    case 'resource': {
      const { resource } = block
      const complete =
        isJsonObject(resource) &&
        isUri(resource['uri']) &&
        (typeof resource['text'] === 'string' || isBytesOrText(resource['blob']))
      return complete ? undefined : 'a resource block needs "resource" with a "uri" and "text" or "blob"'
    }
    case 'resource_link': {
      const complete = isUri(block['uri']) && typeof block['name'] === 'string'
      return complete ? undefined : 'a resource_link block needs "uri", without white space, and "name"'
    }
    default:
      return undefined
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
