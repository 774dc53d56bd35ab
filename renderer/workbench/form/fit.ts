import { ExactNumber } from '../../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { sameExact } from './draft-value.ts'
import type { FieldSpec } from './field-spec.ts'

/** How deep two variants are compared; what differs only further down is told apart by nobody. */
const MAX_DEPTH = 4

/**
 * How well a value fits a field, to choose among variants: undefined if it does not, else the higher the better.
 * Limits of length and size do not count: a value that is only too long still belongs to its variant.
 */
export function fit(spec: FieldSpec, value: unknown, depth = 0): number | undefined {
  if (value === null && spec.nullable) return 1
  const shape = spec.shape
  switch (shape.type) {
    case 'string':
      return typeof value === 'string' ? 1 : undefined
    case 'number':
      if (value instanceof ExactNumber) return shape.integer && !Number.isInteger(value.toNumber()) ? 0 : 1
      if (typeof value !== 'number') return undefined
      return shape.integer && !Number.isInteger(value) ? 0 : 1
    case 'boolean':
      return typeof value === 'boolean' ? 1 : undefined
    case 'const':
      return sameExact(value, shape.value) ? 3 : undefined
    case 'enum':
      return shape.options.some((option) => sameExact(option.value, value)) ? 2 : undefined
    case 'choices':
      return Array.isArray(value) ? 1 : undefined
    case 'array':
    case 'tuple':
      return Array.isArray(value) ? fitList(spec, value, depth) : undefined
    case 'object':
      return fitObject(spec, value, depth)
    case 'variants':
      return best(
        shape.variants.map((variant) => (depth > MAX_DEPTH ? 0 : fit(variant.spec(), value, depth + 1))),
      )
    case 'json':
      return 0
  }
}

function best(scores: readonly (number | undefined)[]): number | undefined {
  const fitting = scores.filter((score) => score !== undefined)
  return fitting.length === 0 ? undefined : Math.max(...fitting)
}

function fitList(spec: FieldSpec, value: readonly unknown[], depth: number): number | undefined {
  const first = value[0]
  const shape = spec.shape
  if (first === undefined || depth > MAX_DEPTH) return 1
  const item = shape.type === 'array' ? shape.item : shape.type === 'tuple' ? shape.items[0] : undefined
  if (item === undefined) return 1
  const score = fit(item(), first, depth + 1)
  return score === undefined ? undefined : score + 1
}

function fitObject(spec: FieldSpec, value: unknown, depth: number): number | undefined {
  if (spec.shape.type !== 'object' || !isJsonObject(value) || value instanceof ExactNumber) return undefined
  let score = 1
  const known = new Set<string>()
  for (const property of spec.shape.properties) {
    known.add(property.name)
    if (!Object.hasOwn(value, property.name)) {
      if (property.required) score -= 2
      continue
    }
    const member = depth > MAX_DEPTH ? 0 : fit(property.spec(), value[property.name], depth + 1)
    if (member === undefined && property.spec().shape.type === 'const') return undefined
    score += member === undefined ? -1 : 1 + member
  }
  const invited = spec.shape.pairs.type === 'offered'
  for (const name of Object.keys(value)) if (!known.has(name)) score -= invited ? 0 : 1
  return score
}
