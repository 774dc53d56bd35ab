import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { base64, isUri } from './content.ts'
import type { ResourceOutcome } from './entries.ts'
import { ResourceNotFoundError } from './errors.ts'
import { rejectUnsafeNumbers } from './reject-unsafe-numbers.ts'

/**
 * Makes the contents of a read: text, bytes (a base64 blob), an object with `text` or `blob` and perhaps its own
 * `uri`, `mimeType` and `_meta`, a list of these, or `{ contents }` (specification: Resources, Reading
 * Resources). Nothing means that there is no such resource: throws a `ResourceNotFoundError`. Throws a
 * `TypeError` for anything else.
 */
export function toResourceOutcome(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceOutcome {
  const wrapped = isJsonObject(value) && Array.isArray(value['contents']) ? value : undefined
  const items: unknown = wrapped === undefined ? value : wrapped['contents']
  const list: readonly unknown[] = Array.isArray(items) ? items : [items]
  if (value === undefined || list.length === 0) throw new ResourceNotFoundError(uri)
  const meta = wrapped?.['_meta']
  rejectUnsafeNumbers(list)
  rejectUnsafeNumbers(meta)
  return {
    contents: list.map((item) => toContent(item, uri, mimeType)),
    ...(isJsonObject(meta) ? { meta } : {}),
  }
}

function toContent(item: unknown, uri: string, mimeType: string | undefined): JsonObject {
  if (typeof item === 'string') return { uri, mimeType: mimeType ?? 'text/plain', text: item }
  if (item instanceof Uint8Array) {
    return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: base64(item) }
  }
  if (isJsonObject(item)) {
    const { text, blob } = item
    if (item['uri'] !== undefined && !isUri(item['uri'])) {
      throw new TypeError(`Reading ${uri} gave a content whose URI is empty or has white space.`)
    }
    if (typeof text === 'string') return { uri, mimeType: mimeType ?? 'text/plain', ...item }
    const encoded = blob instanceof Uint8Array ? base64(blob) : blob
    if (typeof encoded === 'string') {
      return { uri, mimeType: mimeType ?? 'application/octet-stream', ...item, blob: encoded }
    }
  }
  throw new TypeError(
    `Reading ${uri} gave ${item === null ? 'null' : typeof item}; expected text, bytes, or an object with "text" or "blob".`,
  )
}
