import { ExactNumber, stringifyExact } from '../../../server-core/protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { emit, numberText, sameExact } from './draft-value.ts'
import { nextId, type Body, type Draft, type ItemDraft, type JsonBody, type PairDraft } from './draft.ts'
import { emptyBody } from './empty-body.ts'
import type { FieldSpec } from './field-spec.ts'
import { fit } from './fit.ts'

/**
 * The draft that shows a JSON value in a field. `before` is what the field showed until now: where it already
 * has this value it stays untouched, and what it holds beside the value (other variants, a half-typed number,
 * fields left out) is carried over. A value that the field cannot show is kept as JSON. So for every schema and
 * value, `emit(spec, draftOfValue(spec, value))` is that value.
 */
export function draftOfValue(spec: FieldSpec, value: unknown, before?: Draft): Draft {
  return draftInVariants(spec, value, before, 0)
}

/** Variants that are variants themselves, for one and the same value; deeper than this is a circle. */
const MAX_VARIANTS = 8

function draftInVariants(
  spec: FieldSpec,
  value: unknown,
  before: Draft | undefined,
  variants: number,
): Draft {
  if (before !== undefined && before.presence !== 'left-out') {
    const emitted = emit(spec, before)
    if (emitted !== undefined && sameExact(emitted.value, value)) return before
  }
  if (value === null && spec.nullable) {
    return { presence: 'null', body: before?.body ?? emptyBody(spec) }
  }
  const body = bodyOf(spec, value, before?.body, variants)
  if (body !== undefined) return { presence: 'set', body }
  return { presence: 'set', body: before?.body ?? emptyBody(spec), misfit: jsonBody(value) }
}

/** The draft of a field that the JSON does not have. */
export function draftOfAbsence(spec: FieldSpec, before: Draft | undefined): Draft {
  if (before === undefined) return { presence: 'left-out', body: emptyBody(spec) }
  return emit(spec, before) === undefined ? before : { ...before, presence: 'left-out' }
}

/** A value as JSON text that is edited as such. */
export function jsonBody(value: unknown): JsonBody {
  return { type: 'json', text: stringifyExact(value, 2), kept: { value } }
}

function bodyOf(
  spec: FieldSpec,
  value: unknown,
  before: Body | undefined,
  variants: number,
): Body | undefined {
  const shape = spec.shape
  switch (shape.type) {
    case 'string':
      // A text area would turn a carriage return into a line feed.
      return typeof value === 'string' && !value.includes('\r') ? { type: 'text', text: value } : undefined
    case 'number':
      if (typeof value !== 'number' && !(value instanceof ExactNumber)) return undefined
      return { type: 'number', text: numberText(value), kept: numberText(value) }
    case 'boolean':
      return typeof value === 'boolean' ? { type: 'boolean', value } : undefined
    case 'const':
      return sameExact(value, shape.value) ? { type: 'fixed' } : undefined
    case 'enum': {
      const index = shape.options.findIndex((option) => sameExact(option.value, value))
      return index < 0 ? undefined : { type: 'option', index }
    }
    case 'choices':
      return choicesBody(shape.options, value)
    case 'object':
      if (!isJsonObject(value) || value instanceof ExactNumber) return undefined
      return objectBody(spec, value, before)
    case 'array':
    case 'tuple':
      return Array.isArray(value) ? listBody(spec, value, before) : undefined
    case 'variants':
      return variants < MAX_VARIANTS ? variantBody(spec, value, before, variants + 1) : undefined
    case 'json':
      return jsonBody(value)
  }
}

function choicesBody(options: readonly { readonly value: unknown }[], value: unknown): Body | undefined {
  if (!Array.isArray(value)) return undefined
  const chosen = value.map((item) => options.findIndex((option) => sameExact(option.value, item)))
  const repeats = new Set(chosen).size < chosen.length
  return repeats || chosen.includes(-1) ? undefined : { type: 'choices', chosen }
}

function objectBody(spec: FieldSpec, value: JsonObject, before: Body | undefined): Body | undefined {
  if (spec.shape.type !== 'object') return undefined
  const earlier = before?.type === 'object' ? before : undefined
  const members = new Map<string, Draft>()
  for (const { name, spec: lazy } of spec.shape.properties) {
    const was = earlier?.members.get(name)
    const draft = Object.hasOwn(value, name)
      ? draftOfValue(lazy(), value[name], was)
      : draftOfAbsence(lazy(), was)
    members.set(name, draft)
  }
  const names = new Set(spec.shape.properties.map(({ name }) => name))
  const others = Object.keys(value).filter((name) => !names.has(name))
  return {
    type: 'object',
    members,
    pairs: alignPairs(spec.shape.pairs.spec(), value, others, earlier?.pairs ?? []),
  }
}

/** Keeps each pair in its place; those that gave nothing before stay, those that are no longer in the JSON go. */
function alignPairs(
  spec: FieldSpec,
  value: JsonObject,
  names: readonly string[],
  earlier: readonly PairDraft[],
): PairDraft[] {
  const waiting = new Set(names)
  const pairs = earlier.flatMap((pair): PairDraft[] => {
    if (pair.key !== undefined && waiting.delete(pair.key)) {
      return [{ ...pair, draft: draftOfValue(spec, value[pair.key], pair.draft) }]
    }
    return isUnsent(spec, pair) ? [pair] : []
  })
  for (const key of waiting) pairs.push({ id: nextId(), key, draft: draftOfValue(spec, value[key]) })
  return pairs
}

function isUnsent(spec: FieldSpec, pair: PairDraft): boolean {
  return pair.key === undefined || emit(spec, pair.draft) === undefined
}

function listBody(spec: FieldSpec, value: readonly unknown[], before: Body | undefined): Body | undefined {
  const earlier = before?.type === 'list' ? before.items : []
  const shape = spec.shape
  if (shape.type === 'tuple') {
    const length = Math.max(value.length, shape.items.length)
    const items = Array.from({ length }, (_, place): ItemDraft => {
      const item = (shape.items[place] ?? shape.rest)()
      const was = earlier[place]
      const draft =
        place < value.length ? draftOfPlace(item, value, place, was?.draft) : draftOfAbsence(item, was?.draft)
      return { id: was?.id ?? nextId(), draft }
    })
    return { type: 'list', items }
  }
  if (shape.type !== 'array') return undefined
  const itemSpec = shape.item()
  const items: ItemDraft[] = []
  let place = 0
  for (const was of earlier) {
    // An item that gave nothing has no place in the JSON; it keeps its place in the form.
    if (emit(itemSpec, was.draft) === undefined) items.push(was)
    else if (place < value.length) {
      items.push({ id: was.id, draft: draftOfValue(itemSpec, value[place], was.draft) })
      place += 1
    }
  }
  for (; place < value.length; place += 1) {
    items.push({ id: nextId(), draft: draftOfValue(itemSpec, value[place]) })
  }
  return { type: 'list', items }
}

/** A gap of a tuple is sent as null where values follow, and read back as the gap it was. */
function draftOfPlace(
  spec: FieldSpec,
  value: readonly unknown[],
  place: number,
  was: Draft | undefined,
): Draft {
  const isGap = value[place] === null && value.slice(place + 1).some((later) => later !== null)
  if (isGap && was !== undefined && emit(spec, was) === undefined) return was
  return draftOfValue(spec, value[place], was)
}

function variantBody(
  spec: FieldSpec,
  value: unknown,
  before: Body | undefined,
  variants: number,
): Body | undefined {
  if (spec.shape.type !== 'variants') return undefined
  const earlier = before?.type === 'variant' ? before : undefined
  let chosen: number | undefined
  let bestScore = -Infinity
  spec.shape.variants.forEach((variant, index) => {
    const score = fit(variant.spec(), value)
    if (score === undefined) return
    // Among equals the one that is chosen stays, so that typing does not make the form jump.
    const weighed = index === earlier?.chosen ? score + 0.5 : score
    if (weighed > bestScore) {
      bestScore = weighed
      chosen = index
    }
  })
  const variant = chosen === undefined ? undefined : spec.shape.variants[chosen]
  if (chosen === undefined || variant === undefined) return undefined
  const drafts = new Map(earlier?.drafts)
  drafts.set(chosen, draftInVariants(variant.spec(), value, drafts.get(chosen), variants))
  return { type: 'variant', chosen, drafts }
}
