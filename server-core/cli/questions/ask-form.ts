import { formFaults } from '../../client/answers/form-content.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Person } from './person.ts'

type Field = { readonly name: string; readonly schema: JsonObject; readonly isRequired: boolean }

/**
 * Asks for the content of a form, field by field (client features: elicitation, requested schema); what does not fit
 * is asked for again. An empty line takes the default, or leaves out an optional field.
 */
export async function askForm(person: Person, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const content: Record<string, unknown> = {}
  for (const field of fieldsOf(params['requestedSchema'])) {
    const value = await askField(person, field, signal)
    if (value !== undefined) content[field.name] = value
  }
  return content
}

function fieldsOf(requestedSchema: unknown): readonly Field[] {
  const schema = isJsonObject(requestedSchema) ? requestedSchema : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).map(([name, given]) => ({
    name,
    schema: isJsonObject(given) ? given : {},
    isRequired: required.includes(name),
  }))
}

async function askField(person: Person, field: Field, signal: AbortSignal): Promise<unknown> {
  const { name, schema, isRequired } = field
  const { title, description } = schema
  person.print(`\n${textOr(title, name)}${isRequired ? ' (required)' : ''}`)
  if (typeof description === 'string') person.print(`  ${description}`)
  const choices = choicesOf(schema)
  for (const [index, { value, label }] of choices.entries())
    person.print(`  ${index + 1}  ${label}${label === value ? '' : ` (${value})`}`)
  const standing = schema['default']
  const hint = [kindOf(schema, choices.length), ...(standing === undefined ? [] : [`[${written(standing)}]`])]
  for (;;) {
    const typed = await person.line(`  ${name}, ${hint.join(' ')}: `, signal)
    if (typed === '' && standing !== undefined) return standing
    if (typed === '' && !isRequired) return undefined
    const value = read(schema, choices, typed)
    const [fault] = formFaults({ properties: { [name]: schema } }, { [name]: value })
    if (fault === undefined) return value
    person.print(`  That does not fit: ${fault.message}.`)
  }
}

type Choice = { readonly value: string; readonly label: string }

/** What there is to choose from: `enum` with or without `enumNames`, `oneOf` or `anyOf` with titles, also of items. */
function choicesOf(schema: JsonObject): readonly Choice[] {
  const { items, enum: values, enumNames } = schema
  if (schema['type'] === 'array') return isJsonObject(items) ? choicesOf({ ...items, type: 'string' }) : []
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
    return values.map((value: unknown, index) => ({
      value: String(value),
      label: textOr(names[index], String(value)),
    }))
  }
  const titled = schema['oneOf'] ?? schema['anyOf']
  return (Array.isArray(titled) ? titled : []).filter(isJsonObject).map((each) => ({
    value: String(each['const']),
    label: textOr(each['title'], String(each['const'])),
  }))
}

function kindOf(schema: JsonObject, choices: number): string {
  const { type, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const between = (what: string, least: unknown, most: unknown): string => {
    if (least === undefined && most === undefined) return what
    if (most === undefined) return `${what}, at least ${written(least)}`
    return `${what}, ${least === undefined ? 'at most' : `${written(least)} to`} ${written(most)}`
  }
  if (type === 'array') return between('any of the choices, with commas', minItems, maxItems)
  if (choices > 0) return 'one of the choices'
  if (type === 'boolean') return 'yes or no'
  if (type === 'number' || type === 'integer')
    return between(type === 'integer' ? 'a whole number' : 'a number', minimum, maximum)
  return between(typeof format === 'string' ? format : 'a text', minLength, maxLength)
}

function read(schema: JsonObject, choices: readonly Choice[], typed: string): unknown {
  switch (schema['type']) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(typed) ? true : /^(n|no|false)$/i.test(typed) ? false : typed
    case 'number':
    case 'integer':
      return numberIn(typed)
    case 'array':
      return typed
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .map((each) => chosen(choices, each))
    default:
      return chosen(choices, typed)
  }
}

/** A choice by its value, its name or its number; other input as it was typed. */
function chosen(choices: readonly Choice[], typed: string): string {
  const same = choices.find(({ value }) => value === typed)
  const named = choices.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
  return (same ?? named ?? choices[Number(typed) - 1])?.value ?? typed
}

function numberIn(typed: string): unknown {
  try {
    return parseExact(typed)
  } catch (error) {
    if (error instanceof SyntaxError) return typed
    throw error
  }
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExact(value)
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}
