import { parseExact } from '../../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { indexJson, problemAt, type JsonProblem } from '../../json/json-index.ts'
import { printJson } from '../../json/print-json.ts'
import { changeAt, type Change, type Path } from './draft-edits.ts'
import { draftOfValue } from './draft-of-value.ts'
import { emit } from './draft-value.ts'
import type { Draft } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'
import { newDraft } from './new-draft.ts'
import { firstUnfinished } from './unfinished.ts'
import { workbenchFormText } from './text.ts'

/**
 * Arguments while they are typed: a form and its JSON text, side by side. Whichever was edited last leads and the
 * other follows. Text that is not a JSON object stays as it was typed, and the form keeps showing the last that was.
 */
export type ArgumentsState = {
  readonly draft: Draft
  /** The text as it was typed. Undefined while the form leads: then the text is printed from the draft. */
  readonly typed?: string
  /** Why the typed text is not a JSON object. */
  readonly problem?: JsonProblem
  /** Unfinished text that an edit of the form replaced; it can be restored. */
  readonly setAside?: string
}

/** The state before anything was typed: defaults of the schema and empty fields, the form leading. */
export function newArguments(spec: FieldSpec): ArgumentsState {
  return { draft: newDraft(spec, true) }
}

/** The state that holds this JSON text, e.g. from the history. */
export function argumentsOfText(spec: FieldSpec, text: string): ArgumentsState {
  return typeArguments(spec, newArguments(spec), text)
}

/** One field edited. Text that was not finished is set aside, not lost. */
export function changeArguments(
  spec: FieldSpec,
  state: ArgumentsState,
  path: Path,
  change: Change,
): ArgumentsState {
  const draft = changeAt(spec, state.draft, path, change)
  const setAside = state.problem === undefined ? state.setAside : state.typed
  return setAside === undefined ? { draft } : { draft, setAside }
}

/** The JSON text edited. */
export function typeArguments(spec: FieldSpec, state: ArgumentsState, text: string): ArgumentsState {
  const parsed = parseArguments(text)
  const setAside = state.setAside === undefined ? {} : { setAside: state.setAside }
  if (!parsed.ok) return { draft: state.draft, typed: text, problem: parsed.problem, ...setAside }
  return { draft: draftOfValue(spec, parsed.value, state.draft), typed: text, ...setAside }
}

/** Puts the text back that an edit of the form had replaced. */
export function putBack(spec: FieldSpec, state: ArgumentsState): ArgumentsState {
  if (state.setAside === undefined) return state
  return typeArguments(spec, { draft: state.draft }, state.setAside)
}

/** Forgets the text that was set aside. */
export function dropSetAside({ setAside: _setAside, ...state }: ArgumentsState): ArgumentsState {
  return state
}

/** The JSON text of the arguments, as shown and as sent: with every number as it was typed. */
export function argumentsText(spec: FieldSpec, state: ArgumentsState): string {
  return state.typed ?? printJson(emit(spec, state.draft)?.value ?? {})
}

/** Why these arguments cannot be sent yet, although their JSON text is whole: a field holds text that is not a value. */
export function unfinishedReason(spec: FieldSpec, state: ArgumentsState): string | undefined {
  const unfinished = firstUnfinished(spec, state.draft)
  return unfinished === undefined
    ? undefined
    : workbenchFormText.argumentsState.isNotFinished(unfinished.name)
}

/** The state for a schema that has changed under it: what was typed is carried over as far as it has a place. */
export function movedTo(spec: FieldSpec, before: FieldSpec, state: ArgumentsState): ArgumentsState {
  const text = argumentsText(before, state)
  const fresh = newArguments(spec)
  if (text === argumentsText(before, newArguments(before))) return fresh
  if (state.problem !== undefined) return { ...fresh, typed: text, problem: state.problem }
  const parsed = parseArguments(text)
  if (!parsed.ok) return fresh
  const draft = draftOfValue(spec, parsed.value, fresh.draft)
  return state.typed === undefined ? { draft } : { draft, typed: text }
}

type Parsed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: JsonProblem }

function parseArguments(text: string): Parsed {
  const indexed = indexJson(text)
  if (!indexed.ok) return indexed
  const value = parseExact(text, 'text')
  if (isJsonObject(value) && text.trimStart().startsWith('{')) return { ok: true, value }
  return { ok: false, problem: problemAt(text, 0, 'arguments must be a JSON object') }
}
