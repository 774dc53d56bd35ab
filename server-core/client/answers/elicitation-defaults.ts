import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/**
 * The content of an accepted form with the defaults of the requested schema in place of what is missing (client
 * features: elicitation, default values). What was given stays as it is.
 */
export function withElicitationDefaults(requestedSchema: unknown, content: JsonObject): JsonObject {
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined
  if (!isJsonObject(properties)) return content
  const filled = new Map(Object.entries(content))
  for (const [name, schema] of Object.entries(properties)) {
    if (filled.has(name) || !isJsonObject(schema) || schema['default'] === undefined) continue
    filled.set(name, schema['default'])
  }
  return Object.fromEntries(filled)
}
