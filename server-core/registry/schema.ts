import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { RegistryError } from './errors.ts'
import { schemaDefect } from './schema-defects.ts'

/** A zod 4 schema. Only its type is imported: who passes none never loads zod. */
export type ZodSchema = z.ZodType

/** A schema as an author may write it. */
export type SchemaInput = ZodSchema | JsonSchema

/** What a handler gets for a schema: zod's output with defaults and transforms applied, else a JSON object. */
export type OutputOf<S> = S extends ZodSchema ? z.output<S> : JsonObject

export type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** A schema ready for use: what peers see, and how the value is parsed where the handler runs. */
export type PreparedSchema = {
  readonly wire: JsonSchema
  /** Only for zod: a JSON Schema is checked by the server. */
  readonly parse?: (value: unknown) => Promise<Parsed>
}

/** Keywords whose errors only say that something inside them is wrong. */
const CONTAINERS = new Set(['properties', 'items'])

/** Milliseconds that checking a value by a JSON Schema may take: its patterns may go astray on a text. */
const CHECK_MS = 250

/** Tells zod schemas from JSON Schemas. */
export function isZodSchema(schema: SchemaInput): schema is ZodSchema {
  return '_zod' in schema
}

/**
 * Prepares the schema of a tool's arguments: an object schema, `{"type":"object"}` if there is none. Throws a
 * `RegistryError` that names the tool if it is no object schema or cannot be said in JSON Schema.
 */
export function prepareInput(schema: SchemaInput | undefined, tool: string): PreparedSchema {
  if (schema === undefined) return { wire: { type: 'object' } }
  const prepared = prepare(schema, 'input', `the input of tool "${tool}"`)
  const type = prepared.wire['type']
  if (type === 'object') return prepared
  if (type === undefined) return { ...prepared, wire: { type: 'object', ...prepared.wire } }
  throw new RegistryError(
    'invalid-definition',
    `The input of tool "${tool}" must be an object schema, its type is ${JSON.stringify(type)}.`,
  )
}

/** Prepares the schema of a tool's structured result. Throws a `RegistryError` if JSON Schema cannot say it. */
export function prepareOutput(schema: SchemaInput, tool: string): PreparedSchema {
  return prepare(schema, 'output', `the output of tool "${tool}"`)
}

/** The JSON Schema of what goes in or comes out. Throws a `RegistryError` that names `what`. */
export function wireSchema(schema: SchemaInput, io: 'input' | 'output', what: string): JsonSchema {
  if (!isJsonObject(schema)) {
    const message = `Expected a zod schema or a JSON Schema object for ${what}.`
    throw new RegistryError('invalid-definition', message)
  }
  if (!isZodSchema(schema)) {
    const problem = schemaDefect(schema)
    if (problem === undefined) return schema
    throw new RegistryError('invalid-definition', `The JSON Schema of ${what} cannot be used: ${problem}.`)
  }
  try {
    return schema.toJSONSchema({ io, override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RegistryError('invalid-definition', `Cannot write ${what} as JSON Schema: ${reason}`, { cause })
  }
}

/** Parses a value with a zod schema; problems are told by path, one after the other. */
export async function parseWith(schema: ZodSchema, value: unknown): Promise<Parsed> {
  const result = await schema.safeParseAsync(value)
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  return { ok: false, problem: problems.join('; ') }
}

/**
 * Checks a value from outside where the handler runs, and gives what the handler is to see: with zod parsed, with a
 * JSON Schema the value itself, members that are missing filled with the `default` of their property.
 */
export async function checkValue(schema: SchemaInput, value: unknown): Promise<Parsed> {
  if (isZodSchema(schema)) return parseWith(schema, value)
  const [{ Validator }, { OutOfTimeError, withinTime }] = await Promise.all([
    import('@cfworker/json-schema'),
    import('./within-time.ts'),
  ])
  const filled = withDefaults(schema, value)
  const validate = () => new Validator(schema, '2020-12', false).validate(filled)
  let result: ReturnType<typeof validate>
  try {
    result = withinTime(CHECK_MS, validate)
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error
    return { ok: false, problem: `checking it took longer than ${CHECK_MS} ms and was given up` }
  }
  const { valid, errors } = result
  if (valid) return { ok: true, value: filled }
  const problems = errors
    .filter(({ keyword }) => !CONTAINERS.has(keyword))
    .map(({ instanceLocation, error }) => {
      const path = instanceLocation.replace(/^#\/?/, '')
      return `${path === '' ? '' : `${path}: `}${error.replace(/\.$/, '')}`
    })
  return { ok: false, problem: [...new Set(problems)].join('; ') }
}

function withDefaults(schema: JsonSchema, value: unknown): unknown {
  const { properties } = schema
  if (!isJsonObject(value) || !isJsonObject(properties)) return value
  const missing = Object.entries(properties).flatMap(([name, property]) =>
    !Object.hasOwn(value, name) && isJsonObject(property) && property['default'] !== undefined
      ? [[name, property['default']] as const]
      : [],
  )
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) }
}

function prepare(schema: SchemaInput, io: 'input' | 'output', what: string): PreparedSchema {
  const wire = wireSchema(schema, io, what)
  return isZodSchema(schema) ? { wire, parse: (value) => parseWith(schema, value) } : { wire }
}

/** zod writes ±(2^53−1) at every integer; to a reader of the schema they are noise. */
function dropSafeIntegerBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
