import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { SchemaNode } from './schema-source.ts'

/** Keywords that say something about a field without limiting its value: the outer one is shown. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
  'format',
])
const LARGEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const SMALLEST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])

/**
 * One schema that means both of two, as far as a form can tell (`allOf`, and the siblings of `$ref`, `oneOf` and
 * `anyOf`). Undefined if they do not combine keyword by keyword; the form then falls back to JSON.
 */
export function mergeSchemas(outer: SchemaNode, inner: SchemaNode): SchemaNode | undefined {
  if (outer === true) return inner
  if (inner === true) return outer
  if (outer === false || inner === false) return false
  const merged = new Map<string, unknown>(Object.entries(outer))
  for (const [keyword, theirs] of Object.entries(inner)) {
    const ours = merged.get(keyword)
    if (ours === undefined) {
      merged.set(keyword, theirs)
      continue
    }
    const both = mergeKeyword(keyword, ours, theirs)
    if (both === undefined) return undefined
    merged.set(keyword, both)
  }
  return Object.fromEntries(merged)
}

function mergeKeyword(keyword: string, ours: unknown, theirs: unknown): unknown {
  if (ANNOTATIONS.has(keyword) || sameJson(ours, theirs)) return ours
  if (typeof ours === 'number' && typeof theirs === 'number') {
    if (LARGEST.has(keyword)) return Math.max(ours, theirs)
    if (SMALLEST.has(keyword)) return Math.min(ours, theirs)
    return undefined
  }
  if (keyword === 'required') return mergeRequired(ours, theirs)
  if (keyword === 'type') return mergeTypes(ours, theirs)
  if (keyword === 'properties') return mergeProperties(ours, theirs)
  if (keyword === 'allOf' && Array.isArray(ours) && Array.isArray(theirs)) {
    return [...(ours as unknown[]), ...(theirs as unknown[])]
  }
  if (keyword === 'enum' && Array.isArray(ours) && Array.isArray(theirs)) {
    return ours.filter((option) => theirs.some((other) => sameJson(option, other)))
  }
  if (keyword === 'uniqueItems') return ours === true || theirs === true
  return undefined
}

function mergeRequired(ours: unknown, theirs: unknown): unknown {
  if (!Array.isArray(ours) || !Array.isArray(theirs)) return undefined
  return [...new Set([...(ours as unknown[]), ...(theirs as unknown[])])]
}

function mergeTypes(ours: unknown, theirs: unknown): unknown {
  const left = typeNames(ours)
  const right = typeNames(theirs)
  const both = left.filter((name) => right.includes(name) || (name === 'integer' && right.includes('number')))
  if (left.includes('number') && right.includes('integer')) both.push('integer')
  if (both.length === 0) return undefined
  return both.length === 1 ? both[0] : both
}

function mergeProperties(ours: unknown, theirs: unknown): JsonObject | undefined {
  if (!isJsonObject(ours) || !isJsonObject(theirs)) return undefined
  const merged = new Map<string, unknown>(Object.entries(ours))
  for (const [name, schema] of Object.entries(theirs)) {
    const existing = merged.get(name)
    if (existing === undefined) {
      merged.set(name, schema)
      continue
    }
    const both = isNode(existing) && isNode(schema) ? mergeSchemas(existing, schema) : undefined
    merged.set(name, both ?? { allOf: [existing, schema] })
  }
  return Object.fromEntries(merged)
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** The names in a `type` keyword, as a list. */
export function typeNames(type: unknown): string[] {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string') : []
}

/** Returns whether two JSON values mean the same; the order of members does not count. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  )
}
