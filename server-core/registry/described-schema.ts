import { isJsonObject, type JsonSchema } from '../protocol/json.ts'

/**
 * A JSON Schema whose properties have these descriptions, where they have none of their own; the same object if that
 * changes nothing. Names of nested properties have dots in them; items of an array count as the array.
 */
export function describedSchema(
  schema: JsonSchema,
  descriptions: Readonly<Record<string, string>>,
): JsonSchema {
  return Object.keys(descriptions).length === 0 ? schema : described(schema, descriptions, '')
}

function described(
  schema: JsonSchema,
  descriptions: Readonly<Record<string, string>>,
  path: string,
): JsonSchema {
  const { properties, items, anyOf } = schema
  const inside: Record<string, unknown> = {}
  if (isJsonObject(properties)) {
    inside['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        isJsonObject(property) ? describedProperty(property, descriptions, `${path}${name}`) : property,
      ]),
    )
  }
  if (isJsonObject(items)) inside['items'] = described(items, descriptions, path)
  // What may be null as well.
  if (Array.isArray(anyOf)) {
    inside['anyOf'] = anyOf.map((each: unknown) =>
      isJsonObject(each) ? described(each, descriptions, path) : each,
    )
  }
  return Object.keys(inside).length === 0 ? schema : { ...schema, ...inside }
}

function describedProperty(
  property: JsonSchema,
  descriptions: Readonly<Record<string, string>>,
  path: string,
): JsonSchema {
  const within = described(property, descriptions, `${path}.`)
  const description = Object.hasOwn(descriptions, path) ? descriptions[path] : undefined
  return description === undefined || within['description'] !== undefined
    ? within
    : { ...within, description }
}
