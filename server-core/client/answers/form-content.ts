import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { kindOf } from '../../protocol/wire/fault.ts'

/** Where an answer may not be sent as it is, and why: the path starts at the answer. */
export type AnswerFault = { readonly path: string; readonly message: string }

/**
 * Holds the content of an accepted form against the schema that asked for it, all faults at once (client features:
 * elicitation, requested schema): texts, numbers, truth values and every form of choice. What the schema says nothing
 * of passes.
 */
export function formFaults(requestedSchema: unknown, content: JsonObject): readonly AnswerFault[] {
  const schema = isJsonObject(requestedSchema) ? requestedSchema : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const faults: AnswerFault[] = []
  for (const name of required) {
    if (typeof name === 'string' && !Object.hasOwn(content, name))
      faults.push({ path: `content.${name}`, message: 'it is required, and missing' })
  }
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    const message = isJsonObject(field) ? fieldFault(field, value) : undefined
    if (message !== undefined) faults.push({ path: `content.${name}`, message })
  }
  return faults
}

function fieldFault(field: JsonObject, value: unknown): string | undefined {
  switch (field['type']) {
    case 'string':
      return textFault(field, value)
    case 'number':
    case 'integer':
      return numberFault(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected true or false, got ${kindOf(value)}`
    case 'array':
      return choicesFault(field, value)
    default:
      return undefined
  }
}

function textFault(field: JsonObject, value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a text, got ${kindOf(value)}`
  const choices = choicesOf(field)
  if (choices !== undefined) return choiceFault(choices, value)
  const { minLength, maxLength, format } = field
  const length = lengthOf(value)
  if (typeof minLength === 'number' && length < minLength)
    return `expected at least ${minLength} characters, got ${length}`
  if (typeof maxLength === 'number' && length > maxLength)
    return `expected at most ${maxLength} characters, got ${length}`
  if (typeof format !== 'string' || FORMATS.get(format)?.(value) !== false) return undefined
  return `expected ${FORMAT_NAMES.get(format) ?? format}, got ${JSON.stringify(value)}`
}

function numberFault({ type, minimum, maximum }: JsonObject, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `expected a number, got ${kindOf(value)}`
  if (type === 'integer' && !Number.isInteger(value)) return `expected an integer, got ${value}`
  if (typeof minimum === 'number' && value < minimum) return `expected at least ${minimum}, got ${value}`
  if (typeof maximum === 'number' && value > maximum) return `expected at most ${maximum}, got ${value}`
  return undefined
}

function choicesFault({ items, minItems, maxItems }: JsonObject, value: unknown): string | undefined {
  if (!Array.isArray(value)) return `expected an array of choices, got ${kindOf(value)}`
  if (typeof minItems === 'number' && value.length < minItems)
    return `expected at least ${minItems} choices, got ${value.length}`
  if (typeof maxItems === 'number' && value.length > maxItems)
    return `expected at most ${maxItems} choices, got ${value.length}`
  const choices = isJsonObject(items) ? choicesOf(items) : undefined
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'string') return `expected choices that are texts, got ${kindOf(item)}`
    const fault = choices && choiceFault(choices, item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The values there are to choose from: `enum` (with or without `enumNames`), `oneOf` or `anyOf` with titles. */
function choicesOf(field: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(field['enum'])) return field['enum'] as readonly unknown[]
  const titled = field['oneOf'] ?? field['anyOf']
  if (!Array.isArray(titled)) return undefined
  return titled.map((each: unknown) => (isJsonObject(each) ? each['const'] : undefined))
}

function choiceFault(choices: readonly unknown[], value: string): string | undefined {
  if (choices.includes(value)) return undefined
  return `expected one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}, got ${JSON.stringify(value)}`
}

/** Characters as JSON Schema counts them. */
function lengthOf(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; length += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return length
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ['email', 'an e-mail address'],
  ['uri', 'an absolute URI'],
  ['date', 'a date as 2026-07-28'],
  ['date-time', 'a date and time as 2026-07-28T12:00:00Z'],
])

/** The formats that a form may ask for; others are not looked at. */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', isEmail],
  ['uri', (text: string) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && URL.canParse(text)],
  ['date', isDate],
  ['date-time', isDateTime],
])

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || local.length > 64 || domain.length > 255) return false
  return !/[\s"(),:;<>@[\\\]]/.test(local) && !/^\.|\.\.|\.$/.test(local) && isDomain(domain)
}

function isDomain(text: string): boolean {
  return text.split('.').every((label) => /^[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(label))
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)))
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

function isDateTime(text: string): boolean {
  return /^.{10}[Tt ]/.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11))
}
