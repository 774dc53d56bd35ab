import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'

/** A longer list of values is shown by their type. */
const LONGEST_VALUES = 48
const LONGEST_NAME = 80
const DEEPEST = 4

/** A tool as it is called: `get-sum(a: number, b: number, note?: string)`. Required arguments come first. */
export function toolSignature(tool: JsonObject): string {
  const schema = isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const parts = Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name)
    return { isRequired, text: `${shown(name)}${isRequired ? '' : '?'}: ${typeText(property, schema)}` }
  })
  const sorted = [...parts.filter((part) => part.isRequired), ...parts.filter((part) => !part.isRequired)]
  return `${nameOf(tool)}(${sorted.map(({ text }) => text).join(', ')})`
}

/** A prompt with its arguments, which are strings: `summarise(text, style?)`. */
export function promptSignature(prompt: JsonObject): string {
  const given: readonly unknown[] = Array.isArray(prompt['arguments']) ? prompt['arguments'] : []
  const names = given
    .filter(isJsonObject)
    .map(({ name, required }) => `${shown(String(name))}${required === true ? '' : '?'}`)
  return names.length === 0 ? nameOf(prompt) : `${nameOf(prompt)}(${names.join(', ')})`
}

/** The type of a JSON schema in few words. @param root resolves references */
function typeText(schema: unknown, root: JsonObject, depth = 0): string {
  if (!isJsonObject(schema) || depth > DEEPEST) return 'any'
  const { type, enum: values, const: only, $ref: reference, items } = schema
  const inner = (each: unknown): string => typeText(each, root, depth + 1)
  if (typeof reference === 'string') return inner(resolved(reference, root))
  if (only !== undefined) return shown(JSON.stringify(only))
  if (Array.isArray(values)) {
    const listed = values.map((value) => JSON.stringify(value)).join(' | ')
    if (listed.length <= LONGEST_VALUES) return shown(listed)
    return union(values.map((value) => (value === null ? 'null' : typeof value)))
  }
  const either = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(either)) return union(either.map(inner))
  if (type === 'array') return items === undefined ? 'array' : `${grouped(inner(items))}[]`
  if (typeof type === 'string') return shown(type)
  if (Array.isArray(type)) return union(type.map((each) => shown(String(each))))
  const all = schema['allOf']
  if (Array.isArray(all)) return all.map(inner).find((each) => each !== 'any') ?? 'any'
  return isJsonObject(schema['properties']) ? 'object' : 'any'
}

/** What a reference within the schema leads to (`#/$defs/Name`). */
function resolved(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function grouped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}

function nameOf(entry: JsonObject): string {
  return typeof entry['name'] === 'string' ? shown(entry['name']) : '?'
}

function shown(text: string): string {
  return visibleLine(text, LONGEST_NAME)
}
