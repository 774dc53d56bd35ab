import { parseExact, stringifyExact } from '../../../server-core/protocol/exact-json.ts'
import { numberOf } from './draft-value.ts'
import { nextId, type Body, type Draft, type ItemDraft, type JsonBody } from './draft.ts'
import { isScalar, type FieldSpec } from './field-spec.ts'
import { newDraft } from './new-draft.ts'

/** A change of one field. It gets the field's specification and draft, and gives the new draft. */
export type Change = (draft: Draft, spec: FieldSpec) => Draft

/**
 * The way from the root to a field: `m` a member, `p` a pair, `i` an item, `v` a variant, each with its name or
 * id. One string, so that a row of the form can be compared cheaply.
 */
export type Path = string

const SEPARATOR = '\u0000'

/** The path one step further down. `name` is the member's name, the id of a pair or item, or a variant's index. */
export function stepTo(path: Path, kind: 'm' | 'p' | 'i' | 'v', name: string | number): Path {
  return `${path}${SEPARATOR}${kind}${String(name)}`
}

/** The root draft with one field changed; everything beside the way to it is shared with the old one. */
export function changeAt(spec: FieldSpec, draft: Draft, path: Path, change: Change): Draft {
  const steps = path.split(SEPARATOR).slice(1)
  return changeBelow(spec, draft, steps, change)
}

function changeBelow(spec: FieldSpec, draft: Draft, steps: readonly string[], change: Change): Draft {
  const [step, ...rest] = steps
  if (step === undefined) return change(draft, spec)
  const body = changeInBody(spec, draft.body, step.charAt(0), step.slice(1), (child, childSpec) =>
    changeBelow(childSpec, child, rest, change),
  )
  return body === draft.body ? draft : { ...draft, body }
}

function changeInBody(spec: FieldSpec, body: Body, kind: string, name: string, change: Change): Body {
  const shape = spec.shape
  if (kind === 'm' && body.type === 'object' && shape.type === 'object') {
    const property = shape.properties.find((candidate) => candidate.name === name)
    if (property === undefined) return body
    const child = body.members.get(name) ?? newDraft(property.spec(), property.required)
    return { ...body, members: new Map(body.members).set(name, change(child, property.spec())) }
  }
  if (kind === 'p' && body.type === 'object' && shape.type === 'object') {
    const pairSpec = shape.pairs.spec()
    const pairs = body.pairs.map((pair) =>
      pair.id === name ? { ...pair, draft: change(pair.draft, pairSpec) } : pair,
    )
    return { ...body, pairs }
  }
  if (kind === 'i' && body.type === 'list') {
    const items = body.items.map((item, place) =>
      item.id === name ? { ...item, draft: change(item.draft, itemSpec(spec, place)) } : item,
    )
    return { ...body, items }
  }
  if (kind === 'v' && body.type === 'variant' && shape.type === 'variants') {
    const index = Number(name)
    const variant = shape.variants[index]
    if (variant === undefined) return body
    const child = body.drafts.get(index) ?? newDraft(variant.spec(), true)
    return { ...body, drafts: new Map(body.drafts).set(index, change(child, variant.spec())) }
  }
  return body
}

/** The field of one item of an array or tuple. */
export function itemSpec(spec: FieldSpec, place: number): FieldSpec {
  if (spec.shape.type === 'array') return spec.shape.item()
  if (spec.shape.type === 'tuple') return (spec.shape.items[place] ?? spec.shape.rest)()
  return spec
}

/** Puts the field into the JSON, with whatever was typed into it before. */
export const include: Change = (draft, spec) => {
  const untouched =
    (draft.body.type === 'object' && draft.body.members.size === 0 && draft.body.pairs.length === 0) ||
    (draft.body.type === 'variant' && draft.body.drafts.size === 0) ||
    (draft.body.type === 'list' && draft.body.items.length === 0)
  if (!untouched) return { ...draft, presence: 'set' }
  return { ...newDraft(spec, true), presence: 'set' }
}

/** Puts the field into the JSON like `include`; an array of plain values that would be empty gets its first item. */
export const includeWithItem: Change = (draft, spec) => {
  const included = include(draft, spec)
  if (spec.shape.type !== 'array' || !isScalar(spec.shape.item())) return included
  if (included.body.type !== 'list' || included.body.items.length > 0) return included
  return addItem()(included, spec)
}

/** Removes the field from the JSON and keeps what was typed. */
export const leaveOut: Change = (draft) => ({ ...draft, presence: 'left-out' })

/** Makes the field `null`, or gives it back what was typed into it before. */
export function setNull(isNull: boolean): Change {
  return (draft) => ({ ...draft, presence: isNull ? 'null' : 'set' })
}

/** Shows the field again instead of the JSON that did not fit it. The JSON can be had back from the editor. */
export const dropMisfit: Change = ({ presence, body }) => ({ presence, body })

/** Text while it is typed. Emptying the text of an `optional` field takes the field out of the JSON. */
export function typeText(text: string, optional: boolean): Change {
  return () => ({ presence: text === '' && optional ? 'left-out' : 'set', body: { type: 'text', text } })
}

/** A file's content, as base64, in place of typed text; its name is only shown. */
export function takeFile(base64: string, fileName: string): Change {
  return () => ({ presence: 'set', body: { type: 'text', text: base64, fileName } })
}

/** A number while it is typed: whatever the text is it stays, and JSON keeps the last valid number. */
export function typeNumber(text: string, optional: boolean): Change {
  return (draft) => {
    const trimmed = text.trim()
    if (trimmed === '') return { presence: optional ? 'left-out' : 'set', body: { type: 'number', text } }
    if (numberOf(trimmed) !== undefined) {
      return { presence: 'set', body: { type: 'number', text, kept: trimmed } }
    }
    const kept = draft.body.type === 'number' && draft.presence === 'set' ? draft.body.kept : undefined
    return { presence: 'set', body: { type: 'number', text, ...(kept === undefined ? {} : { kept }) } }
  }
}

/** One step up or down, exact for integers of any size. */
export function stepNumber(by: 1 | -1): Change {
  return (draft) => {
    const text = draft.body.type === 'number' ? draft.body.text.trim() : ''
    const stepped = /^-?\d+$/.test(text) ? (BigInt(text) + BigInt(by)).toString() : steppedDouble(text, by)
    return { presence: 'set', body: { type: 'number', text: stepped, kept: stepped } }
  }
}

function steppedDouble(text: string, by: number): string {
  const value = numberOf(text)
  if (value === undefined) return String(by > 0 ? 1 : 0)
  return stringifyExact(Number((Number(text) + by).toPrecision(15)))
}

/** Picks one option of an enum, by its place in the schema. */
export function choose(index: number): Change {
  return () => ({ presence: 'set', body: { type: 'option', index } })
}

/** Makes the field `true` or `false`. */
export function setBoolean(value: boolean): Change {
  return () => ({ presence: 'set', body: { type: 'boolean', value } })
}

/** Ticks or unticks one choice; ticked ones are in the order of the schema unless the value had its own. */
export function tick(index: number, ticked: boolean): Change {
  return (draft) => {
    const chosen = draft.presence === 'set' && draft.body.type === 'choices' ? draft.body.chosen : []
    const others = chosen.filter((other) => other !== index)
    if (!ticked) return { presence: 'set', body: { type: 'choices', chosen: others } }
    const sorted = others.every((other, place) => place === 0 || (others[place - 1] ?? 0) < other)
    const next = [...others, index]
    return { presence: 'set', body: { type: 'choices', chosen: sorted ? next.sort((a, b) => a - b) : next } }
  }
}

/**
 * Shows another variant of `oneOf` or `anyOf`, by its place in the schema. What was typed into the variants is kept
 * for coming back. Changes nothing if there is no such variant.
 */
export function chooseVariant(index: number): Change {
  return (draft, spec) => {
    const variant = spec.shape.type === 'variants' ? spec.shape.variants[index] : undefined
    const drafts = draft.body.type === 'variant' ? draft.body.drafts : new Map<number, Draft>()
    if (variant === undefined) return draft
    const child = drafts.get(index) ?? newDraft(variant.spec(), true)
    const set = child.presence === 'set' ? child : { ...child, presence: startsTyped(child) }
    return {
      presence: 'set',
      body: { type: 'variant', chosen: index, drafts: new Map(drafts).set(index, set) },
    }
  }
}

function startsTyped(draft: Draft): 'set' | 'left-out' {
  return draft.body.type === 'text' && draft.body.text !== '' ? 'set' : 'left-out'
}

/** JSON text while it is typed into a field. */
export function typeJson(text: string, optional: boolean): Change {
  return (draft, spec) => {
    const before = draft.misfit ?? (draft.body.type === 'json' ? draft.body : undefined)
    const json = jsonWhileTyped(text, draft.presence === 'set' ? before : undefined)
    const presence = text.trim() === '' && optional ? 'left-out' : 'set'
    if (spec.shape.type === 'json') return { presence, body: json }
    return { ...draft, presence, misfit: json }
  }
}

function jsonWhileTyped(text: string, before: JsonBody | undefined): JsonBody {
  if (text.trim() === '') return { type: 'json', text }
  try {
    return { type: 'json', text, kept: { value: parseExact(text, 'text') } }
  } catch {
    return { type: 'json', text, ...(before?.kept === undefined ? {} : { kept: before.kept }) }
  }
}

/** Adds an item behind the one with the id `after`, at the end without one. The field is in the JSON from then on. */
export function addItem(after?: string): Change {
  return (draft, spec) => {
    const items = draft.body.type === 'list' && draft.presence === 'set' ? draft.body.items : []
    const found = items.findIndex((item) => item.id === after)
    const place = found < 0 ? items.length : found + 1
    const item = { id: nextId(), draft: firstItem(itemSpec(spec, place)) }
    return { presence: 'set', body: { type: 'list', items: items.toSpliced(place, 0, item) } }
  }
}

/** An added item is meant to be there: a text starts empty and not left out. */
function firstItem(spec: FieldSpec): Draft {
  const draft = newDraft(spec, true)
  return spec.shape.type === 'string' ? { ...draft, presence: 'set' } : draft
}

/** Removes the item with this id from its list; an emptied list stays as `[]`. */
export function removeItem(id: string): Change {
  return changeItems((items) => items.filter((item) => item.id !== id))
}

/** Moves an item one place back or on; at the end of the list it stays where it is. */
export function moveItem(id: string, by: 1 | -1): Change {
  return changeItems((items) => {
    const from = items.findIndex((item) => item.id === id)
    const item = items[from]
    const to = from + by
    if (item === undefined || to < 0 || to >= items.length) return items
    return items.toSpliced(from, 1).toSpliced(to, 0, item)
  })
}

function changeItems(change: (items: readonly ItemDraft[]) => readonly ItemDraft[]): Change {
  return (draft) =>
    draft.body.type === 'list' ? { ...draft, body: { type: 'list', items: change(draft.body.items) } } : draft
}

/** Adds a member that the schema does not name, its key yet to be typed. Without a key it is not in the JSON. */
export const addPair: Change = (draft, spec) => {
  if (spec.shape.type !== 'object') return draft
  const { members, pairs } =
    draft.body.type === 'object' ? draft.body : { members: new Map<string, Draft>(), pairs: [] }
  const pair = { id: nextId(), key: undefined, draft: firstItem(spec.shape.pairs.spec()) }
  return { presence: 'set', body: { type: 'object', members, pairs: [...pairs, pair] } }
}

/** The key of such a member while it is typed; an empty text is not a key. */
export function typeKey(id: string, key: string): Change {
  return (draft) => {
    if (draft.body.type !== 'object') return draft
    const typed = key === '' ? undefined : key
    const pairs = draft.body.pairs.map((pair) => (pair.id === id ? { ...pair, key: typed } : pair))
    return { ...draft, body: { ...draft.body, pairs } }
  }
}

/** Removes a member that the schema does not name, with its value. */
export function removePair(id: string): Change {
  return (draft) => {
    if (draft.body.type !== 'object') return draft
    return { ...draft, body: { ...draft.body, pairs: draft.body.pairs.filter((pair) => pair.id !== id) } }
  }
}
