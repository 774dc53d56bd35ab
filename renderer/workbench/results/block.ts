import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { workbenchResultsText } from './text.ts'

/** One piece of content (MCP, content blocks), parsed once; an invalid one is `unknown`. */
export type Block =
  | { readonly type: 'text'; readonly text: string; readonly notes: readonly string[] }
  | {
      readonly type: 'image' | 'audio'
      readonly data: string
      readonly mimeType: string
      readonly notes: readonly string[]
    }
  | { readonly type: 'contents'; readonly contents: Contents; readonly notes: readonly string[] }
  | { readonly type: 'link'; readonly link: Link; readonly notes: readonly string[] }
  | { readonly type: 'unknown'; readonly reason: string; readonly notes: readonly string[] }

/** What a resource holds: text, or bytes in base64. */
export type Contents = {
  readonly uri: string
  readonly mimeType: string | undefined
  readonly text?: string
  readonly blob?: string
}

export type Link = {
  readonly uri: string
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly mimeType: string | undefined
  readonly size: number | undefined
}

/** Reads one content block from its JSON. */
export function readBlock(source: string): Block {
  const value: unknown = JSON.parse(source)
  if (!isJsonObject(value)) return { type: 'unknown', reason: 'a content block must be an object', notes: [] }
  const notes = notesOf(value)
  const { type, text, data, mimeType } = value
  switch (type) {
    case 'text':
      return typeof text === 'string'
        ? { type, text, notes }
        : wrong('a text block needs a string “text”', notes)
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string'
        ? { type, data, mimeType, notes }
        : wrong(workbenchResultsText.block.missingData(type === 'image' ? 'an image' : 'an audio'), notes)
    case 'resource': {
      const contents = readContents(value['resource'])
      return contents === undefined
        ? wrong('an embedded resource needs a “uri” and “text” or “blob”', notes)
        : { type: 'contents', contents, notes }
    }
    case 'resource_link': {
      const link = readLink(value)
      return link === undefined
        ? wrong('a resource link needs the string “uri”', notes)
        : { type: 'link', link, notes }
    }
    default:
      return wrong(
        typeof type === 'string' ? workbenchResultsText.block.unknownType(type) : 'the block has no “type”',
        notes,
      )
  }
}

/** Reads the contents of a resource (MCP, resources/read), from a value or from its JSON. */
export function readContents(value: unknown): Contents | undefined {
  if (!isJsonObject(value) || typeof value['uri'] !== 'string') return undefined
  const { uri, mimeType, text, blob } = value
  const common = { uri, mimeType: typeof mimeType === 'string' ? mimeType : undefined }
  if (typeof text === 'string') return { ...common, text }
  return typeof blob === 'string' ? { ...common, blob } : undefined
}

function readLink(value: JsonObject): Link | undefined {
  const { uri, name, title, description, mimeType, size } = value
  if (typeof uri !== 'string') return undefined
  return {
    uri,
    name: typeof name === 'string' ? name : uri,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    mimeType: typeof mimeType === 'string' ? mimeType : undefined,
    size: typeof size === 'number' ? size : undefined,
  }
}

function wrong(reason: string, notes: readonly string[]): Block {
  return { type: 'unknown', reason, notes }
}

/** The annotations of a block in words: for whom it is, and how much it matters. */
function notesOf(value: JsonObject): string[] {
  const annotations = value['annotations']
  if (!isJsonObject(annotations)) return []
  const { audience, priority, lastModified } = annotations
  const notes: string[] = []
  if (Array.isArray(audience))
    notes.push(`for ${audience.filter((who) => typeof who === 'string').join(', ')}`)
  if (typeof priority === 'number') notes.push(`priority ${String(priority)}`)
  if (typeof lastModified === 'string') notes.push(`modified ${lastModified}`)
  return notes
}
