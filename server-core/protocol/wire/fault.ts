import { isJsonObject } from '../json.ts'
import type { Revision } from '../revisions.ts'
import { shapeOf } from './definitions.ts'
import { covers, inRevision, type Fields, type Shape, type Variant } from './shape.ts'
import type { Path } from './path.ts'

/** Where a value does not fit its definition, and how; the path starts at the value. */
export type WireFault = { readonly path: Path; readonly message: string }

/**
 * The first place where a value does not fit a definition of the specification's schema file ("Tool"), or undefined if
 * it fits or the revision has none of that name. It agrees with the schemas and loads nothing. Never throws.
 */
export function wireFault(revision: Revision, definition: string, value: unknown): WireFault | undefined {
  const shape = shapeOf(definition, revision)
  return shape === undefined ? undefined : faultOf(shape, value, [], revision)
}

/** The first place where a value does not fit a shape. */
export function shapeFault(revision: Revision, shape: Shape, value: unknown): WireFault | undefined {
  return faultOf(shape, value, [], revision)
}

/** A path as text: `inputSchema.required[2]`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\w$-]+$/.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** The kind of a value in words. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a value of type ${typeof value}`
}

function faultOf(shape: Shape, value: unknown, path: Path, revision: Revision): WireFault | undefined {
  const expected = (what: string): WireFault => ({ path, message: `expected ${what}, got ${kindOf(value)}` })
  switch (shape.type) {
    case 'any':
      return undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : expected('true or false')
    case 'null':
      return value === null ? undefined : expected('null')
    case 'string':
      return typeof value === 'string' ? undefined : expected('a string')
    case 'number':
    case 'integer':
      return numberFault(shape, value, path)
    case 'choice': {
      if (shape.values.some((choice) => choice === value)) return undefined
      const choices = shape.values.map((choice) => JSON.stringify(choice)).join(' or ')
      const got = typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
      return { path, message: `expected ${choices}, got ${got}` }
    }
    case 'list': {
      if (!Array.isArray(value)) return expected('an array')
      const most = shape.max !== undefined && covers(shape.max, revision) ? shape.max.items : Infinity
      if (value.length > most) return { path, message: `expected at most ${most} items, got ${value.length}` }
      return firstOf(value.entries(), ([index, item]) => faultOf(shape.of, item, [...path, index], revision))
    }
    case 'map':
      if (!isJsonObject(value)) return expected('an object')
      return firstOf(Object.entries(value), ([key, item]) =>
        faultOf(shape.of, item, [...path, key], revision),
      )
    case 'object':
      if (!isJsonObject(value)) return expected('an object')
      return fieldFault(shape.fields, value, path, revision)
    case 'union':
      return unionFault(shape, value, path, revision)
    case 'named': {
      const definition = shapeOf(shape.name, revision)
      return definition === undefined ? undefined : faultOf(definition, value, path, revision)
    }
  }
}

function numberFault(
  { type, ...bounds }: Shape & { readonly type: 'number' | 'integer' },
  value: unknown,
  path: Path,
): WireFault | undefined {
  const what = type === 'integer' ? 'an integer' : 'a number'
  const fits = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (typeof value !== 'number' || !fits) {
    const got = typeof value === 'number' ? String(value) : kindOf(value)
    return { path, message: `expected ${what}, got ${got}` }
  }
  const { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined } = bounds
  if (min !== undefined && value < min) return { path, message: `expected at least ${min}, got ${value}` }
  return max !== undefined && value > max
    ? { path, message: `expected at most ${max}, got ${value}` }
    : undefined
}

function fieldFault(
  fields: Fields,
  value: { readonly [key: string]: unknown },
  path: Path,
  revision: Revision,
): WireFault | undefined {
  return firstOf(Object.entries(fields), ([name, entries]) => {
    const field = inRevision(entries, revision)
    if (field === undefined) return undefined
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined && !field.required) return undefined
    if (member === undefined && field.shape.type === 'any')
      return { path: [...path, name], message: 'expected a value, got nothing' }
    return faultOf(field.shape, member, [...path, name], revision)
  })
}

/** Of the members of a union the one that fits furthest, or whose tag it has, is reported. */
function unionFault(
  { of, by }: { readonly of: readonly Variant[]; readonly by?: string },
  value: unknown,
  path: Path,
  revision: Revision,
): WireFault | undefined {
  let best: WireFault | undefined
  let bestScore = -1
  for (const variant of of) {
    if (!covers(variant, revision)) continue
    const fault = faultOf(variant.shape, value, path, revision)
    if (fault === undefined) return undefined
    const isOtherTag = by !== undefined && fault.path.at(-1) === by && fault.path.length === path.length + 1
    const score = isOtherTag ? 0 : fault.path.length
    if (score <= bestScore) continue
    best = fault
    bestScore = score
  }
  if (best === undefined || best.path.length > path.length) return best
  return { path, message: `expected one of the kinds that the revision knows, got ${kindOf(value)}` }
}

function firstOf<Item>(
  items: Iterable<Item>,
  find: (item: Item) => WireFault | undefined,
): WireFault | undefined {
  for (const item of items) {
    const fault = find(item)
    if (fault !== undefined) return fault
  }
  return undefined
}
