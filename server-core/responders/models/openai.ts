import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { RuleError } from '../rule-error.ts'
import { ToolNames, type ModelDialect, type ModelReply, type ModelRequest } from './dialect.ts'
import type { ModelEndpoint } from './endpoint.ts'
import {
  messagesOf,
  resourceText,
  resultBlocks,
  textOf,
  toolChoiceOf,
  toolsOf,
  unusable,
  type SamplingMessage,
} from './sampling-params.ts'

/** Formats of sound that the API takes, by media type. */
const AUDIO: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

/** Why it stopped, in the words of MCP; others go on as they are. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  tool_calls: 'toolUse',
  function_call: 'toolUse',
}

/** The API of OpenAI's chat completions, which many others speak too. */
export const OPENAI: ModelDialect = {
  paths: { ask: 'chat/completions', models: 'models' },
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: bodyOf,
  reply: replyOf,
}

function bodyOf(
  { params, model, maxTokens }: ModelRequest,
  endpoint: ModelEndpoint,
): ReturnType<ModelDialect['body']> {
  const names = new ToolNames()
  const { systemPrompt, temperature, stopSequences } = params
  const tools = toolsOf(params).map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: {
      name: names.safe(name),
      ...(description === undefined ? {} : { description }),
      parameters: inputSchema,
    },
  }))
  const system = typeof systemPrompt === 'string' ? [{ role: 'system', content: systemPrompt }] : []
  const body = {
    model,
    messages: [...system, ...messagesOf(params).flatMap((message) => wireMessages(message, names))],
    [endpoint.tokenLimitName ?? 'max_tokens']: maxTokens,
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Array.isArray(stopSequences) && stopSequences.length > 0 ? { stop: stopSequences } : {}),
    ...(tools.length === 0 ? {} : { tools, tool_choice: toolChoiceOf(params) }),
  }
  return { body, names }
}

function wireMessages({ role, blocks }: SamplingMessage, names: ToolNames): readonly JsonObject[] {
  if (role === 'assistant') return [assistantMessage(blocks, names)]
  const results = blocks.filter(({ type }) => type === 'tool_result')
  if (results.length === 0) return [{ role: 'user', content: blocks.map(part) }]
  // Content other than text has no place in the result of a tool, and follows in a message of the user.
  const seen = results.flatMap((result) =>
    resultBlocks(result)
      .filter(({ type }) => type === 'image' || type === 'audio')
      .flatMap((block) => [
        { type: 'text', text: `From the result of ${textOf(result, 'toolUseId')}:` },
        part(block),
      ]),
  )
  const messages = results.map((result) => ({
    role: 'tool',
    tool_call_id: textOf(result, 'toolUseId'),
    content: resultText(result),
  }))
  return seen.length === 0 ? messages : [...messages, { role: 'user', content: seen }]
}

function assistantMessage(blocks: readonly JsonObject[], names: ToolNames): JsonObject {
  const texts: string[] = []
  const calls: JsonObject[] = []
  for (const block of blocks) {
    if (block['type'] === 'text') texts.push(textOf(block, 'text'))
    else if (block['type'] === 'tool_use') {
      calls.push({
        id: textOf(block, 'id'),
        type: 'function',
        function: {
          name: names.safe(textOf(block, 'name')),
          arguments: JSON.stringify(block['input'] ?? {}),
        },
      })
    } else {
      throw unusable(`the API takes no ${JSON.stringify(block['type'])} in a message of the assistant`)
    }
  }
  const content = texts.length === 0 && calls.length > 0 ? null : texts.join('\n\n')
  return { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
}

function part(block: JsonObject): JsonObject {
  const { type, mimeType } = block
  if (type === 'text') return { type: 'text', text: textOf(block, 'text') }
  if (type === 'image') {
    const url = `data:${textOf(block, 'mimeType')};base64,${textOf(block, 'data')}`
    return { type: 'image_url', image_url: { url } }
  }
  if (type === 'audio') {
    const format = typeof mimeType === 'string' ? AUDIO[mimeType] : undefined
    if (format === undefined)
      throw unusable(`the API takes sound as audio/wav or audio/mpeg, not ${JSON.stringify(mimeType)}`)
    return { type: 'input_audio', input_audio: { data: textOf(block, 'data'), format } }
  }
  const text = resourceText(block)
  if (text !== undefined) return { type: 'text', text }
  throw unusable(`the API takes no ${JSON.stringify(type)} in a message of the user`)
}

/** The API has no word for a tool that failed. */
function resultText(result: JsonObject): string {
  const blocks = resultBlocks(result)
  const texts = blocks.flatMap((block) =>
    block['type'] === 'text' ? [textOf(block, 'text')] : (resourceText(block) ?? []),
  )
  const isElsewhere = texts.length < blocks.length
  const text = [...texts, ...(isElsewhere ? ['(The rest of the result follows.)'] : [])].join('\n\n')
  return result['isError'] === true ? `The tool failed: ${text}` : text
}

function replyOf(body: JsonObject, names: ToolNames): ModelReply {
  const { choices, model, usage } = body
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isJsonObject(choice) ? choice['message'] : undefined
  if (!isJsonObject(choice) || !isJsonObject(message))
    throw new RuleError(
      'model',
      'The endpoint answered without choices[0].message, so it is not a chat completion.',
    )
  const { content, refusal, audio, tool_calls: calls } = message
  const said = typeof content === 'string' && content !== '' ? content : refusal
  const blocks: JsonObject[] = []
  if (typeof said === 'string' && said !== '') blocks.push({ type: 'text', text: said })
  if (isJsonObject(audio) && typeof audio['data'] === 'string')
    blocks.push({ type: 'audio', data: audio['data'], mimeType: 'audio/wav' })
  for (const call of Array.isArray(calls) ? calls : []) blocks.push(toolUse(call, names))
  const reason = choice['finish_reason']
  const tokens = isJsonObject(usage) ? sum(usage['prompt_tokens'], usage['completion_tokens']) : undefined
  return {
    content: blocks,
    model: typeof model === 'string' ? model : '',
    ...(typeof reason === 'string' ? { stopReason: STOP_REASONS[reason] ?? reason } : {}),
    ...(tokens === undefined ? {} : { tokens }),
  }
}

function toolUse(call: unknown, names: ToolNames): JsonObject {
  const asked = isJsonObject(call) ? call['function'] : undefined
  if (!isJsonObject(call) || !isJsonObject(asked) || typeof asked['name'] !== 'string')
    throw new RuleError('model', 'The endpoint answered with a tool call that names no function.')
  const { name, arguments: text } = asked
  let input: unknown
  try {
    input = typeof text === 'string' && text.trim() !== '' ? JSON.parse(text) : {}
  } catch (cause) {
    const message = `The model asked for ${names.given(name)} with arguments that are not JSON.`
    throw new RuleError('model', message, { cause })
  }
  if (!isJsonObject(input))
    throw new RuleError(
      'model',
      `The model asked for ${names.given(name)} with arguments that are not an object.`,
    )
  const { id } = call
  return { type: 'tool_use', id: typeof id === 'string' ? id : name, name: names.given(name), input }
}

function sum(one: unknown, other: unknown): number | undefined {
  return typeof one === 'number' && typeof other === 'number' ? one + other : undefined
}
