import type { JsonObject } from '../../protocol/json.ts'
import { textBlock } from '../../registry/content.ts'
import type { ExplicitResult } from '../../registry/definitions.ts'

/** Who a block is meant for, and the like (specification: Resources, Annotations). */
type Annotated = { readonly annotations?: JsonObject }
type Bytes = string | Uint8Array

/** A text block. */
export function text(said: string, more: Annotated = {}): JsonObject {
  return { ...textBlock(said), ...more }
}

/** An image block; `data` is base64 or bytes. */
export function image(data: Bytes, mimeType = 'image/png', more: Annotated = {}): JsonObject {
  return { type: 'image', data, mimeType, ...more }
}

/** An audio block; `data` is base64 or bytes. */
export function audio(data: Bytes, mimeType = 'audio/wav', more: Annotated = {}): JsonObject {
  return { type: 'audio', data, mimeType, ...more }
}

/** A link to a resource, which the client may read. */
export function link(
  uri: string,
  name: string,
  more: Annotated & {
    readonly title?: string
    readonly description?: string
    readonly mimeType?: string
  } = {},
): JsonObject {
  return { type: 'resource_link', uri, name, ...more }
}

/** A resource with its content, as part of a result: a text, or bytes. */
export function embedded(
  uri: string,
  content: Bytes,
  mimeType = typeof content === 'string' ? 'text/plain' : 'application/octet-stream',
  more: Annotated = {},
): JsonObject {
  const held = typeof content === 'string' ? { text: content } : { blob: content }
  return { type: 'resource', resource: { uri, mimeType, ...held }, ...more }
}

/** The result of a tool that failed: the text is for the model. */
export function failure(...content: readonly (string | JsonObject)[]): ExplicitResult {
  return {
    isError: true,
    content: content.map((block) => (typeof block === 'string' ? textBlock(block) : block)),
  }
}
