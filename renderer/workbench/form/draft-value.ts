import { ExactNumber } from '../../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { Body, Draft, PairDraft } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'

/** What a field puts into the JSON: a value, or nothing. */
export type Emitted = { readonly value: unknown } | undefined

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number as it was typed, exact to the digit; undefined if the text is not a JSON number (yet). */
export function numberOf(text: string): number | ExactNumber | undefined {
  if (!NUMBER.test(text)) return undefined
  const double = Number(text)
  return JSON.stringify(double) === text ? double : new ExactNumber(text)
}

/** The text of a JSON number as it was or will be on the wire. */
export function numberText(value: number | ExactNumber): string {
  return value instanceof ExactNumber ? value.source : JSON.stringify(value)
}

/** Drafts do not change, so what each gives is worked out once. A draft belongs to one field. */
const known = new WeakMap<Draft, { readonly spec: FieldSpec; readonly emitted: Emitted }>()

/** The JSON value of a draft, or undefined where it gives none: left out, or nothing valid was typed yet. */
export function emit(spec: FieldSpec, draft: Draft): Emitted {
  const earlier = known.get(draft)
  if (earlier?.spec === spec) return earlier.emitted
  const emitted = emitDraft(spec, draft)
  known.set(draft, { spec, emitted })
  return emitted
}

function emitDraft(spec: FieldSpec, draft: Draft): Emitted {
  if (draft.presence === 'left-out') return undefined
  if (draft.misfit !== undefined) return draft.misfit.kept
  if (draft.presence === 'null') return { value: null }
  return emitBody(spec, draft.body)
}

function emitBody(spec: FieldSpec, body: Body): Emitted {
  const shape = spec.shape
  switch (body.type) {
    case 'text':
      return { value: body.text }
    case 'number': {
      const value = numberOf(body.text.trim()) ?? (body.kept === undefined ? undefined : numberOf(body.kept))
      return value === undefined ? undefined : { value }
    }
    case 'boolean':
      return { value: body.value }
    case 'option': {
      const option = shape.type === 'enum' && body.index !== undefined ? shape.options[body.index] : undefined
      return option === undefined ? undefined : { value: option.value }
    }
    case 'fixed':
      return shape.type === 'const' ? { value: shape.value } : undefined
    case 'choices':
      if (shape.type !== 'choices') return undefined
      return { value: body.chosen.map((index) => shape.options[index]?.value ?? null) }
    case 'object':
      return { value: objectValue(spec, body) }
    case 'list':
      return { value: listValue(spec, body) }
    case 'variant': {
      const variant = shape.type === 'variants' ? shape.variants[body.chosen] : undefined
      const draft = body.drafts.get(body.chosen)
      return variant === undefined || draft === undefined ? undefined : emit(variant.spec(), draft)
    }
    case 'json':
      return body.kept
  }
}

function objectValue(spec: FieldSpec, body: Body & { type: 'object' }): unknown {
  if (spec.shape.type !== 'object') return {}
  const entries: [string, unknown][] = []
  for (const property of spec.shape.properties) {
    const draft = body.members.get(property.name)
    const emitted = draft === undefined ? undefined : emit(property.spec(), draft)
    if (emitted !== undefined) entries.push([property.name, emitted.value])
  }
  for (const { key, draft } of sentPairs(spec, body.pairs)) {
    const emitted = emit(spec.shape.pairs.spec(), draft)
    if (emitted !== undefined && key !== undefined) entries.push([key, emitted.value])
  }
  return Object.fromEntries(entries)
}

/** The pairs that are sent: those with a key that no property and no earlier pair has. */
export function sentPairs(spec: FieldSpec, pairs: readonly PairDraft[]): PairDraft[] {
  const taken = new Set<string>()
  if (spec.shape.type === 'object') for (const { name } of spec.shape.properties) taken.add(name)
  return pairs.filter(({ key }) => {
    if (key === undefined || taken.has(key)) return false
    taken.add(key)
    return true
  })
}

function listValue(spec: FieldSpec, body: Body & { type: 'list' }): unknown[] {
  const shape = spec.shape
  if (shape.type === 'array') {
    return body.items.flatMap(({ draft }) => {
      const emitted = emit(shape.item(), draft)
      return emitted === undefined ? [] : [emitted.value]
    })
  }
  if (shape.type !== 'tuple') return []
  // Places count in a tuple: a gap before a value is sent as null, gaps at the end are not sent.
  const emitted = body.items.map(({ draft }, place) => emit((shape.items[place] ?? shape.rest)(), draft))
  const last = emitted.findLastIndex((item) => item !== undefined)
  return emitted.slice(0, last + 1).map((item) => (item === undefined ? null : item.value))
}

/** Returns whether two values are the same JSON, number texts included. */
export function sameExact(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (left instanceof ExactNumber || right instanceof ExactNumber) {
    return left instanceof ExactNumber && right instanceof ExactNumber && left.source === right.source
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameExact(item, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameExact(left[name], right[name]))
  )
}
