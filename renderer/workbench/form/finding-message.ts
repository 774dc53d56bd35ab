import type { OutputUnit } from '@cfworker/json-schema'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { pointerStep, pointerSteps } from '../../../server-core/protocol/json-pointer.ts'
import { workbenchFormText } from './text.ts'

/** One thing that a value does wrong. `pointer` names the place in the value (RFC 6901). */
export type Finding = {
  readonly pointer: string
  readonly message: string
  /** Something is not there yet, as against wrong. */
  readonly isMissing?: true
}

/** A finding in words that name the value, the limit and the place, e.g. “159.91 is above the maximum 90”. */
export function findingMessage(error: OutputUnit, keyword: unknown, root: unknown): Finding {
  const pointer = error.instanceLocation.slice(1)
  const value = valueAt(root, pointer)
  const member = quotedIn(error.error)
  switch (error.keyword) {
    case 'required':
      return {
        pointer: `${pointer}/${pointerStep(member)}`,
        message: workbenchFormText.findingMessage.isRequired(member),
        isMissing: true,
      }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { pointer: `${pointer}/${pointerStep(member)}`, message: `the schema has no member “${member}”` }
    case 'propertyNames':
      return {
        pointer: `${pointer}/${pointerStep(member)}`,
        message: workbenchFormText.findingMessage.invalidKey(member),
      }
    case 'false':
      return { pointer, message: 'the schema allows no value here' }
    default:
      return { pointer, message: valueMessage(error, keyword, value) }
  }
}

function valueMessage(error: OutputUnit, keyword: unknown, value: unknown): string {
  const limit = String(keyword)
  switch (error.keyword) {
    case 'type':
      return `is ${kindOf(value)}, expected ${(Array.isArray(keyword) ? (keyword as unknown[]) : [keyword]).join(' or ')}`
    case 'minimum':
      return workbenchFormText.findingMessage.isBelowTheMinimum(shown(value), limit)
    case 'maximum':
      return workbenchFormText.findingMessage.isAboveTheMaximum(shown(value), limit)
    case 'exclusiveMinimum':
      return workbenchFormText.findingMessage.mustBeMoreThan(shown(value), limit)
    case 'exclusiveMaximum':
      return workbenchFormText.findingMessage.mustBeLessThan(shown(value), limit)
    case 'multipleOf':
      return workbenchFormText.findingMessage.isNoMultipleOf(shown(value), limit)
    case 'minLength':
      return `has ${count(value)} characters, fewer than the minimum ${limit}`
    case 'maxLength':
      return `has ${count(value)} characters, more than the maximum ${limit}`
    case 'minItems':
      return `has ${count(value)} items, fewer than the minimum ${limit}`
    case 'maxItems':
      return `has ${count(value)} items, more than the maximum ${limit}`
    case 'uniqueItems':
      return repeated(value)
    case 'pattern':
      return `does not match the pattern ${limit}`
    case 'format':
      return `is not a valid ${limit}`
    case 'const':
      return `must be ${shown(keyword)}`
    case 'enum':
      return `is not one of ${(Array.isArray(keyword) ? (keyword as unknown[]) : []).map(shown).join(', ')}`
    case 'oneOf':
      return error.error.includes('(0 matches)')
        ? 'fits none of the variants'
        : 'fits more than one variant, must fit exactly one'
    case 'anyOf':
      return 'fits none of the variants'
    case 'not':
      return 'is just what the schema forbids here'
    default:
      return error.error
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(value)) value = (value as unknown[])[Number(step)]
    else if (isJsonObject(value)) value = value[step]
  }
  return value
}

function quotedIn(message: string): string {
  const start = message.indexOf('"')
  const end = message.lastIndexOf('"')
  return start >= 0 && end > start ? message.slice(start + 1, end) : ''
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function count(value: unknown): string {
  if (typeof value === 'string') return String(Array.from(value).length)
  return Array.isArray(value) ? String(value.length) : '?'
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function repeated(value: unknown): string {
  if (Array.isArray(value)) {
    const seen = new Map<string, number>()
    for (const [place, item] of (value as unknown[]).entries()) {
      const key = JSON.stringify(item)
      const first = seen.get(key)
      if (first !== undefined)
        return workbenchFormText.findingMessage.itemRepeatsItem(String(place), String(first))
      seen.set(key, place)
    }
  }
  return 'has an item twice'
}
