import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'

/** Schemas within schemas, and how deep they stand, that one definition may have. */
const MAX_SUBSCHEMAS = 10_000
const MAX_DEPTH = 64

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const ONE_SCHEMA = [
  ...['additionalProperties', 'additionalItems', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTED_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const COUNTS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
]
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

type Place = { readonly schema: unknown; readonly path: string; readonly depth: number }

/**
 * The first thing that keeps a JSON Schema from being one, as a clause with its place (`/properties/size/type is …`),
 * or undefined. It looks at the schema's own form, at patterns and at references; each part once, and at a bounded
 * number of them.
 */
export function schemaDefect(root: JsonSchema): string | undefined {
  const open: Place[] = [{ schema: root, path: '', depth: 0 }]
  for (let seen = 0; ; seen += 1) {
    const place = open.pop()
    if (place === undefined) return undefined
    const { schema, path, depth } = place
    if (typeof schema === 'boolean' && depth > 0) continue
    if (!isJsonObject(schema)) return defect(path, schema, 'a schema: an object, true or false')
    if (seen >= MAX_SUBSCHEMAS) return `it has more than ${MAX_SUBSCHEMAS} schemas in it`
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} schemas`
    const found = ownDefect(schema, path) ?? referenceDefect(root, schema, path)
    if (found !== undefined) return found
    for (const [name, part] of parts(schema)) {
      open.push({ schema: part, path: `${path}/${name}`, depth: depth + 1 })
    }
  }
}

/** What is wrong with the keywords of one schema; the schemas in it are looked at by themselves. */
function ownDefect(schema: JsonObject, path: string): string | undefined {
  const at = (name: string, expected: string) => defect(`${path}/${name}`, schema[name], expected)
  const { type, required, enum: choices, pattern, items } = schema
  if (type !== undefined && !isType(type))
    return at('type', `a JSON type (${[...TYPES].join(', ')}) or a list of them`)
  if (required !== undefined && !isListOf(required, isText)) return at('required', 'a list of names')
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0))
    return at('enum', 'a list of values')
  if (pattern !== undefined && !isPattern(pattern)) return at('pattern', 'a regular expression')
  if (Array.isArray(items) && items.length === 0) return at('items', 'a schema')
  for (const name of NAMED_SCHEMAS) {
    if (schema[name] !== undefined && !isJsonObject(schema[name])) return at(name, 'an object of schemas')
  }
  for (const name of LISTED_SCHEMAS) {
    const list = schema[name]
    if (list !== undefined && !(Array.isArray(list) && list.length > 0)) return at(name, 'a list of schemas')
  }
  for (const name of COUNTS) {
    const count = schema[name]
    if (count !== undefined && !(typeof count === 'number' && Number.isSafeInteger(count) && count >= 0))
      return at(name, 'a whole number from 0')
  }
  for (const name of NUMBERS) {
    const number = schema[name]
    if (number !== undefined && typeof number !== 'number') return at(name, 'a number')
  }
  const patterns = isJsonObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []
  const broken = patterns.find((name) => !isPattern(name))
  return broken === undefined
    ? undefined
    : defect(`${path}/patternProperties`, broken, 'names that are regular expressions')
}

/** A reference must lead to a place in the same document; where schemas have names of their own, that is not looked at. */
function referenceDefect(
  root: JsonSchema,
  { $ref: reference }: JsonObject,
  path: string,
): string | undefined {
  if (reference === undefined) return undefined
  const place = `${path}/$ref`
  if (typeof reference !== 'string') return defect(place, reference, 'a reference')
  if (root['$id'] !== undefined) return undefined
  if (!reference.startsWith('#'))
    return `${place} is ${JSON.stringify(reference)}, which leaves the document; nothing is fetched`
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = decoded(step)
    const holds = typeof target === 'object' && target !== null && Object.hasOwn(target, name)
    if (!holds) return `${place} is ${JSON.stringify(reference)}, and there is nothing at that place`
    target = (target as Readonly<Record<string, unknown>>)[name]
  }
  return undefined
}

function parts(schema: JsonObject): [name: string, part: unknown][] {
  const { items } = schema
  const found: [string, unknown][] = ONE_SCHEMA.flatMap((name): [string, unknown][] =>
    schema[name] === undefined ? [] : [[name, schema[name]]],
  )
  if (Array.isArray(items))
    found.push(...items.map((part, index): [string, unknown] => [`items/${index}`, part]))
  else if (items !== undefined) found.push(['items', items])
  for (const name of [...NAMED_SCHEMAS, ...LISTED_SCHEMAS]) {
    const within = schema[name]
    if (typeof within !== 'object' || within === null) continue
    for (const [key, part] of Object.entries(within)) found.push([`${name}/${key}`, part])
  }
  return found
}

function isType(type: unknown): boolean {
  return (
    TYPES.has(type) || (isListOf(type, (one) => TYPES.has(one)) && Array.isArray(type) && type.length > 0)
  )
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** One step of a JSON pointer in a URI fragment. */
function decoded(step: string): string {
  const text = step.includes('%') ? safelyDecoded(step) : step
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function defect(path: string, came: unknown, expected: string): string {
  const place = path === '' ? 'it' : path
  const shown = JSON.stringify(came) as string | undefined
  const text = shown ?? typeof came
  return `${place} is ${text.length > 100 ? `${text.slice(0, 100)}…` : text}; expected ${expected}`
}
