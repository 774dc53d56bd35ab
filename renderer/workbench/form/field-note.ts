import type { JsonObject } from '../../../server-core/protocol/json.ts'
import type { Shape } from './field-spec.ts'
import { workbenchFormText } from './text.ts'

/** The type of a field and its limits in a few words, for the end of its row: `integer 1…7`, `enum 3`. */
export function fieldNote(shape: Shape, schema: JsonObject, nullable: boolean): string {
  const note = kindNote(shape, schema)
  return nullable ? workbenchFormText.fieldNote.null(note) : note
}

function kindNote(shape: Shape, schema: JsonObject): string {
  switch (shape.type) {
    case 'string': {
      if (shape.base64) return joined('base64', shape.mediaType)
      return joined(shape.format ?? 'string', range(schema['minLength'], schema['maxLength']))
    }
    case 'number':
      return joined(shape.integer ? 'integer' : 'number', numberRange(schema), stepNote(schema))
    case 'boolean':
      return 'boolean'
    case 'const':
      return 'const'
    case 'enum':
      return `enum ${String(shape.options.length)}`
    case 'choices':
      return joined('array of enum', range(schema['minItems'], schema['maxItems']))
    case 'object':
      return shape.properties.length === 0 && shape.pairs.type === 'offered' ? 'map' : 'object'
    case 'array':
      return joined(
        'array',
        range(schema['minItems'], schema['maxItems']),
        schema['uniqueItems'] === true ? 'unique' : undefined,
      )
    case 'tuple':
      return `tuple of ${String(shape.items.length)}`
    case 'variants':
      return `${shape.keyword} of ${String(shape.variants.length)}`
    case 'json':
      return 'JSON'
  }
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' ')
}

function range(low: unknown, high: unknown): string | undefined {
  const from = typeof low === 'number' ? signed(low) : undefined
  const to = typeof high === 'number' ? signed(high) : undefined
  if (from === undefined && to === undefined) return undefined
  if (from === to) return from
  if (to === undefined) return `≥ ${from ?? ''}`
  return from === undefined ? `≤ ${to}` : `${from}…${to}`
}

function numberRange(schema: JsonObject): string | undefined {
  const above = schema['exclusiveMinimum']
  const below = schema['exclusiveMaximum']
  if (typeof above !== 'number' && typeof below !== 'number')
    return range(schema['minimum'], schema['maximum'])
  const low = typeof above === 'number' ? `> ${signed(above)}` : range(schema['minimum'], undefined)
  const high = typeof below === 'number' ? `< ${signed(below)}` : range(undefined, schema['maximum'])
  return joined(low, high)
}

function stepNote(schema: JsonObject): string | undefined {
  const step = schema['multipleOf']
  return typeof step === 'number' && step !== 1 ? `step ${String(step)}` : undefined
}

/** With a true minus sign. */
function signed(value: number): string {
  return String(value).replace('-', '−')
}
