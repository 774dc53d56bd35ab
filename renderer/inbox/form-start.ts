import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import {
  argumentsOfText,
  argumentsText,
  newArguments,
  type ArgumentsState,
} from '../workbench/form/arguments-state.ts'
import type { FieldSpec } from '../workbench/form/field-spec.ts'
import { firstUnfinished } from '../workbench/form/unfinished.ts'

/** The form of an elicitation while it is filled in. */
type AnswerForm = { readonly schema: unknown; readonly spec: FieldSpec; readonly arguments: ArgumentsState }

/** What a form begins with: the defaults of its schema. */
export function formStart({ schema, spec }: Omit<AnswerForm, 'arguments'>): ArgumentsState {
  const first = defaultsOf(schema)
  return Object.keys(first).length === 0 ? newArguments(spec) : formOf(spec, first)
}

/** What a form holds that is filled in with this content. */
export function formOf(spec: FieldSpec, content: JsonObject): ArgumentsState {
  return argumentsOfText(spec, JSON.stringify(content, null, 2))
}

/** Whether nothing was typed into a form: it holds what it began with. */
export function isUntouched(form: AnswerForm): boolean {
  return holdsSame(form, formStart(form))
}

/** Whether a form would be sent just as this state would be; what is typed half is nothing that can be sent. */
export function holdsSame(
  { spec, arguments: typed }: Omit<AnswerForm, 'schema'>,
  other: ArgumentsState,
): boolean {
  if (firstUnfinished(spec, typed.draft) !== undefined) return false
  return argumentsText(spec, typed) === argumentsText(spec, other)
}

/** An elicitation's properties are flat, and their defaults are to be filled in (client features: elicitation). */
function defaultsOf(schema: unknown): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && 'default' in property ? [[name, property['default']]] : [],
    ),
  )
}
