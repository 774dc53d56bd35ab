import fc from 'fast-check'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { resolve, schemaList, schemaMap, textList } from './json-schema.ts'

/** References followed before optional parts are left out. */
const DEPTH = 12

const key = fc.string({ maxLength: 8 }).filter((text) => text !== '__proto__')
/** No field of the specification begins so. */
const unknownKey = key.map((text) => `x ${text}`)
const anything = fc.jsonValue({ maxDepth: 2 })
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 6 }))

/** Instances of a schema of a document, by the keywords that the schema files of the specification use. */
export function instancesOf(document: JsonObject, schema: JsonObject): fc.Arbitrary<unknown> {
  const build = (part: JsonObject, depth: number): fc.Arbitrary<unknown> => {
    const { $ref: reference, type, anyOf, allOf } = part
    if (typeof reference === 'string') return build(resolve(document, reference), depth + 1)
    if (Object.hasOwn(part, 'const')) return fc.constant(part['const'])
    if (Array.isArray(part['enum'])) return fc.constantFrom(...(part['enum'] as readonly unknown[]))
    const branches = schemaList(anyOf ?? part['oneOf'])
    if (branches.length > 0) {
      const usable = depth > DEPTH ? branches.slice(0, 1) : branches
      return fc.oneof(...usable.map((branch) => build(branch, depth + 1)))
    }
    const parts = schemaList(allOf)
    if (parts.length > 0) return build(merged(document, parts), depth)
    if (Array.isArray(type))
      return fc.oneof(...textList(type).map((one) => build({ ...part, type: one }, depth)))
    switch (type) {
      case 'string':
        return text
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'integer':
        return fc.oneof(
          fc.integer(bounds(part)),
          fc.maxSafeInteger().filter((value) => fits(part, value)),
        )
      case 'number':
        return fc.double({ ...bounds(part), noNaN: true, noDefaultInfinity: true })
      case 'array': {
        const { items } = part
        if (depth > DEPTH) return fc.constant([])
        const maximum = typeof part['maxItems'] === 'number' ? part['maxItems'] : 3
        return fc.array(isJsonObject(items) ? build(items, depth + 1) : anything, {
          maxLength: Math.min(maximum, 3),
        })
      }
      case 'object':
        return objects(part, depth)
      default:
        return isJsonObject(part['properties']) ? objects(part, depth) : anything
    }
  }
  const objects = (part: JsonObject, depth: number): fc.Arbitrary<unknown> => {
    const properties = schemaMap(part['properties'])
    const required = textList(part['required'])
    const names = Object.keys(properties).filter((name) => depth <= DEPTH || required.includes(name))
    const known = fc.record(
      Object.fromEntries(names.map((name) => [name, build(properties[name] ?? {}, depth + 1)])),
      { requiredKeys: names.filter((name) => required.includes(name)) },
    )
    if (depth > DEPTH) return known
    const { additionalProperties } = part
    const isMap = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0
    const extra = fc.dictionary(
      names.length === 0 ? key : unknownKey,
      isMap ? build(additionalProperties, depth + 1) : anything,
      { maxKeys: 2 },
    )
    return fc.tuple(known, extra).map(([fields, others]) => ({ ...others, ...fields }))
  }
  return build(schema, 0).map(asJson)
}

/** Several object schemas that hold at once, as one. */
function merged(document: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const flat = parts.map((part) =>
    typeof part['$ref'] === 'string' ? resolve(document, part['$ref']) : part,
  )
  const nested = flat.map((part) => {
    const inner = schemaList(part['allOf'])
    return inner.length === 0 ? part : merged(document, inner)
  })
  const properties: Record<string, JsonObject> = {}
  for (const part of nested) Object.assign(properties, schemaMap(part['properties']))
  const required = [...new Set(nested.flatMap((part) => textList(part['required'])))]
  return { type: 'object', properties, required }
}

function bounds(part: JsonObject): { min?: number; max?: number } {
  const { minimum, maximum } = part
  return {
    ...(typeof minimum === 'number' && minimum > -0x80000000 ? { min: minimum } : {}),
    ...(typeof maximum === 'number' && maximum < 0x7fffffff ? { max: maximum } : {}),
  }
}

function fits(part: JsonObject, value: number): boolean {
  const { min = -Infinity, max = Infinity } = bounds(part)
  return min <= value && value <= max
}

/** What is left of a value after a trip over the wire. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
