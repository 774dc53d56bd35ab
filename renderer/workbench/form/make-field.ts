import type { JsonObject } from '../../../server-core/protocol/json.ts'
import { fieldNote } from './field-note.ts'
import type { FieldSpec, Shape } from './field-spec.ts'

/** A field of this shape, with what its schema says about it in words. */
export function field(schema: JsonObject, shape: Shape, nullable: boolean): FieldSpec {
  const { title, description, examples } = schema
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(schema['default'] === undefined ? {} : { default: { value: schema['default'] } }),
    ...(Array.isArray(examples) ? { examples: examples as readonly unknown[] } : {}),
    nullable,
    shape,
    note: fieldNote(shape, schema, nullable),
    deprecated: schema['deprecated'] === true,
  }
}

/** A field that is edited as JSON, with the reason. */
export function jsonField(schema: JsonObject, reason: string): FieldSpec {
  return field(schema, { type: 'json', reason }, false)
}
