import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { UsageError } from '../output/exit-code.ts'
import { suggest } from '../flags/suggest.ts'

/** What takes the arguments, and the JSON schema of them as an object. */
export type ArgumentsOf = { readonly what: 'tool' | 'prompt'; readonly schema: JsonObject }

/**
 * Checks the names of arguments that were typed one by one, before anything is sent.
 *
 * @param names those that were typed
 * @param given all names that are sent
 * @returns what to warn of: names that the schema does not have, which are sent all the same
 * @throws UsageError for such a name if the call cannot succeed with it: the schema allows no other names, or something
 *   required is missing
 */
export function checkArgumentNames(
  names: readonly string[],
  given: readonly string[],
  { what, schema }: ArgumentsOf,
): readonly string[] {
  const properties = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const { additionalProperties: others, patternProperties: patterns } = schema
  if (takesNamesFromElsewhere(schema)) return []
  if (patterns !== undefined || (properties.length === 0 && others !== false)) return []
  const missing = requiredOf(schema).filter((name) => !given.includes(name))
  return names.flatMap((name) => {
    if (properties.includes(name)) return []
    const near = suggest(name, properties)
    const problem = `the ${what} takes no argument "${name}"; ${remedy(near, properties)}`
    if (others === false) throw new UsageError(problem)
    // Other names are allowed in so many words: only one that stands for a missing argument is a mistake.
    if (others !== undefined && near.length === 0) return []
    if (missing.length > 0) throw new UsageError(`${problem} It requires ${missing.join(', ')}.`)
    return [`${problem} It is sent all the same.`]
  })
}

/**
 * What is wrong with the names of arguments of a call that failed: those that the schema does not have, and those that
 * it requires. `undefined` if nothing is.
 */
export function argumentNamesHint(args: JsonObject, schema: JsonObject): string | undefined {
  const properties = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(args, name))
  if (takesNamesFromElsewhere(schema) && missing.length === 0) return undefined
  const unknown = Object.keys(args).filter((name) => !properties.includes(name))
  const near = unknown.flatMap((name) => {
    const [meant] = suggest(name, properties)
    return meant === undefined ? [] : [`It has no argument "${name}"; did you mean ${meant}?`]
  })
  if (missing.length > 0) return [...near, `It requires ${missing.join(', ')}.`].join(' ')
  return near.length === 0 ? undefined : near.join(' ')
}

/** Whether a schema may take arguments that its own `properties` do not list. */
function takesNamesFromElsewhere(schema: JsonObject): boolean {
  return ELSEWHERE.some((keyword) => schema[keyword] !== undefined)
}

const ELSEWHERE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'] as const

/** The arguments of a listed prompt as a schema. */
export function promptSchema(prompt: JsonObject): JsonObject {
  const listed: readonly unknown[] = Array.isArray(prompt['arguments']) ? prompt['arguments'] : []
  const named = listed.filter(isJsonObject).filter(({ name }) => typeof name === 'string')
  return {
    properties: Object.fromEntries(named.map(({ name }) => [String(name), { type: 'string' }])),
    required: named.filter(({ required }) => required === true).map(({ name }) => String(name)),
  }
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function remedy(near: readonly string[], known: readonly string[]): string {
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`
  return known.length === 0 ? 'it takes none.' : `it takes ${known.join(', ')}.`
}
