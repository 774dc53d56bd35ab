import type { JsonObject } from '../../protocol/json.ts'
import { textBlock } from '../../registry/content.ts'
import type { ExplicitResult } from '../../registry/definitions.ts'

/** Who a block is meant for, and the like (specification: Resources, Annotations). */
type Annotated = { readonly annotations?: JsonObject }
type Bytes = string | Uint8Array

/**
 * A text block.
 *
 * @example
 * ```ts
 * import { text, tool } from 'patchbay'
 *
 * export default tool({ run: () => [text('for the user', { annotations: { audience: ['user'] } })] })
 * ```
 */
export function text(said: string, more: Annotated = {}): JsonObject {
  return { ...textBlock(said), ...more }
}

/**
 * An image block; `data` is base64 or bytes.
 *
 * @example
 * ```ts
 * import { image, tool } from 'patchbay'
 *
 * export default tool({ run: () => image(new Uint8Array([0x89, 0x50, 0x4e, 0x47])) })
 * ```
 */
export function image(data: Bytes, mimeType = 'image/png', more: Annotated = {}): JsonObject {
  return { type: 'image', data, mimeType, ...more }
}

/**
 * An audio block; `data` is base64 or bytes.
 *
 * @example
 * ```ts
 * import { audio, tool } from 'patchbay'
 *
 * export default tool({ run: () => audio(new Uint8Array(44), 'audio/wav') })
 * ```
 */
export function audio(data: Bytes, mimeType = 'audio/wav', more: Annotated = {}): JsonObject {
  return { type: 'audio', data, mimeType, ...more }
}

/**
 * A link to a resource, which the client may read.
 *
 * @example
 * ```ts
 * import { link, tool } from 'patchbay'
 *
 * export default tool({ run: () => link('notes://today', 'today') })
 * ```
 */
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

/**
 * A resource with its content, as part of a result: a text, or bytes.
 *
 * @example
 * ```ts
 * import { embedded, tool } from 'patchbay'
 *
 * export default tool({ run: () => embedded('notes://today', 'Buy milk') })
 * ```
 */
export function embedded(
  uri: string,
  content: Bytes,
  mimeType = typeof content === 'string' ? 'text/plain' : 'application/octet-stream',
  more: Annotated = {},
): JsonObject {
  const held = typeof content === 'string' ? { text: content } : { blob: content }
  return { type: 'resource', resource: { uri, mimeType, ...held }, ...more }
}

/**
 * The result of a tool that failed: the text is for the model.
 *
 * @example
 * ```ts
 * import { failure, tool } from 'patchbay'
 *
 * export default tool({ run: () => failure('There is no city of that name.') })
 * ```
 */
export function failure(...content: readonly (string | JsonObject)[]): ExplicitResult {
  return {
    isError: true,
    content: content.map((block) => (typeof block === 'string' ? textBlock(block) : block)),
  }
}
