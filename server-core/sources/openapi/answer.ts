import { countText } from '../../protocol/count-text.ts'
import type { GuardedResponse } from '../../network/guarded-fetch.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { ExplicitResult } from '../../registry/definitions.ts'
import { isBinaryType } from './body.ts'
import { isJsonType } from './operation.ts'

/** An answer of the interface as what it says: JSON, text or bytes. */
export type Content =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown; readonly text: string }
  | { readonly type: 'text'; readonly text: string; readonly mimeType: string }
  | { readonly type: 'bytes'; readonly bytes: Buffer; readonly mimeType: string }

/** What is in an answer, by its Content-Type. */
export function contentOf({ body, headers }: GuardedResponse): Content {
  if (body.length === 0) return { type: 'none' }
  const given = headers['content-type'] ?? ''
  const mimeType = given.split(';')[0]?.trim().toLowerCase() ?? ''
  if (mimeType !== '' && isBinaryType(mimeType)) return { type: 'bytes', bytes: body, mimeType }
  const text = decoded(body, given)
  if (isJsonType(mimeType) || mimeType === '') {
    try {
      return { type: 'json', value: JSON.parse(text), text }
    } catch {
      // Says that it is JSON and is not.
    }
  }
  return { type: 'text', text, mimeType: mimeType === '' ? 'text/plain' : mimeType }
}

/** The result of a tool. `wantsStructured`: it has an output schema, which only JSON can meet. */
export function toolResult(
  what: string,
  response: GuardedResponse,
  wantsStructured: boolean,
): ExplicitResult {
  const { status } = response
  const content = contentOf(response)
  if (status < 200 || status >= 300) {
    return { content: [textBlock(errorText(what, response))], isError: true }
  }
  if (content.type !== 'json' && wantsStructured) {
    const came = content.type === 'none' ? 'no body' : content.mimeType
    const message = `${what} answered ${status} with ${came}, where its document says JSON`
    return { content: [textBlock(message), ...blocksOf(response.url, content)], isError: true }
  }
  if (content.type === 'none') return { content: [textBlock(`${what} answered ${status}, with no body`)] }
  return {
    content: blocksOf(response.url, content),
    ...(content.type === 'json' && (wantsStructured || isJsonObject(content.value))
      ? { structuredContent: content.value }
      : {}),
  }
}

/** What the interface says went wrong: status and body. */
export function errorText(what: string, response: GuardedResponse): string {
  const content = contentOf(response)
  const location = response.headers['location']
  const redirect = location === undefined ? '' : ` (to ${location}, where this request does not follow)`
  const status = `${what} answered ${response.status}${redirect}`
  if (content.type === 'none') return status
  if (content.type === 'bytes')
    return `${status} with ${countText(content.bytes.length)} bytes of ${content.mimeType}`
  const { text } = content
  const shown = DEFAULT_LIMITS.openApiErrorCharacters
  return `${status}:\n${text.length > shown ? `${text.slice(0, shown)}… (${text.length} characters)` : text}`
}

function blocksOf(uri: string, content: Content): readonly JsonObject[] {
  switch (content.type) {
    case 'none':
      return []
    case 'json':
    case 'text':
      return [textBlock(content.text)]
    case 'bytes': {
      const { mimeType } = content
      const data = content.bytes.toString('base64')
      const kind = mimeType.split('/')[0]
      if (kind === 'image' || kind === 'audio') return [{ type: kind, data, mimeType }]
      const url = new URL(uri)
      // A query may hold a key.
      url.search = ''
      return [{ type: 'resource', resource: { uri: url.href, mimeType, blob: data } }]
    }
  }
}

function decoded(body: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}
