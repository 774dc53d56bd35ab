import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { isSchemaNode, type SchemaNode, type SchemaSource } from './schema-source.ts'
import { workbenchFormText } from './text.ts'

export type Expanded =
  | { readonly ok: true; readonly node: JsonObject; readonly ref?: string }
  | { readonly ok: false; readonly reason: string }

const ANYTHING: Expanded = { ok: false, reason: 'any JSON value' }

/** References in a row and `allOf` inside `allOf`; more than this is a circle. */
const MAX_STEPS = 64

/**
 * One schema object without `$ref` and `allOf`: what they mean is merged into their siblings. Gives the reason
 * where that cannot be done, so that the form can say why it asks for JSON.
 */
export function expandSchema(source: SchemaSource, start: SchemaNode): Expanded {
  let node: SchemaNode = start
  let ref: string | undefined
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (node === true) return ANYTHING
    if (node === false) return { ok: false, reason: 'the schema allows no value here' }
    const reference: unknown = node['$ref'] ?? node['$dynamicRef']
    if (typeof reference === 'string') {
      const resolved = source.resolve(reference)
      if (!resolved.ok) return resolved
      ref ??= reference
      const { $ref: _ref, $dynamicRef: _dynamicRef, ...siblings } = node
      const bare = Object.keys(siblings).length === 0
      const merged: SchemaNode | undefined = bare ? resolved.node : mergeSchemas(siblings, resolved.node)
      if (merged === undefined)
        return { ok: false, reason: workbenchFormText.expandSchema.incompatibleReference(reference) }
      node = merged
      continue
    }
    const parts: unknown = node['allOf']
    if (Array.isArray(parts)) {
      const { allOf: _allOf, ...siblings } = node
      const merged: SchemaNode | undefined = mergeAll(siblings, parts)
      if (merged === undefined) return { ok: false, reason: 'uses allOf whose parts do not combine' }
      node = merged
      continue
    }
    return { ok: true, node, ...(ref === undefined ? {} : { ref }) }
  }
  return { ok: false, reason: 'its references lead in a circle' }
}

function mergeAll(siblings: JsonObject, parts: readonly unknown[]): SchemaNode | undefined {
  let merged: SchemaNode | undefined = siblings
  for (const part of parts) {
    if (merged === undefined || !isSchemaNode(part)) return undefined
    // A part that is itself a reference is merged after it was looked up.
    merged =
      isJsonObject(part) && part['$ref'] !== undefined
        ? withReference(merged, part)
        : mergeSchemas(merged, part)
  }
  return merged
}

function withReference(merged: SchemaNode, part: JsonObject): SchemaNode | undefined {
  if (!isJsonObject(merged)) return mergeSchemas(merged, part)
  if (merged['$ref'] === undefined) return mergeSchemas(merged, part)
  const waiting: unknown = merged['allOf']
  return { ...merged, allOf: [...(Array.isArray(waiting) ? (waiting as unknown[]) : []), part] }
}
