import { isJsonObject, type JsonSchema } from '../protocol/json.ts'
import type { Parsed } from '../protocol/parsed.ts'
import type { UriTemplate, UriVariables } from '../protocol/uri-template.ts'
import type { VariableType, VariableTypes } from './entries.ts'
import { RegistryError } from './errors.ts'
import { ArgumentsError } from './handler-errors.ts'
import type { VariableSchemas } from './resource-definitions.ts'
import { checkValue, isParsingSchema, parseWith, wireSchema, type SchemaInput } from './schema.ts'

type Variable = {
  readonly schema: SchemaInput
  /** Of each item, where the variable is a list. */
  readonly type: VariableType | undefined
  readonly values: readonly string[] | undefined
}

export type PreparedVariables = {
  readonly types: VariableTypes | undefined
  /** All values of a variable whose schema is an enum or a boolean. */
  values(name: string): readonly string[] | undefined
  /** Why a value for a URI cannot be one of that variable, as a clause: what no handler would be given. */
  defect(name: string, value: string | readonly string[]): string | undefined
  /** Texts to what the handler gets; undefined if no variable has a schema. Throws an `ArgumentsError`. */
  readonly parse: ((texts: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>) | undefined
}

/** Prepares the schemas of a template's variables. Throws a `RegistryError` for one that no URI can carry. */
export function prepareVariables(compiled: UriTemplate, schemas: VariableSchemas = {}): PreparedVariables {
  const variables = new Map<string, Variable>()
  for (const [name, schema] of Object.entries(schemas)) {
    const variable = compiled.variables.find((candidate) => candidate.name === name)
    if (variable === undefined) {
      throw invalid(`"${compiled.template}" has no variable "${name}" to give a schema to.`)
    }
    variables.set(name, prepareVariable(compiled.template, name, variable.form === 'list', schema))
  }
  const typed = [...variables].flatMap(([name, { type }]) =>
    type === undefined ? [] : [[name, type] as const],
  )
  return {
    types: typed.length === 0 ? undefined : Object.fromEntries(typed),
    values: (name) => variables.get(name)?.values,
    defect: (name, value) => {
      const variable = variables.get(name)
      return variable === undefined
        ? undefined
        : defectOf(variable, typeof value === 'string' ? [value] : value)
    },
    parse: variables.size === 0 ? undefined : (texts) => parseVariables(compiled.template, variables, texts),
  }
}

function defectOf({ type, values }: Variable, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    if (type !== undefined && valueOf(text, type) === undefined)
      return `${JSON.stringify(text)} is not ${type === 'integer' ? 'an' : 'a'} ${type}`
    if (values?.includes(text) === false) {
      return `${JSON.stringify(text)} is not one of ${values.map((choice) => JSON.stringify(choice)).join(', ')}`
    }
  }
  return undefined
}

/** The variables of a URI that matches, if their texts can say what their types want. */
export function matchTyped(
  compiled: UriTemplate,
  types: VariableTypes | undefined,
  uri: string,
): UriVariables | undefined {
  const found = compiled.match(uri)
  if (found === undefined || types === undefined) return found
  for (const [name, type] of Object.entries(types)) {
    const texts = Object.hasOwn(found, name) ? found[name] : undefined
    if (texts === undefined) continue
    const items = typeof texts === 'string' ? [texts] : texts
    if (!items.every((text) => valueOf(text, type) !== undefined)) return undefined
  }
  return found
}

function prepareVariable(template: string, name: string, isList: boolean, schema: SchemaInput): Variable {
  const what = `variable "${name}" of the template "${template}"`
  const wire = wireSchema(schema, 'input', what)
  const one = isList ? itemsOf(wire, what) : wire
  const { type, enum: choices } = one
  if (type === 'object' || type === 'array' || type === 'null') {
    throw invalid(
      `The ${what} cannot be of type ${JSON.stringify(type)}: a URI carries ${isList ? 'lists of ' : ''}texts, numbers and booleans.`,
    )
  }
  const values = Array.isArray(choices)
    ? choices.map(String)
    : type === 'boolean'
      ? ['true', 'false']
      : undefined
  return {
    schema,
    type: type === 'number' || type === 'integer' || type === 'boolean' ? type : undefined,
    values,
  }
}

function itemsOf(wire: JsonSchema, what: string): JsonSchema {
  const { type, items = {} } = wire
  if (type === 'array' && isJsonObject(items)) return items
  throw invalid(`The ${what} is a list; its schema must be of type "array".`)
}

async function parseVariables(
  template: string,
  variables: ReadonlyMap<string, Variable>,
  texts: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const parsed = new Map<string, unknown>(Object.entries(texts))
  for (const [name, variable] of variables) {
    const value = coerce(parsed.get(name), variable.type)
    const result = await check(variable.schema, value)
    if (!result.ok) {
      throw new ArgumentsError(`Variable "${name}" of ${template} is not valid: ${result.reason}`)
    }
    if (result.value !== undefined) parsed.set(name, result.value)
  }
  return Object.fromEntries(parsed)
}

/** A JSON Schema says nothing about a missing query variable, except its default. */
async function check(schema: SchemaInput, value: unknown): Promise<Parsed<unknown>> {
  if (isParsingSchema(schema)) return parseWith(schema, value)
  return value === undefined ? { ok: true, value: Reflect.get(schema, 'default') } : checkValue(schema, value)
}

function coerce(text: unknown, type: VariableType | undefined): unknown {
  if (type === undefined) return text
  if (Array.isArray(text)) return text.map((item) => coerce(item, type))
  return typeof text === 'string' ? valueOf(text, type) : text
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER = /^-?(?:0|[1-9]\d*)$/

/** What a text says as a number, integer or boolean as JSON writes them; undefined if it says none. */
function valueOf(text: string, type: VariableType): number | boolean | undefined {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (!(type === 'integer' ? INTEGER : NUMBER).test(text)) return undefined
  const value = Number(text)
  const fits = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  return fits ? value : undefined
}

function invalid(message: string): RegistryError {
  return new RegistryError('invalid-definition', message)
}
