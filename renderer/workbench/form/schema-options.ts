import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Option } from './field-spec.ts'

/** Keywords that a titled option may have beside its value; any other makes it more than an option. */
const OPTION_KEYWORDS = new Set(['const', 'enum', 'title', 'description', 'type', '$comment', 'deprecated'])

/** The options of an `enum`, with the words of the older `enumNames` if it has them. `null` is not an option. */
export function optionsOfEnum(schema: JsonObject, values: readonly unknown[]): Option[] {
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : []
  return values.flatMap((value, place) => {
    if (value === null) return []
    const name = names[place]
    return [{ label: typeof name === 'string' ? name : optionLabel(value), value }]
  })
}

/**
 * The options a `oneOf` or `anyOf` branch stands for, if it is nothing but values (`{const, title}`, `{enum}`;
 * MCP, elicitation: titled enums). An empty list is a branch that stands for `null`.
 */
export function optionsOfBranch(branch: JsonObject): Option[] | undefined {
  if (branch['type'] === 'null') return []
  if (Object.keys(branch).some((keyword) => !OPTION_KEYWORDS.has(keyword))) return undefined
  if (Array.isArray(branch['enum'])) return optionsOfEnum(branch, branch['enum'])
  if (!('const' in branch)) return undefined
  const { const: value, title, description } = branch
  if (value === null) return []
  const option = { label: typeof title === 'string' ? title : optionLabel(value), value }
  return [typeof description === 'string' ? { ...option, description } : option]
}

/** The options of a schema that allows nothing but a list of values, none of them null. */
export function optionsOfItems(schema: JsonObject): Option[] | undefined {
  const { enum: values, oneOf, anyOf } = schema
  if (Array.isArray(values)) return values.includes(null) ? undefined : optionsOfEnum(schema, values)
  const branches = Array.isArray(oneOf) ? oneOf : anyOf
  if (!Array.isArray(branches)) return undefined
  const options: Option[] = []
  for (const branch of branches as unknown[]) {
    const some = isJsonObject(branch) ? optionsOfBranch(branch) : undefined
    if (some === undefined || some.length === 0) return undefined
    options.push(...some)
  }
  return options
}

/** A value in the words of a choice: strings as they are, anything else as JSON. */
export function optionLabel(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  const text = JSON.stringify(value)
  return isJsonObject(value) && text.length > 60 ? `${text.slice(0, 59)}…` : text
}
