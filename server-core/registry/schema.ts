import type { Parsed } from '../protocol/parsed.ts'
import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { RegistryError } from './errors.ts'
import { schemaDefect } from './schema-lint.ts'
import {
  isStandardSchema,
  standardJsonSchema,
  validateStandard,
  type StandardInput,
  type StandardOutput,
  type StandardSchema,
} from './standard-schema.ts'
import type { TypeBoxSchema, TypeBoxStatic } from './typebox-schema.ts'
import { messageOf } from '../protocol/error-message.ts'

/** A zod 4 schema. Only its type is imported: who passes none never loads zod. */
export type ZodSchema = z.ZodType

/** A schema that makes a value of its own of what it is given. */
export type ParsingSchema = ZodSchema | StandardSchema

/** A schema as an author may write it. */
export type SchemaInput = ParsingSchema | TypeBoxSchema | JsonSchema

/**
 * What a handler gets for a schema: the output of zod or a Standard Schema with defaults and transforms applied, what a
 * TypeBox schema describes, else a JSON object.
 */
export type OutputOf<S> = S extends ZodSchema
  ? z.output<S>
  : S extends StandardSchema
    ? StandardOutput<S>
    : S extends TypeBoxSchema
      ? TypeBoxStatic<S>
      : JsonObject

/** What a handler may give for a schema of its result; `Otherwise` for a plain JSON Schema. */
export type InputOf<S, Otherwise> = S extends ZodSchema
  ? z.input<S>
  : S extends StandardSchema
    ? StandardInput<S>
    : S extends TypeBoxSchema
      ? TypeBoxStatic<S>
      : Otherwise

/** A schema ready for use: what peers see, and how the value is parsed where the handler runs. */
export type PreparedSchema = {
  readonly wire: JsonSchema
  /** Only for schemas that parse: a JSON Schema is checked by the server. */
  readonly parse?: (value: unknown) => Promise<Parsed<unknown>>
}

/** Keywords whose errors only say that something inside them is wrong. */
const CONTAINERS = new Set(['properties', 'items'])

/** Milliseconds that checking a value by a JSON Schema may take: its patterns may go astray on a text. */
const CHECK_MS = 250

/** Whether a schema parses, like those of zod and Standard Schema, and is not a JSON Schema. */
export function isParsingSchema(schema: SchemaInput): schema is ParsingSchema {
  return isZodSchema(schema) || isStandardSchema(schema)
}

/** Whether a schema is a JSON Schema that its author wrote, not one that a library makes. */
export function isWritten(schema: SchemaInput): schema is JsonSchema {
  return !isParsingSchema(schema) && !('~kind' in schema)
}

/** The small variant of zod has no such method; it is a Standard Schema all the same. */
function isZodSchema(schema: SchemaInput): schema is ZodSchema {
  return '_zod' in schema && 'toJSONSchema' in schema && typeof schema.toJSONSchema === 'function'
}

/**
 * Prepares the schema of a tool's arguments: an object schema, `{"type":"object"}` if there is none. Throws a
 * `RegistryError` that names the tool if it is not an object schema or cannot be said in JSON Schema.
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
  if (!isJsonObject(schema) && !isStandardSchema(schema)) {
    const message = `Expected a schema of zod or of another library of Standard Schema, or a JSON Schema object, for ${what}.`
    throw new RegistryError('invalid-definition', message)
  }
  const written = isParsingSchema(schema) ? madeSchema(schema, io, what) : schema
  // Zod is known to write nothing else.
  const problem = isZodSchema(schema) ? undefined : schemaDefect(written)
  if (problem === undefined) return written
  throw new RegistryError('invalid-definition', `The JSON Schema of ${what} cannot be used: ${problem}.`)
}

function madeSchema(schema: ParsingSchema, io: 'input' | 'output', what: string): JsonSchema {
  try {
    if (!isZodSchema(schema)) return standardJsonSchema(schema, io)
    return schema.toJSONSchema({ io, override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema) })
  } catch (cause) {
    const reason = messageOf(cause)
    throw new RegistryError('invalid-definition', `Cannot write ${what} as JSON Schema: ${reason}`, { cause })
  }
}

/** Parses a value with a schema of zod or of Standard Schema; problems are reported by path, one after the other. */
export async function parseWith(schema: ParsingSchema, value: unknown): Promise<Parsed<unknown>> {
  if (!isZodSchema(schema)) return validateStandard(schema, value)
  const result = await schema.safeParseAsync(value)
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  return { ok: false, reason: problems.join('; ') }
}

/**
 * Checks a value from outside where the handler runs, and returns what the handler is to see: what a schema of zod or
 * Standard Schema makes of it, for a JSON Schema the value itself, with the `default` of each property that is missing.
 */
export async function checkValue(schema: SchemaInput, value: unknown): Promise<Parsed<unknown>> {
  if (isParsingSchema(schema)) return parseWith(schema, value)
  const [{ Validator }, { OutOfTimeError, withinTime }] = await Promise.all([
    import('@cfworker/json-schema'),
    import('./within-time.ts'),
  ])
  const filled = withDefaults(schema, value)
  const validate = () => new Validator({ ...schema }, '2020-12', false).validate(filled)
  let result: ReturnType<typeof validate>
  try {
    result = withinTime(CHECK_MS, validate)
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error
    return { ok: false, reason: `checking it took longer than ${CHECK_MS} ms and was given up` }
  }
  const { valid, errors } = result
  if (valid) return { ok: true, value: filled }
  const problems = errors
    .filter(({ keyword }) => !CONTAINERS.has(keyword))
    .map(({ instanceLocation, error }) => {
      const path = instanceLocation.replace(/^#\/?/, '')
      return `${path === '' ? '' : `${path}: `}${error.replace(/\.$/, '')}`
    })
  return { ok: false, reason: [...new Set(problems)].join('; ') }
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
  return isParsingSchema(schema) ? { wire, parse: (value) => parseWith(schema, value) } : { wire }
}

/** zod writes ±(2^53−1) at every integer; to a reader of the schema they are noise. */
function dropSafeIntegerBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
