import type { Parsed } from '../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { ElicitationRefusedError, QuestionError, type Asking } from './answers.ts'
import { checkValue, isWritten, wireSchema, type SchemaInput } from './schema.ts'

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean'])
/** What the specification lets a field of a form carry; a pattern, say, is only checked on the answer. */
const FIELD_MEMBERS = new Set([
  ...['type', 'title', 'description', 'default', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['enum', 'oneOf', 'items', 'minItems', 'maxItems'],
])
const FORMATS = new Set(['email', 'uri', 'date', 'date-time'])

/**
 * The `requestedSchema` of a form (specification: Elicitation, Requested Schema): a flat object of text, number,
 * boolean and choice fields. A JSON Schema goes out as its author wrote it, one that a library makes in the forms that the
 * specification names. Throws a `QuestionError` that names the unsupported field.
 */
function requestedSchema(schema: SchemaInput): JsonObject {
  const wire = wireSchema(schema, 'input', 'the form')
  const properties = wire['properties'] ?? {}
  if (wire['type'] !== 'object' || !isJsonObject(properties)) {
    throw new QuestionError(
      'A form is an object of fields; this schema is not an object schema with properties.',
    )
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const readable = !isWritten(schema) && isJsonObject(field) ? specificationField(field) : field
    if (isFlatField(readable)) return [name, readable] as const
    throw new QuestionError(
      `Field "${name}" cannot be asked for: a form holds texts, numbers, booleans and choices, nothing nested.`,
    )
  })
  if (isWritten(schema)) return wire
  const { required } = wire
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  }
}

/**
 * The question for a form (specification: Elicitation, Form Mode). A form that is shown again says why. Its reading
 * throws an `ElicitationRefusedError` for decline and cancel.
 */
export function formQuestion(message: string, schema: SchemaInput, key: string | undefined): Asking<unknown> {
  return {
    key,
    method: 'elicitation/create',
    params: (problem) => ({
      mode: 'form',
      message: withProblem(message, problem),
      requestedSchema: requestedSchema(schema),
    }),
    read: (answer, name) => readForm(schema, answer, name, message),
  }
}

/** The question to open a page (specification: Elicitation, URL Mode). Reads like a form without content. */
export function urlQuestion(message: string, url: string, key: string | undefined): Asking<void> {
  return {
    key,
    method: 'elicitation/create',
    params: (problem) => ({ mode: 'url', message: withProblem(message, problem), url: new URL(url).href }),
    read: (answer, name) => readAction(answer, name, message),
  }
}

function withProblem(message: string, problem: string | undefined): string {
  return problem === undefined ? message : `${message}\n\nThe last answer could not be used: ${problem}.`
}

async function readForm(
  schema: SchemaInput,
  answer: JsonObject,
  key: string,
  message: string,
): Promise<Parsed<unknown>> {
  const action = readAction(answer, key, message)
  if (!action.ok) return action
  return checkValue(schema, answer['content'] ?? {})
}

function readAction(answer: JsonObject, key: string, message: string): Parsed<void> {
  const { action } = answer
  if (action === 'accept') return { ok: true, value: undefined }
  if (action === 'decline' || action === 'cancel') throw new ElicitationRefusedError(action, key, message)
  return { ok: false, reason: 'its "action" is not one of accept, decline and cancel' }
}

/** Writes what zod says in the forms of the specification: choices as `enum`, or as `oneOf` if they have titles. */
function specificationField(field: JsonObject): JsonObject {
  const choices = choicesOf(field)
  const written: JsonObject = choices === undefined ? field : { ...field, type: 'string', ...choices }
  const { items, format } = written
  const kept = Object.entries(written).filter(([name]) => FIELD_MEMBERS.has(name))
  return {
    ...Object.fromEntries(kept),
    ...(typeof format === 'string' && FORMATS.has(format) ? { format } : {}),
    ...(isJsonObject(items) ? { items: listItems(items) } : {}),
  }
}

function choicesOf(field: JsonObject): JsonObject | undefined {
  if (typeof field['const'] === 'string') return { enum: [field['const']] }
  const options: readonly unknown[] | undefined = Array.isArray(field['anyOf']) ? field['anyOf'] : undefined
  if (options === undefined) return undefined
  const constants = options.filter(isConstant)
  if (constants.length !== options.length) return undefined
  if (!constants.some(({ title }) => title !== undefined))
    return { enum: constants.map((option) => option.const) }
  return { oneOf: constants.map((option) => ({ const: option.const, title: option.title ?? option.const })) }
}

function listItems(items: JsonObject): JsonObject {
  const written: JsonObject = { ...items, ...choicesOf(items) }
  const { oneOf, enum: values } = written
  if (Array.isArray(oneOf)) return { anyOf: oneOf }
  return Array.isArray(values) ? { type: 'string', enum: values } : items
}

function isConstant(option: unknown): option is { readonly const: string; readonly title?: unknown } {
  return isJsonObject(option) && typeof option['const'] === 'string'
}

function isFlatField(field: unknown): field is JsonObject {
  if (!isJsonObject(field)) return false
  const { type, items } = field
  if (typeof type === 'string' && PRIMITIVES.has(type)) return true
  if (type !== 'array' || !isJsonObject(items)) return false
  return Array.isArray(items['enum']) || Array.isArray(items['anyOf'])
}
