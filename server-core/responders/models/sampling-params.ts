import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { samplingFaults } from '../../protocol/sampling-rules.ts'
import { RuleError } from '../rule-error.ts'

/** A message of a sampling request with its blocks as a list. */
export type SamplingMessage = {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly JsonObject[]
}

/**
 * Reads the messages of `sampling/createMessage`. Throws a `RuleError` (`question`) for what no model could be asked:
 * no messages, unknown roles, tool results without their tool use.
 */
export function messagesOf(params: JsonObject): readonly SamplingMessage[] {
  const { messages } = params
  if (!Array.isArray(messages)) throw unusable('messages must be an array')
  const [fault] = samplingFaults(messages)
  if (fault !== undefined) throw unusable(`messages.${fault.path.join('.')}: ${fault.message}`)
  return messages.map((message: unknown, index) => {
    const role = isJsonObject(message) ? message['role'] : undefined
    if (role !== 'user' && role !== 'assistant')
      throw unusable(`messages.${index}.role must be "user" or "assistant"`)
    const content = isJsonObject(message) ? message['content'] : undefined
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
    return {
      role,
      blocks: blocks.map((block, at) => {
        if (isJsonObject(block) && typeof block['type'] === 'string') return block
        throw unusable(`messages.${index}.content.${at} must be an object with a type`)
      }),
    }
  })
}

/** A tool that the model may ask for. */
export type SamplingTool = {
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonObject
}

/** The tools of the request, if it has any. Throws a `RuleError` (`question`) for an invalid one. */
export function toolsOf(params: JsonObject): readonly SamplingTool[] {
  const { tools = [] } = params
  if (!Array.isArray(tools)) throw unusable('tools must be an array')
  return tools.map((tool: unknown, index) => {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string')
      throw unusable(`tools.${index} must be an object with a name`)
    const { name, description, inputSchema } = tool
    return {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    }
  })
}

/** What the server lets the model do with the tools: `auto` if it does not say. */
export function toolChoiceOf(params: JsonObject): 'auto' | 'required' | 'none' {
  const { toolChoice } = params
  const mode = isJsonObject(toolChoice) ? (toolChoice['mode'] ?? 'auto') : 'auto'
  if (mode === 'auto' || mode === 'required' || mode === 'none') return mode
  throw unusable(`toolChoice.mode must be "auto", "required" or "none"`)
}

/** The text of a member of a block. Throws a `RuleError` (`question`) if it has none. */
export function textOf(block: JsonObject, member: string): string {
  const value = block[member]
  if (typeof value === 'string') return value
  throw unusable(`a block of type ${JSON.stringify(block['type'])} needs "${member}"`)
}

/** The blocks of a tool result; of one that has only structured content, that as text. */
export function resultBlocks(block: JsonObject): readonly JsonObject[] {
  const { content, structuredContent } = block
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  if (blocks.length > 0 || structuredContent === undefined) return blocks
  return [{ type: 'text', text: JSON.stringify(structuredContent) }]
}

/** A resource or a link to one as text, which is what every model takes; undefined for other blocks. */
export function resourceText(block: JsonObject): string | undefined {
  const { type, resource } = block
  if (type === 'resource_link') {
    const name = typeof block['name'] === 'string' ? `${block['name']}: ` : ''
    return `${name}${textOf(block, 'uri')}`
  }
  if (type !== 'resource' || !isJsonObject(resource)) return undefined
  const { uri, text } = resource
  const from = typeof uri === 'string' ? `${uri}\n` : ''
  if (typeof text === 'string') return `${from}${text}`
  throw unusable('a resource of bytes cannot be put to a model')
}

/** The answer of a server's question that no model can be asked. */
export function unusable(reason: string): RuleError {
  const message = `The model cannot be asked this: ${reason}.`
  return new RuleError('question', message, { told: reason })
}
