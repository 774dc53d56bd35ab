import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { stringifyExact } from '../../../server-core/protocol/exact-json.ts'
import { draftOfValue } from './draft-of-value.ts'
import { nextId, type Body, type Draft } from './draft.ts'
import { emptyBody } from './empty-body.ts'
import type { FieldSpec, Shape } from './field-spec.ts'

/** Required things inside required things; deeper ones are added by hand. */
const MAX_NESTING = 16

/** Items a new array is given because it must have them; the rest is added by hand. */
const MAX_FIRST_ITEMS = 8

/**
 * The draft a form starts with. Only what must be sent and has one possible beginning is set: required objects,
 * arrays, booleans and constants, and required fields with a default. A default of an optional field is shown
 * and not sent, because the server fills it in.
 */
export function newDraft(spec: FieldSpec, required: boolean): Draft {
  return start(spec, required, new Set())
}

function start(spec: FieldSpec, required: boolean, around: ReadonlySet<Shape>): Draft {
  if (spec.default !== undefined) {
    const draft = draftOfValue(spec, spec.default.value)
    return required ? draft : { ...draft, presence: 'left-out' }
  }
  // A required field that contains itself would never end: it is added by hand.
  const endless = around.has(spec.shape) || around.size > MAX_NESTING
  const body = endless ? emptyBody(spec) : firstBody(spec, new Set(around).add(spec.shape))
  return { presence: required && !endless && startsSet(spec) ? 'set' : 'left-out', body }
}

function startsSet(spec: FieldSpec): boolean {
  switch (spec.shape.type) {
    case 'boolean':
    case 'const':
    case 'choices':
    case 'object':
    case 'array':
    case 'tuple':
    case 'variants':
      return true
    case 'string':
    case 'number':
    case 'enum':
    case 'json':
      return false
  }
}

function firstBody(spec: FieldSpec, around: ReadonlySet<Shape>): Body {
  const shape = spec.shape
  switch (shape.type) {
    case 'object': {
      const members = shape.properties.map(
        (property) => [property.name, start(property.spec(), property.required, around)] as const,
      )
      return { type: 'object', members: new Map(members), pairs: [] }
    }
    case 'array': {
      const length = Math.min(shape.minItems, MAX_FIRST_ITEMS)
      const items = Array.from({ length }, () => ({ id: nextId(), draft: start(shape.item(), true, around) }))
      return { type: 'list', items }
    }
    case 'tuple':
      return {
        type: 'list',
        items: shape.items.map((item) => ({ id: nextId(), draft: start(item(), true, around) })),
      }
    case 'variants': {
      const first = shape.variants[0]
      const drafts = first === undefined ? [] : [[0, start(first.spec(), true, around)] as const]
      return { type: 'variant', chosen: 0, drafts: new Map(drafts) }
    }
    default:
      return emptyBody(spec)
  }
}

/** A default in few words, shown beside its field: `default 3`. */
export function defaultNote(spec: FieldSpec): string | undefined {
  if (spec.default === undefined) return undefined
  const value = spec.default.value
  const text = typeof value === 'string' && value !== '' ? value : stringifyExact(value)
  if (isJsonObject(value) && text.length > 40) return 'has a default'
  return `default ${text.length > 40 ? `${text.slice(0, 39)}…` : text}`
}
