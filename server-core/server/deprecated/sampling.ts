import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { InputUnavailableError } from '../../registry/invocation.ts'
import { blockFor } from '../downgrade/blocks.ts'
import type { QuestionKind } from '../question-kind.ts'
import type { DeprecatedFeature } from './feature.ts'

const TOOL_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result'])

const KIND: QuestionKind = {
  needs: ({ tools, toolChoice }) => [
    'sampling',
    tools === undefined && toolChoice === undefined ? {} : { tools: {} },
  ],
  written: (row, question, clientCapabilities) => {
    const { params } = question
    refuseTools(row, params)
    return { ...question, params: samplingParams(row, params, clientCapabilities) }
  },
  faultOf: (_params, { role, model, content }) => {
    const complete =
      typeof role === 'string' && typeof model === 'string' && typeof content === 'object' && content !== null
    return complete ? undefined : 'it needs "role", "content" and "model"'
  },
}

/** Questions to the client's model (specification: Sampling). */
export const SAMPLING: DeprecatedFeature = {
  name: 'Sampling',
  instead: "call a model's own API",
  question: ['sampling/createMessage', KIND],
}

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

function refuseTools(row: RevisionRow, { tools, toolChoice }: JsonObject): void {
  if ((tools ?? toolChoice) === undefined || row.clientCapabilities.includes('sampling.tools')) return
  throw new InputUnavailableError(
    `The client cannot be asked: sampling of ${row.revision} knows no tools; it needs a client of 2025-11-25 or later`,
    { sampling: { tools: {} } },
  )
}
