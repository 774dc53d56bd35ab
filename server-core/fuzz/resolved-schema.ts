import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** References and combinations that are followed from one place. */
const DEEPEST = 16

/** A schema with its local `$ref` and its `allOf` put in place; `true` and what cannot be followed is an empty one. */
export function resolved(schema: unknown, root: JsonObject, depth = 0): JsonObject {
  if (!isJsonObject(schema) || depth > DEEPEST) return {}
  const { $ref: reference, allOf, ...own } = schema
  const parts = [
    ...(typeof reference === 'string' ? [resolved(target(reference, root), root, depth + 1)] : []),
    ...(Array.isArray(allOf) ? allOf.map((part: unknown) => resolved(part, root, depth + 1)) : []),
    own,
  ]
  return parts.reduce(merged, {})
}

/** The schemas of which a value has to fit one, or the schema itself. */
export function alternatives(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const { anyOf, oneOf, ...rest } = schema
  const list: unknown = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(list) || list.length === 0) return [schema]
  return list.map((part: unknown) => merged(rest, resolved(part, root)))
}

/** The types that a schema names, or that its keywords suggest. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((each): each is string => typeof each === 'string')
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return ['object']
  if ('items' in schema || 'minItems' in schema) return ['array']
  if ('minLength' in schema || 'maxLength' in schema || 'pattern' in schema || 'format' in schema)
    return ['string']
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return ['number']
  return []
}

export function propertiesOf(schema: JsonObject): JsonObject {
  const { properties } = schema
  return isJsonObject(properties) ? properties : {}
}

export function requiredOf(schema: JsonObject): readonly string[] {
  const { required } = schema
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : []
}

export function numberIn(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...new Set([...requiredOf(one), ...requiredOf(other)])]
  const properties = { ...propertiesOf(one), ...propertiesOf(other) }
  return {
    ...one,
    ...other,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

function target(reference: string, root: JsonObject): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let place: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    place = Array.isArray(place)
      ? (place[Number(name)] as unknown)
      : isJsonObject(place)
        ? place[name]
        : undefined
  }
  return place
}
