import { isJsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'

/**
 * The structured result as the revision carries it, or undefined if it carries none: where it must be an object, any
 * other value, and every value of a tool whose output schema is wrapped, is the member `result` of one.
 */
export function structuredFor(row: RevisionRow, schema: JsonSchema | undefined, value: unknown): unknown {
  switch (row.structuredContent) {
    case 'none':
      return undefined
    case 'any':
      return value
    case 'object':
      return isWrapped(schema, value) ? { result: value } : value
  }
}

/** The output schema as the revision carries it, wrapped like its values; undefined if it carries none. */
export function outputSchemaFor(row: RevisionRow, schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined || row.structuredContent === 'none') return undefined
  if (row.structuredContent === 'any' || !isWrapped(schema, undefined)) return schema
  const { $schema: dialect, ...rest } = schema
  return {
    ...(dialect === undefined ? {} : { $schema: dialect }),
    type: 'object',
    properties: { result: movePointers(rest) },
    required: ['result'],
  }
}

function isWrapped(schema: JsonSchema | undefined, value: unknown): boolean {
  return schema === undefined ? !isJsonObject(value) : schema['type'] !== 'object'
}

/** References into the document follow the schema to its new place; a subschema with its own `$id` has its own. */
function movePointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(movePointers)
  if (!isJsonObject(value)) return value
  const moved: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const points = key === '$ref' && typeof member === 'string' && /^#(\/|$)/.test(member)
    moved[key] = points
      ? `#/properties/result${member.slice(1)}`
      : isJsonObject(member) && typeof member['$id'] === 'string'
        ? member
        : movePointers(member)
  }
  return moved
}
