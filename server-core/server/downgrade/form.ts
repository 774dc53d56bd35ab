import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { InputUnavailableError } from '../../registry/invocation.ts'

/**
 * The parameters of a form as the revision knows them (specification: Elicitation, Requested Schema). Titled choices
 * become `enumNames` where they are unknown, defaults that are unknown go. Throws an `InputUnavailableError` that
 * names the field which the revision cannot ask for: a choice of several.
 */
export function formParams(row: RevisionRow, params: JsonObject): JsonObject {
  const schema = params['requestedSchema']
  if (row.choiceForms.includes('titled') || !isJsonObject(schema)) return params
  const { mode: _mode, ...rest } = params
  const { $schema: _dialect, properties, ...members } = schema
  const given: readonly [string, unknown][] = Object.entries(isJsonObject(properties) ? properties : {})
  const fields = given.map(
    ([name, field]) => [name, isJsonObject(field) ? fieldFor(row, name, field) : field] as const,
  )
  return { ...rest, requestedSchema: { ...members, properties: Object.fromEntries(fields) } }
}

function fieldFor(row: RevisionRow, name: string, field: JsonObject): JsonObject {
  if (field['type'] === 'array') {
    throw new InputUnavailableError(
      `The client cannot be asked: field "${name}" is a choice of several, which ${row.revision} does not know`,
      { elicitation: { form: {} } },
    )
  }
  const { oneOf, default: preset, ...rest } = field
  const kept = row.formDefaults === 'boolean' && typeof preset !== 'boolean' ? undefined : preset
  const options: readonly unknown[] | undefined = Array.isArray(oneOf) ? oneOf : undefined
  return {
    ...rest,
    ...(options === undefined ? {} : namedChoices(options.filter(isJsonObject))),
    ...(kept === undefined ? {} : { default: kept }),
  }
}

function namedChoices(options: readonly JsonObject[]): JsonObject {
  return {
    enum: options.map((option) => option['const']),
    enumNames: options.map((option) => String(option['title'] ?? option['const'])),
  }
}
