import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/**
 * A JSON Schema for the arguments of a prompt (MCP, prompts: each argument is a string with a name, perhaps a
 * title and a description, and perhaps required).
 */
export function promptSchema(prompt: JsonObject): JsonObject {
  const listed = Array.isArray(prompt['arguments']) ? (prompt['arguments'] as unknown[]) : []
  const properties: [string, JsonObject][] = []
  const required: string[] = []
  for (const argument of listed) {
    if (!isJsonObject(argument) || typeof argument['name'] !== 'string') continue
    const { name, title, description } = argument
    properties.push([
      name,
      {
        type: 'string',
        ...(typeof title === 'string' ? { title } : {}),
        ...(typeof description === 'string' ? { description } : {}),
      },
    ])
    if (argument['required'] === true) required.push(argument['name'])
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  }
}
