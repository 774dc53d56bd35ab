import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { schemaDifferences } from './schema-differences.ts'

/** How an entry differs from what it was before. */
export type DefinitionDifference = {
  /** `input` is what callers send, `output` what they get, `definition` everything beside. */
  readonly part: 'input' | 'output' | 'definition'
  /** JSON Pointer into that schema; empty for the whole. */
  readonly pointer: string
  readonly what: string
  /** Callers that worked before may fail. */
  readonly breaking: boolean
}

/** What callers are bound to, beside schemas and arguments. */
const IDENTITY = ['name', 'uri', 'uriTemplate']
/** What people and models read, or clients go by, and no call depends on. */
const TOLD = ['title', 'description', 'mimeType', 'annotations', 'icons', 'execution', 'size', '_meta']
/** Results that no schema describes can be anything. */
const ANYTHING = true

/**
 * All differences between two definitions of a tool, resource, template or prompt as they are listed on the wire. An
 * new entry breaks nobody; a removed one breaks its callers.
 */
export function definitionDifferences(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): readonly DefinitionDifference[] {
  if (before === undefined && after === undefined) return []
  if (before === undefined) return [whole('it is new', false)]
  if (after === undefined) return [whole('it was removed', true)]
  return [
    ...identity(before, after),
    ...input(before, after),
    ...output(before, after),
    ...told(before, after),
  ]
}

function whole(what: string, breaking: boolean): DefinitionDifference {
  return { part: 'definition', pointer: '', what, breaking }
}

function identity(before: JsonObject, after: JsonObject): DefinitionDifference[] {
  return IDENTITY.filter((key) => before[key] !== after[key]).map((key) => ({
    part: 'definition',
    pointer: `/${key}`,
    what: `${key} is ${JSON.stringify(after[key])} now and was ${JSON.stringify(before[key])}`,
    // The name of a resource is for people; it is called by its URI.
    breaking: key !== 'name' || (before['uri'] === undefined && before['uriTemplate'] === undefined),
  }))
}

function input(before: JsonObject, after: JsonObject): DefinitionDifference[] {
  const found = schemaDifferences(callersSchema(before), callersSchema(after))
  return found.map(({ pointer, what, narrows }) => ({ part: 'input', pointer, what, breaking: narrows }))
}

function output(before: JsonObject, after: JsonObject): DefinitionDifference[] {
  const found = schemaDifferences(before['outputSchema'] ?? ANYTHING, after['outputSchema'] ?? ANYTHING)
  return found.map(({ pointer, what, widens }) => ({ part: 'output', pointer, what, breaking: widens }))
}

function told(before: JsonObject, after: JsonObject): DefinitionDifference[] {
  return TOLD.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).map((key) => ({
    part: 'definition',
    pointer: `/${key}`,
    what:
      before[key] === undefined
        ? `${key} is new`
        : after[key] === undefined
          ? `${key} was removed`
          : `${key} is another now`,
    breaking: false,
  }))
}

/** What callers send, as a schema: of prompts the arguments, which are all texts. */
function callersSchema(definition: JsonObject): unknown {
  const { inputSchema, arguments: given } = definition
  if (inputSchema !== undefined) return inputSchema
  if (!Array.isArray(given)) return ANYTHING
  const list = given.filter(isJsonObject)
  const named = list.filter((each) => typeof each['name'] === 'string')
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((each) => [String(each['name']), { type: 'string' }])),
    required: named.filter((each) => each['required'] === true).map((each) => String(each['name'])),
    additionalProperties: false,
  }
}
