import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** The definitions of a schema file, under whichever keyword its dialect keeps them. */
export function definitionsOf(document: JsonObject): Record<string, JsonObject> {
  const definitions = document['$defs'] ?? document['definitions']
  if (!isJsonObject(definitions)) return {}
  const found: Record<string, JsonObject> = {}
  for (const [name, schema] of Object.entries(definitions)) if (isJsonObject(schema)) found[name] = schema
  return found
}

/** The subschema that a local reference points to. Throws if it points nowhere. */
export function resolve(document: JsonObject, reference: string): JsonObject {
  let at: unknown = document
  for (const step of reference.split('/').slice(1)) {
    at = isJsonObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  }
  if (!isJsonObject(at)) throw new TypeError(`expected a schema at ${reference}`)
  return at
}

/** A member that is a list of schemas; empty if it is not there. */
export function schemaList(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A member that maps names to schemas; empty if it is not there. */
export function schemaMap(value: unknown): Readonly<Record<string, JsonObject>> {
  const found: Record<string, JsonObject> = {}
  if (!isJsonObject(value)) return found
  for (const [name, schema] of Object.entries(value)) if (isJsonObject(schema)) found[name] = schema
  return found
}

/** A member that is a list of texts; empty if it is not there. */
export function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
