import { indexJson } from '../../json/json-index.ts'
import { itemSpec } from './draft-edits.ts'
import { numberOf, sentPairs } from './draft-value.ts'
import type { Draft } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'
import { pointerStep } from '../../../server-core/protocol/json-pointer.ts'

/** A field that holds text which is not a value yet. */
export type Unfinished = {
  /** The JSON pointer of its value. */
  readonly pointer: string
  /** The place as a person reads it: `a`, or `point.x` and `tags.0` further down. */
  readonly name: string
}

/** Something is typed that is not a number (yet). */
export function isUnfinishedNumber({ presence, body }: Draft): boolean {
  if (presence !== 'set' || body.type !== 'number') return false
  const text = body.text.trim()
  return text !== '' && numberOf(text) === undefined
}

/**
 * The first field whose text is not a value, in the order of the form. What is left out, and variants that are not
 * chosen, are not looked at: nothing of them is sent.
 */
export function firstUnfinished(spec: FieldSpec, draft: Draft): Unfinished | undefined {
  return unfinishedIn(spec, draft, '', [])
}

function unfinishedIn(
  spec: FieldSpec,
  draft: Draft,
  pointer: string,
  names: readonly string[],
): Unfinished | undefined {
  if (draft.presence !== 'set') return undefined
  const json = draft.misfit ?? (draft.body.type === 'json' ? draft.body : undefined)
  if (json !== undefined) {
    return json.text.trim() !== '' && !indexJson(json.text).ok ? found(pointer, names) : undefined
  }
  if (isUnfinishedNumber(draft)) return found(pointer, names)
  const { body } = draft
  const { shape } = spec
  const within = (child: FieldSpec, childDraft: Draft, name: string): Unfinished | undefined =>
    unfinishedIn(child, childDraft, `${pointer}/${pointerStep(name)}`, [...names, name])

  if (body.type === 'object' && shape.type === 'object') {
    for (const { name, spec: member } of shape.properties) {
      const memberDraft = body.members.get(name)
      const inner = memberDraft === undefined ? undefined : within(member(), memberDraft, name)
      if (inner !== undefined) return inner
    }
    for (const { key = '', draft: value } of sentPairs(spec, body.pairs)) {
      const inner = within(shape.pairs.spec(), value, key)
      if (inner !== undefined) return inner
    }
  }
  if (body.type === 'list') {
    for (const [place, item] of body.items.entries()) {
      const inner = within(itemSpec(spec, place), item.draft, String(place))
      if (inner !== undefined) return inner
    }
  }
  if (body.type === 'variant' && shape.type === 'variants') {
    const variant = shape.variants[body.chosen]
    const chosen = body.drafts.get(body.chosen)
    if (variant !== undefined && chosen !== undefined) {
      return unfinishedIn(variant.spec(), chosen, pointer, names)
    }
  }
  return undefined
}

function found(pointer: string, names: readonly string[]): Unfinished {
  return { pointer, name: names.length === 0 ? 'the value' : names.join('.') }
}
