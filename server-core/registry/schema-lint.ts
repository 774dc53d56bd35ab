import { isJsonObject, type JsonSchema } from '../protocol/json.ts'

/** Schemas within schemas, and how deep they stand, that one definition may have. */
const MAX_SUBSCHEMAS = 10_000
const MAX_DEPTH = 64

/** What `$schema` may name: the dialects by which values can be checked, 2020-12 where nothing is named. */
export const DIALECTS = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'http://json-schema.org/draft-07/schema',
] as const

export type Dialect = (typeof DIALECTS)[number]

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** What each keyword holds; others are their author's own. */
const KEYWORDS = new Map<string, Holds>([
  ['type', 'types'],
  ['required', 'names'],
  ['enum', 'values'],
  ['pattern', 'pattern'],
  ['$ref', 'reference'],
  ['items', 'items'],
  ...keywords('schema', [
    ...['additionalProperties', 'additionalItems', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
    ...['unevaluatedProperties', 'unevaluatedItems'],
  ]),
  ...keywords('named', ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']),
  ...keywords('listed', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...keywords('count', [
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    ...['minContains', 'maxContains'],
  ]),
  ...keywords('number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
])

type Holds =
  | 'types'
  | 'names'
  | 'values'
  | 'pattern'
  | 'reference'
  | 'items'
  | 'schema'
  | 'named'
  | 'listed'
  | 'count'
  | 'number'

/** A value in the document; where it stands is written only when something is wrong with it. */
type Place = {
  readonly value: unknown
  readonly name: string
  readonly parent: Place | undefined
  readonly depth: number
}

/** The dialect of a schema, or undefined if it names one by which nothing can be checked. */
export function dialectOf({ $schema: named }: JsonSchema): Dialect | undefined {
  if (named === undefined) return DIALECTS[0]
  return DIALECTS.find((dialect) => named === dialect || named === `${dialect}#`)
}

/**
 * The first thing that keeps a JSON Schema from being one, as a clause with its place (`/properties/size/type is …`),
 * or undefined. It looks at the schema's own form, at patterns and at references; each part once, and at a bounded
 * number of them.
 */
export function schemaDefect(root: JsonSchema): string | undefined {
  if (dialectOf(root) === undefined) {
    return `/$schema is ${JSON.stringify(root['$schema'])}; expected one of ${DIALECTS.join(', ')}`
  }
  const shape = zodDefect(root)
  if (shape !== undefined) return shape
  const open: Place[] = [{ value: root, name: '', parent: undefined, depth: 0 }]
  for (let seen = 0; ; seen += 1) {
    const place = open.pop()
    if (place === undefined) return undefined
    const { value: schema, depth } = place
    if (typeof schema === 'boolean' && depth > 0) continue
    if (!isJsonObject(schema)) return defect(place, 'a schema: an object, true or false')
    if (seen >= MAX_SUBSCHEMAS) return `it has more than ${MAX_SUBSCHEMAS} schemas in it`
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} schemas`
    for (const name of Object.keys(schema)) {
      const holds = KEYWORDS.get(name)
      const value = schema[name]
      if (holds === undefined || value === undefined) continue
      const found = keywordDefect(root, holds, { value, name, parent: place, depth: depth + 1 }, open)
      if (found !== undefined) return found
    }
  }
}

/** Zod's own objects in the place of JSON; told by the members they have, so that zod is not loaded for it. */
function zodDefect(root: JsonSchema): string | undefined {
  if ('_def' in root) return 'it is a schema of zod 3; make it with zod 4'
  const member = Object.keys(root).find((name) => {
    const value = root[name]
    return isJsonObject(value) && ('_zod' in value || '_def' in value)
  })
  return member === undefined
    ? undefined
    : `its member "${member}" is a zod schema; wrap it in z.object({ … })`
}

/** What is wrong with the value of a keyword; the schemas in it are left to be looked at by themselves. */
function keywordDefect(root: JsonSchema, holds: Holds, place: Place, open: Place[]): string | undefined {
  const { value } = place
  switch (holds) {
    case 'types':
      return isType(value)
        ? undefined
        : defect(place, `a JSON type (${[...TYPES].join(', ')}) or a list of them`)
    case 'names':
      return isListOf(value, isText) ? undefined : defect(place, 'a list of names')
    case 'values':
      return Array.isArray(value) && value.length > 0 ? undefined : defect(place, 'a list of values')
    case 'pattern':
      return isPattern(value) ? undefined : defect(place, 'a regular expression')
    case 'reference':
      return referenceDefect(root, place)
    case 'schema':
      open.push(place)
      return undefined
    case 'items':
      if (Array.isArray(value)) return listed(place, open)
      open.push(place)
      return undefined
    case 'named':
      return named(place, open)
    case 'listed':
      return listed(place, open)
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0
        ? undefined
        : defect(place, 'a whole number from 0')
    case 'number':
      return typeof value === 'number' ? undefined : defect(place, 'a number')
  }
}

function named(place: Place, open: Place[]): string | undefined {
  const { value, depth } = place
  if (!isJsonObject(value)) return defect(place, 'an object of schemas')
  for (const name of Object.keys(value)) {
    const within = { value: value[name], name, parent: place, depth }
    if (place.name === 'patternProperties' && !isPattern(name)) {
      return defect({ ...within, value: name }, 'a name that is a regular expression')
    }
    open.push(within)
  }
  return undefined
}

function listed(place: Place, open: Place[]): string | undefined {
  const { value, depth } = place
  if (!Array.isArray(value) || value.length === 0) return defect(place, 'a list of schemas')
  for (const [index, part] of value.entries()) {
    open.push({ value: part as unknown, name: String(index), parent: place, depth })
  }
  return undefined
}

/** A reference must lead to a place in the same document; where schemas have names of their own, that is not looked at. */
function referenceDefect(root: JsonSchema, place: Place): string | undefined {
  const { value: reference } = place
  if (typeof reference !== 'string') return defect(place, 'a reference')
  if (root['$id'] !== undefined) return undefined
  const told = `${pathOf(place)} is ${JSON.stringify(reference)}`
  if (!reference.startsWith('#')) return `${told}, which leaves the document; nothing is fetched`
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = decoded(step)
    const holds = typeof target === 'object' && target !== null && Object.hasOwn(target, name)
    if (!holds) return `${told}, and there is nothing at that place`
    target = (target as Readonly<Record<string, unknown>>)[name]
  }
  return undefined
}

function keywords(holds: Holds, names: readonly string[]): [string, Holds][] {
  return names.map((name) => [name, holds])
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

function defect(place: Place, expected: string): string {
  const shown = JSON.stringify(place.value) as string | undefined
  const text = shown ?? typeof place.value
  return `${pathOf(place)} is ${text.length > 100 ? `${text.slice(0, 100)}…` : text}; expected ${expected}`
}

function pathOf({ name, parent }: Place): string {
  if (parent === undefined) return 'it'
  return parent.parent === undefined ? `/${name}` : `${pathOf(parent)}/${name}`
}
