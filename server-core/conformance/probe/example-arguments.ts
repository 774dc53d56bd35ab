import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** Arguments that satisfy a simple input schema: required members alone, by default, first choice or type. */
export function exampleArguments(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return {}
  const { properties, required } = schema
  if (!isJsonObject(properties) || !Array.isArray(required)) return {}
  const names = (required as unknown[]).filter((name): name is string => typeof name === 'string')
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name])]))
}

function exampleOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return 'example'
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  for (const list of ['enum', 'examples'] as const) {
    const values = schema[list]
    if (Array.isArray(values) && values.length > 0) return (values as unknown[])[0]
  }
  const { type } = schema
  const kind: unknown = Array.isArray(type) ? (type as unknown[])[0] : type
  switch (kind) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return true
    case 'array':
      return typeof schema['minItems'] === 'number' && schema['minItems'] > 0
        ? [exampleOf(schema['items'])]
        : []
    case 'object':
      return exampleArguments(schema)
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

function textOf(schema: JsonObject): string {
  switch (schema['format']) {
    case 'uri':
      return 'https://example.com/'
    case 'email':
      return 'someone@example.com'
    case 'date':
      return '2026-01-01'
    case 'date-time':
      return '2026-01-01T00:00:00Z'
    default: {
      const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
      return 'example'.padEnd(least, 'x')
    }
  }
}
