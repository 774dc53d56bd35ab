import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Documents } from './documents.ts'

/** What a schema is for: a request has no `readOnly` members, an answer no `writeOnly` ones. */
export type Direction = 'request' | 'response'

/** Subschemas that are written out where they are used; further ones are references. */
const MOST_INLINED = 500
const MAX_DEPTH = 60

/** Keywords that hold one schema, many, or many by name. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
])
const MANY = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
/** What only OpenAPI knows, or what means nothing outside of its document. */
const DROPPED = new Set([
  'xml',
  'discriminator',
  'externalDocs',
  '$schema',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
])
/** A reference with no more beside it than these is what it leads to, told in these words. */
const WORDS = new Set(['title', 'description', 'summary', 'deprecated', 'default', 'examples', 'example'])

/**
 * Writes schemas of a document as JSON Schema 2020-12 that stands alone. References are written out where they are used;
 * those of a cycle, and those that would make it too long, become entries of `$defs`.
 */
export class SchemaWriter {
  readonly #documents: Documents
  readonly #is30: boolean
  readonly #direction: Direction
  readonly #names = new Map<string, string>()
  readonly #defs = new Map<string, JsonObject>()
  readonly #cyclic = new Map<string, boolean>()
  #inlined = 0

  /** @param is30 the document is of OpenAPI 3.0, whose schemas are a dialect of their own */
  constructor(documents: Documents, is30: boolean, direction: Direction) {
    this.#documents = documents
    this.#is30 = is30
    this.#direction = direction
  }

  /** Throws a `CompositionError` for a reference that leads nowhere. Definitions are in `defs` afterwards. */
  write(schema: unknown, base: string): JsonObject {
    const written = this.#schema(schema, base, 0)
    return typeof written === 'boolean' ? (written ? {} : { not: {} }) : written
  }

  /** `$defs` of all that was written; undefined if it takes none. */
  get defs(): JsonObject | undefined {
    return this.#defs.size === 0 ? undefined : Object.fromEntries(this.#defs)
  }

  #schema(schema: unknown, base: string, depth: number): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isJsonObject(schema)) return {}
    const { $ref: reference, ...beside } = schema
    if (typeof reference !== 'string') return this.#own(schema, base, depth)
    const target = this.#reference(reference, base, depth)
    const others = this.#is30 ? [] : Object.keys(beside)
    if (others.length === 0 || typeof target === 'boolean') return target
    const own = this.#own(beside, base, depth)
    if (others.every((key) => WORDS.has(key))) return { ...target, ...own }
    const { allOf, ...rest } = own
    return { ...rest, allOf: [target, ...(Array.isArray(allOf) ? (allOf as unknown[]) : [])] }
  }

  #reference(reference: string, base: string, depth: number): JsonObject | boolean {
    const found = this.#documents.follow(reference, base)
    this.#inlined += 1
    const isLong = this.#inlined > MOST_INLINED || depth > MAX_DEPTH
    if (!isLong && !this.#isCyclic(found.uri)) return this.#schema(found.value, found.base, depth + 1)
    const known = this.#names.get(found.uri)
    const name = known ?? this.#nameFor(found.uri)
    if (known === undefined) {
      this.#names.set(found.uri, name)
      // Its place is kept while it is written: it may need itself.
      this.#defs.set(name, {})
      const written = this.#schema(found.value, found.base, 0)
      this.#defs.set(name, typeof written === 'boolean' ? (written ? {} : { not: {} }) : written)
    }
    return { $ref: `#/$defs/${name}` }
  }

  #nameFor(uri: string): string {
    const plain = (uri.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_') || 'schema'
    let name = plain
    for (let at = 2; this.#defs.has(name); at += 1) name = `${plain}_${at}`
    return name
  }

  #own(schema: JsonObject, base: string, depth: number): JsonObject {
    const written: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(schema)) {
      if (key.startsWith('x-') || DROPPED.has(key)) continue
      if (ONE.has(key)) written[key] = this.#schema(value, base, depth + 1)
      else if (MANY.has(key) && Array.isArray(value)) {
        written[key] = value.map((each) => this.#schema(each, base, depth + 1))
      } else if (NAMED.has(key) && isJsonObject(value)) {
        written[key] = this.#members(key, value, base, depth)
      } else written[key] = value
    }
    this.#withoutOthersMembers(schema, written, base)
    return this.#is30 ? from30(written) : withExamples(written)
  }

  #members(key: string, members: JsonObject, base: string, depth: number): JsonObject {
    const kept = Object.entries(members).filter(
      ([, member]) => key !== 'properties' || !this.#isOfOtherDirection(member, base),
    )
    return Object.fromEntries(kept.map(([name, member]) => [name, this.#schema(member, base, depth + 1)]))
  }

  /** A member that has no place here cannot be required here. */
  #withoutOthersMembers(schema: JsonObject, written: Record<string, unknown>, base: string): void {
    const { required, properties } = schema
    if (!Array.isArray(required) || !isJsonObject(properties)) return
    const left = required.filter(
      (name) => typeof name !== 'string' || !this.#isOfOtherDirection(properties[name], base),
    )
    if (left.length > 0) written['required'] = left
    else delete written['required']
  }

  #isOfOtherDirection(member: unknown, base: string): boolean {
    const { value } = this.#documents.resolve(member, base)
    const flag = this.#direction === 'request' ? 'readOnly' : 'writeOnly'
    return isJsonObject(value) && value[flag] === true
  }

  /** Whether what the reference leads to leads back to it. */
  #isCyclic(uri: string): boolean {
    const known = this.#cyclic.get(uri)
    if (known !== undefined) return known
    const seen = new Set<string>()
    const waiting = [uri]
    let isCyclic = false
    for (let at = waiting.pop(); at !== undefined && !isCyclic; at = waiting.pop()) {
      for (const next of this.#references(at)) {
        if (next === uri) isCyclic = true
        if (seen.has(next)) continue
        seen.add(next)
        waiting.push(next)
      }
    }
    this.#cyclic.set(uri, isCyclic)
    return isCyclic
  }

  #references(uri: string): readonly string[] {
    const { value, base } = this.#documents.follow(uri, uri)
    const found: string[] = []
    const waiting: unknown[] = [value]
    while (waiting.length > 0) {
      const each = waiting.pop()
      if (Array.isArray(each)) waiting.push(...(each as unknown[]))
      if (!isJsonObject(each)) continue
      for (const [key, member] of Object.entries(each)) {
        if (key === '$ref' && typeof member === 'string') found.push(this.#documents.follow(member, base).uri)
        else if (ONE.has(key) || MANY.has(key)) waiting.push(member)
        else if (NAMED.has(key) && isJsonObject(member)) waiting.push(...Object.values(member))
      }
    }
    return found
  }
}

/** What OpenAPI 3.0 says otherwise than JSON Schema 2020-12. */
function from30(schema: JsonObject): JsonObject {
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = withExamples(schema)
  const bounded = {
    ...rest,
    ...bound('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...bound('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  }
  return nullable === true ? nullableOf(bounded) : bounded
}

/** A bound of 3.0 is exclusive if another keyword says so. */
function bound(name: string, value: unknown, exclusiveName: string, exclusive: unknown): JsonObject {
  if (exclusive === true) return { [exclusiveName]: value }
  return {
    ...(value !== undefined && { [name]: value }),
    ...(typeof exclusive === 'number' && { [exclusiveName]: exclusive }),
  }
}

function nullableOf(schema: JsonObject): JsonObject {
  const { type, enum: values, title, description, ...rest } = schema
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  const typed = { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }) }
  const own = {
    ...(typeof type === 'string' ? { type: [type, 'null'] } : type !== undefined && { type }),
    ...(Array.isArray(values)
      ? { enum: values.includes(null) ? values : [...(values as unknown[]), null] }
      : values !== undefined && { enum: values }),
  }
  const isCombined = ['allOf', 'oneOf', 'anyOf', '$ref'].some((key) => rest[key] !== undefined)
  if (!isCombined) return { ...own, ...words, ...rest }
  return { ...words, anyOf: [{ ...typed, ...rest }, { type: 'null' }] }
}

function withExamples({ example, ...rest }: JsonObject): JsonObject {
  return example === undefined || rest['examples'] !== undefined ? rest : { ...rest, examples: [example] }
}
