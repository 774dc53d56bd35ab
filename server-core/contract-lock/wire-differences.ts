import {
  definitionDifferences,
  type DefinitionDifference,
} from '../live/differences/definition-differences.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { proseOf } from './prose.ts'

/** Members that are compared here, by what clients conclude from them. */
const OWN = new Set(['/title', '/description', '/icons', '/_meta', '/annotations', '/execution', '/mimeType'])
/** Members that `definitionDifferences` compares, or that the rules here do. */
const COMPARED = new Set([
  ...['name', 'uri', 'uriTemplate', 'title', 'description', 'icons', '_meta', 'annotations', 'execution'],
  ...['mimeType', 'inputSchema', 'outputSchema', 'arguments'],
])

/** Hints of a tool: the value by which a client may call with less care, and what a missing one means. */
const HINTS = [
  { name: 'readOnlyHint', harmless: true, missing: false },
  { name: 'destructiveHint', harmless: false, missing: true },
  { name: 'idempotentHint', harmless: true, missing: false },
  { name: 'openWorldHint', harmless: false, missing: true },
] as const

/** What of two definitions differs for programs. */
export function wireDifferences(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  const general = definitionDifferences(before, after)
  return [
    ...general.filter(({ part, pointer }) => part !== 'definition' || !OWN.has(pointer)),
    ...hints(before, after),
    ...otherAnnotations(before, after),
    ...taskSupport(before, after),
    ...mimeType(before, after),
    ...otherMembers(before, after),
  ]
}

/** What of two definitions differs for people and models. */
export function proseDifferences(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  const read = (definition: JsonObject) =>
    new Map(proseOf(definition).map(({ pointer, value }) => [pointer, canonicalJson(value)]))
  const [old, now] = [read(before), read(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((pointer) => old.get(pointer) !== now.get(pointer))
    .map((pointer) => different(pointer, describe(pointer, old.get(pointer), now.get(pointer)), false))
}

function hints(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  const [old, now] = [objectIn(before, 'annotations'), objectIn(after, 'annotations')]
  return HINTS.flatMap(({ name, harmless, missing }) => {
    const [was, is] = [old[name] ?? missing, now[name] ?? missing]
    if (was === is) return []
    return [
      different(
        `/annotations/${name}`,
        `${name} is ${JSON.stringify(is)} now and was ${JSON.stringify(was)}`,
        was === harmless,
      ),
    ]
  })
}

function otherAnnotations(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  const [old, now] = [objectIn(before, 'annotations'), objectIn(after, 'annotations')]
  return membersOf(old, now)
    .filter((name) => name !== 'title' && HINTS.every((hint) => hint.name !== name))
    .flatMap((name) => changed(`/annotations/${name}`, old[name], now[name], false))
}

/** Who calls a tool as a task, or without one, is bound to what it supports. */
function taskSupport(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  const read = (definition: JsonObject) => objectIn(definition, 'execution')['taskSupport'] ?? 'forbidden'
  const [was, is] = [read(before), read(after)]
  if (was === is) return []
  const what = `taskSupport is ${JSON.stringify(is)} now and was ${JSON.stringify(was)}`
  return [different('/execution/taskSupport', what, is !== 'optional')]
}

/** Who read one type of content may not read another; a type that was not declared bound nobody. */
function mimeType(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  return changed('/mimeType', before['mimeType'], after['mimeType'], before['mimeType'] !== undefined)
}

function otherMembers(before: JsonObject, after: JsonObject): readonly DefinitionDifference[] {
  return membersOf(before, after)
    .filter((name) => !COMPARED.has(name))
    .flatMap((name) => changed(`/${name}`, before[name], after[name], false))
}

function changed(
  pointer: string,
  before: unknown,
  after: unknown,
  breaking: boolean,
): readonly DefinitionDifference[] {
  const [old, now] = [before, after].map((value) => (value === undefined ? undefined : canonicalJson(value)))
  return old === now ? [] : [different(pointer, describe(pointer, old, now), breaking)]
}

/** How a member changed, from its texts as JSON. */
function describe(pointer: string, old: string | undefined, now: string | undefined): string {
  const name = pointer.slice(1).replaceAll('/', '.')
  if (old === undefined) return `${name} is new: ${now ?? ''}`
  return now === undefined ? `${name} was removed` : `${name} is ${now} now and was ${old}`
}

function different(pointer: string, what: string, breaking: boolean): DefinitionDifference {
  return { part: 'definition', pointer, what, breaking }
}

function membersOf(one: JsonObject, other: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

function objectIn(definition: JsonObject, name: string): JsonObject {
  const member = definition[name]
  return isJsonObject(member) ? member : {}
}
