import { countText } from '../../protocol/count-text.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ContentBlockType, RevisionRow } from '../../protocol/revisions.ts'

/** How a block is described to a client that does not know its kind. Kinds without an entry are the author's own. */
const AS_TEXT: ReadonlyMap<string, (block: JsonObject) => string> = new Map([
  ['audio', describeMedia],
  ['image', describeMedia],
  ['resource_link', describeLink],
  ['tool_use', (block) => JSON.stringify(block)],
  ['tool_result', (block) => JSON.stringify(block)],
])

/** The blocks as the revision carries them (specification: Tools, tool results): unknown kinds become text. */
export function blocksFor(
  known: readonly ContentBlockType[],
  blocks: readonly JsonObject[],
): readonly JsonObject[] {
  return blocks.every((block) => isKnown(known, block)) ? blocks : blocks.map((each) => blockFor(known, each))
}

/** The block as a revision that knows these kinds carries it. */
export function blockFor(known: readonly ContentBlockType[], block: JsonObject): JsonObject {
  if (isKnown(known, block)) return block
  const { type, annotations } = block
  const text = AS_TEXT.get(String(type))?.(block) ?? ''
  return { type: 'text', text, ...(annotations === undefined ? {} : { annotations }) }
}

/** The messages of a prompt as the revision carries them (specification: Prompts, PromptMessage). */
export function messagesFor(row: RevisionRow, messages: readonly JsonObject[]): readonly JsonObject[] {
  const { contentBlocks } = row
  return messages.map((message) => {
    const content = message['content']
    if (typeof content !== 'object' || content === null) return message
    const requestContext = blockFor(contentBlocks, content as JsonObject)
    return requestContext === content ? message : { ...message, content: requestContext }
  })
}

function isKnown(known: readonly string[], { type }: JsonObject): boolean {
  return typeof type !== 'string' || known.includes(type) || !AS_TEXT.has(type)
}

function describeMedia({ type, mimeType, data }: JsonObject): string {
  const bytes = typeof data === 'string' ? Math.floor((data.replace(/=+$/, '').length * 3) / 4) : 0
  return `[${String(type)} of ${countText(bytes)} bytes, ${String(mimeType)}: this revision of the protocol carries none]`
}

function describeLink({ name, title, uri, description }: JsonObject): string {
  const head = `${String(title ?? name)}: ${String(uri)}`
  return typeof description === 'string' ? `${head}\n${description}` : head
}
