import { ExactNumber, stringifyExact } from './exact-json.ts'
import { isJsonObject } from './json.ts'

/**
 * Writes a JSON value with the members of each object in the order of their names.
 *
 * @param replace returns the value that is written in place of a string or a number
 * @returns the same text for equal values
 */
export function canonicalJson(
  value: unknown,
  replace: (value: string | number) => unknown = (same) => same,
): string {
  if (typeof value === 'string' || typeof value === 'number') return stringifyExact(replace(value))
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, replace)).join()}]`
  if (!isJsonObject(value) || value instanceof ExactNumber) return stringifyExact(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name], replace)}`).join()}}`
}
