import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { InputUnavailableError } from '../../registry/invocation.ts'
import { blockFor } from './blocks.ts'

const TOOL_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result'])

/**
 * The parameters of `sampling/createMessage` as the revision knows them (specification: Sampling): a message of
 * several blocks becomes several messages where each holds one, and what a client has not declared to know of context
 * is left out. Throws an `InputUnavailableError` for tools where sampling knows none.
 */
export function samplingParams(
  row: RevisionRow,
  params: JsonObject,
  clientCapabilities: JsonObject,
): JsonObject {
  const declared = clientCapabilities['sampling']
  const { includeContext, ...rest } = params
  const knowsContext = isJsonObject(declared) && isJsonObject(declared['context'])
  const dropsContext =
    includeContext !== undefined &&
    includeContext !== 'none' &&
    row.clientCapabilities.includes('sampling.context') &&
    !knowsContext
  const messages = params['messages']
  return {
    ...(dropsContext ? rest : params),
    ...(Array.isArray(messages) ? { messages: messages.flatMap((each) => messagesFor(row, each)) } : {}),
  }
}

function messagesFor(row: RevisionRow, message: unknown): readonly unknown[] {
  if (!isJsonObject(message)) return [message]
  const { content } = message
  if (!Array.isArray(content)) {
    return [isJsonObject(content) ? { ...message, content: sampled(row, content) } : message]
  }
  const blocks: readonly unknown[] = content.map((block: unknown) =>
    isJsonObject(block) ? sampled(row, block) : block,
  )
  if (row.samplingContent === 'one-or-list') return [{ ...message, content: blocks }]
  return blocks.map((block) => ({ ...message, content: block }))
}

function sampled(row: RevisionRow, block: JsonObject): JsonObject {
  if (TOOL_BLOCKS.has(block['type']) && !row.samplingBlocks.some((known) => known === block['type'])) {
    throw new InputUnavailableError(
      `The client cannot be asked: sampling of ${row.revision} knows no ${String(block['type'])} blocks`,
      { sampling: { tools: {} } },
    )
  }
  return blockFor(row.samplingBlocks, block)
}
