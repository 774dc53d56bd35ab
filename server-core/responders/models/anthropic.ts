import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { RuleError } from '../rule-error.ts'
import { ToolNames, type ModelDialect, type ModelReply, type ModelRequest } from './dialect.ts'
import {
  messagesOf,
  resourceText,
  resultBlocks,
  textOf,
  toolChoiceOf,
  toolsOf,
  unusable,
} from './sampling-params.ts'

/** The version of the API that these messages are written in. */
const API_VERSION = '2023-06-01'

/** Why it stopped, in the words of MCP; others go on as they are. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'endTurn',
  stop_sequence: 'stopSequence',
  max_tokens: 'maxTokens',
  tool_use: 'toolUse',
}

/** What the API calls the ways to choose a tool. */
const CHOICES = { auto: 'auto', required: 'any', none: 'none' } as const

/** The API of Anthropic's messages. */
export const ANTHROPIC: ModelDialect = {
  paths: { ask: 'v1/messages', models: 'v1/models' },
  headers: (key): Record<string, string> => ({
    'anthropic-version': API_VERSION,
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }),
  body: bodyOf,
  reply: replyOf,
}

function bodyOf({ params, model, maxTokens }: ModelRequest): ReturnType<ModelDialect['body']> {
  const names = new ToolNames()
  const { systemPrompt, temperature, stopSequences } = params
  const tools = toolsOf(params).map(({ name, description, inputSchema }) => ({
    name: names.safe(name),
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema,
  }))
  const body = {
    model,
    max_tokens: maxTokens,
    ...(typeof systemPrompt === 'string' ? { system: systemPrompt } : {}),
    messages: messagesOf(params).map(({ role, blocks }) => ({
      role,
      content: blocks.map((each) => block(each, names)),
    })),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0 ? { stop_sequences: stopSequences } : {}),
    ...(tools.length === 0 ? {} : { tools, tool_choice: { type: CHOICES[toolChoiceOf(params)] } }),
  }
  return { body, names }
}

function block(given: JsonObject, names: ToolNames): JsonObject {
  switch (given['type']) {
    case 'text':
      return { type: 'text', text: textOf(given, 'text') }
    case 'image': {
      const source = { type: 'base64', media_type: textOf(given, 'mimeType'), data: textOf(given, 'data') }
      return { type: 'image', source }
    }
    case 'tool_use':
      return {
        type: 'tool_use',
        id: textOf(given, 'id'),
        name: names.safe(textOf(given, 'name')),
        input: given['input'] ?? {},
      }
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: textOf(given, 'toolUseId'),
        content: resultBlocks(given).map((each) => block(each, names)),
        ...(given['isError'] === true ? { is_error: true } : {}),
      }
  }
  const text = resourceText(given)
  if (text !== undefined) return { type: 'text', text }
  throw unusable(`the API takes no block of type ${JSON.stringify(given['type'])}`)
}

function replyOf(body: JsonObject, names: ToolNames): ModelReply {
  const { content, model, usage, stop_reason: reason } = body
  if (!Array.isArray(content))
    throw new RuleError('model', 'The endpoint answered without content, so it is not a message.')
  const tokens = isJsonObject(usage) ? usedTokens(usage) : undefined
  return {
    content: content.flatMap((each: unknown) => replyBlock(each, names)),
    model: typeof model === 'string' ? model : '',
    ...(typeof reason === 'string' ? { stopReason: STOP_REASONS[reason] ?? reason } : {}),
    ...(tokens === undefined ? {} : { tokens }),
  }
}

/** What sampling has no block for, a model's thinking for instance, is left out. */
function replyBlock(given: unknown, names: ToolNames): readonly JsonObject[] {
  if (!isJsonObject(given)) return []
  const { type, text, id, name, input } = given
  if (type === 'text' && typeof text === 'string') return [{ type, text }]
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return []
  return [{ type, id, name: names.given(name), input: isJsonObject(input) ? input : {} }]
}

function usedTokens(usage: JsonObject): number | undefined {
  const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
    .map((name) => usage[name])
    .filter((count) => typeof count === 'number')
  return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0)
}
