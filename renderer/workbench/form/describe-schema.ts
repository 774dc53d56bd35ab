import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { describeVariants } from './describe-variants.ts'
import { expandSchema } from './expand-schema.ts'
import type { FieldSpec, Lazy, Option, Pairs, Property, Shape } from './field-spec.ts'
import { field, jsonField } from './make-field.ts'
import { typeNames } from './merge-schemas.ts'
import { optionsOfEnum, optionsOfItems } from './schema-options.ts'
import { isSchemaNode, SchemaSource, type SchemaNode } from './schema-source.ts'

/**
 * The root field of a form for a JSON Schema (2020-12; MCP, tools: inputSchema). Any schema gives a form: what
 * cannot be expressed becomes a JSON field that says why. Children are described when they are first asked for,
 * so a schema may contain itself.
 */
export function describeSchema(schema: unknown): FieldSpec {
  const root = isSchemaNode(schema) ? schema : true
  return new SchemaReader(new SchemaSource(root)).describe(root)
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array']

/** Keywords that bring members which are not `properties`. */
const HIDDEN_MEMBERS = ['patternProperties', 'if', 'dependentSchemas', 'unevaluatedProperties']

const MAX_DEPTH = 64

/** Describes the nodes of one schema document, each once. */
export class SchemaReader {
  readonly source: SchemaSource
  readonly #known = new WeakMap<JsonObject, FieldSpec>()
  #depth = 0

  constructor(source: SchemaSource) {
    this.source = source
  }

  readonly lazy = (node: unknown): Lazy => {
    const schema: SchemaNode = isSchemaNode(node) ? node : true
    let spec: FieldSpec | undefined
    return () => (spec ??= this.describe(schema))
  }

  describe(node: SchemaNode): FieldSpec {
    const expanded = expandSchema(this.source, node)
    if (!expanded.ok) return jsonField(isJsonObject(node) ? node : {}, expanded.reason)
    const spec = this.#known.get(expanded.node) ?? this.#once(expanded.node)
    return expanded.ref === undefined ? spec : { ...spec, ref: expanded.ref }
  }

  #once(schema: JsonObject): FieldSpec {
    // Only a schema that is its own single variant gets here from within itself again and again.
    if (this.#depth > MAX_DEPTH) return jsonField(schema, 'its references lead in a circle')
    this.#depth += 1
    const spec = this.#describeExpanded(schema)
    this.#depth -= 1
    this.#known.set(schema, spec)
    return spec
  }

  /** The field of a schema that has no `$ref` and no `allOf` any more. */
  #describeExpanded(schema: JsonObject): FieldSpec {
    if (Array.isArray(schema['oneOf'])) return describeVariants(this, schema, 'oneOf')
    if (Array.isArray(schema['anyOf'])) return describeVariants(this, schema, 'anyOf')
    if ('const' in schema) {
      return schema['const'] === null
        ? field(schema, { type: 'const', value: null }, false)
        : field(schema, { type: 'const', value: schema['const'] }, false)
    }
    if (Array.isArray(schema['enum'])) return enumField(schema, schema['enum'])
    const named = typeNames(schema['type'])
    const nullable = named.includes('null')
    const types = narrow(named.filter((name) => name !== 'null'))
    if (nullable && types.length === 0) return field(schema, { type: 'const', value: null }, false)
    if (types.length > 1) return this.#byType(schema, types, nullable)
    const type = types[0] ?? inferredType(schema)
    if (type === undefined) return jsonField(schema, 'any JSON value')
    if (!TYPES.includes(type)) return jsonField(schema, `has the unknown type “${type}”`)
    return field(schema, this.#shape(type, schema), nullable)
  }

  #byType(schema: JsonObject, types: readonly string[], nullable: boolean): FieldSpec {
    const { title: _title, description: _description, default: _default, ...limits } = schema
    const variants = types.map((type, place) => ({
      label: type,
      place,
      spec: this.lazy({ ...limits, type }),
    }))
    return field(schema, { type: 'variants', keyword: 'type', variants }, nullable)
  }

  #shape(type: string, schema: JsonObject): Shape {
    switch (type) {
      case 'string':
        return stringShape(schema)
      case 'integer':
      case 'number':
        return { type: 'number', integer: type === 'integer' }
      case 'boolean':
        return { type: 'boolean' }
      case 'array':
        return this.#arrayShape(schema)
      default:
        return this.#objectShape(schema)
    }
  }

  #objectShape(schema: JsonObject): Shape {
    const properties: Property[] = []
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
    const declared = isJsonObject(schema['properties']) ? schema['properties'] : {}
    for (const [name, node] of Object.entries(declared)) {
      properties.push({ name, required: required.includes(name), spec: this.lazy(node) })
    }
    for (const name of required) {
      if (typeof name !== 'string' || Object.hasOwn(declared, name)) continue
      properties.push({ name, required: true, spec: this.lazy(schema['additionalProperties']) })
    }
    const hidden = HIDDEN_MEMBERS.filter(
      (keyword) => schema[keyword] !== undefined && schema[keyword] !== false,
    )
    if (properties.length === 0 && hidden.includes('patternProperties')) {
      return { type: 'json', reason: 'uses patternProperties: edit as JSON' }
    }
    const isDeclared = isJsonObject(schema['properties'])
    return { type: 'object', properties, pairs: this.#pairs(schema, hidden, isDeclared) }
  }

  #pairs(schema: JsonObject, hidden: readonly string[], isDeclared: boolean): Pairs {
    const additional = schema['additionalProperties']
    if (hidden.length > 0) {
      return {
        type: 'offered',
        spec: this.lazy(true),
        reason: `uses ${hidden.join(', ')}: further members as JSON`,
      }
    }
    if (isJsonObject(additional)) return { type: 'offered', spec: this.lazy(additional) }
    if (additional === false) return { type: 'shown', spec: this.lazy(true) }
    return { type: additional === true || !isDeclared ? 'offered' : 'shown', spec: this.lazy(true) }
  }

  #arrayShape(schema: JsonObject): Shape {
    const items = schema['items']
    const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : items
    if (Array.isArray(prefix)) {
      const rest = prefix === items ? schema['additionalItems'] : items
      return {
        type: 'tuple',
        items: prefix.map((item) => this.lazy(item)),
        rest: this.lazy(rest),
        open: isJsonObject(rest),
      }
    }
    const choices = isJsonObject(items) ? this.#choices(items) : undefined
    if (choices !== undefined) return { type: 'choices', options: choices }
    const { minItems, maxItems } = schema
    return {
      type: 'array',
      item: this.lazy(items),
      minItems: typeof minItems === 'number' ? minItems : 0,
      ...(typeof maxItems === 'number' ? { maxItems } : {}),
    }
  }

  /** The options of an array of enum, whether or not its items may repeat. */
  #choices(items: JsonObject): readonly Option[] | undefined {
    const expanded = expandSchema(this.source, items)
    const options = expanded.ok ? optionsOfItems(expanded.node) : undefined
    return options !== undefined && options.length > 1 ? options : undefined
  }
}

function enumField(schema: JsonObject, values: readonly unknown[]): FieldSpec {
  const nullable = values.includes(null)
  const options = optionsOfEnum(schema, values)
  const [only] = options
  if (only === undefined) {
    return nullable
      ? field(schema, { type: 'const', value: null }, false)
      : jsonField(schema, 'an enum without values')
  }
  const shape: Shape = options.length === 1 ? { type: 'const', value: only.value } : { type: 'enum', options }
  return field(schema, shape, nullable)
}

function stringShape(schema: JsonObject): Shape {
  const { format, contentEncoding, contentMediaType } = schema
  return {
    type: 'string',
    ...(typeof format === 'string' ? { format } : {}),
    base64: contentEncoding === 'base64' || format === 'byte' || format === 'base64',
    ...(typeof contentMediaType === 'string' ? { mediaType: contentMediaType } : {}),
  }
}

function narrow(types: readonly string[]): readonly string[] {
  return types.includes('number') ? types.filter((name) => name !== 'integer') : types
}

const HINTS: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'patternProperties', 'required', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding']],
]

/** The type a schema without `type` is about, by the keywords it uses. */
function inferredType(schema: JsonObject): string | undefined {
  return HINTS.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0]
}
