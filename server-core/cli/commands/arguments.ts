import { text as readAll } from 'node:stream/consumers'
import { ExactNumber, parseExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { UsageError } from '../output/exit-code.ts'
import type { NameAndValue } from '../connection/target.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Reads the JSON of arguments, from standard input for `-`. Throws a `UsageError`. */
export async function readArguments(given: string | undefined): Promise<JsonObject> {
  const text = given === '-' ? await readAll(process.stdin) : given
  if (text === undefined) return {}
  let value: unknown
  try {
    value = parseExact(text, 'text')
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`the arguments are not JSON (${reason}); quote them, e.g. '{"city":"Oslo"}'`, {
      cause: error,
    })
  }
  if (!isJsonObject(value))
    throw new UsageError('the arguments must be a JSON object, e.g. \'{"city":"Oslo"}\'')
  return value
}

/**
 * Arguments that were named one by one, as the schema of a tool's input wants them: a text, a number, true or false,
 * JSON. Where it says nothing of one, JSON is read as such and everything else is a text. Throws a `UsageError`.
 *
 * @param inputSchema undefined if it is not known
 */
export function typedArguments(named: readonly NameAndValue[], inputSchema: unknown): JsonObject {
  const schema = isJsonObject(inputSchema) ? inputSchema : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const args: Record<string, unknown> = {}
  for (const { name, value } of named) {
    const isKnown = Object.hasOwn(properties, name)
    args[name] = typed(name, value, isKnown ? properties[name] : undefined)
  }
  return args
}

/** Arguments of prompts and templates are texts. */
export function textArguments(named: readonly NameAndValue[]): Record<string, string> {
  return Object.fromEntries(named.map(({ name, value }) => [name, value]))
}

function typed(name: string, text: string, schema: unknown): unknown {
  const types = typesOf(schema)
  const json = parsed(text)
  if (json !== NO_JSON && types.some((type) => isOfType(json, type))) return json
  if (types.length === 0) return json === NO_JSON ? text : json
  if (types.includes('string')) return text
  throw new UsageError(`--arg ${name} expects ${types.join(' or ')}, got "${text}"`)
}

/** The types that a schema allows, as far as it says so itself. A text stays one, whatever it looks like. */
function typesOf(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return []
  const { type, enum: values, const: only } = schema
  if (typeof type === 'string') return type === 'string' ? ['string'] : [type]
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string')
  const known: readonly unknown[] = Array.isArray(values) ? values : only === undefined ? [] : [only]
  if (known.length > 0) return [...new Set(known.map(typeOf))]
  const either = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(either) ? [...new Set(either.flatMap(typesOf))] : []
}

const NO_JSON = Symbol('no JSON')

function parsed(text: string): unknown {
  try {
    return parseExact(text, 'text')
  } catch (error) {
    if (error instanceof SyntaxError) return NO_JSON
    throw error
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'string') return false
  if (type === 'integer') return typeOf(value) === 'number' && Number.isInteger(Number(value))
  return typeOf(value) === type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof ExactNumber ? 'number' : typeof value
}
