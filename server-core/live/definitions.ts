import { entryKey } from '../sources/compose.ts'
import type { JsonObject } from '../protocol/json.ts'
import type {
  PromptEntry,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../registry/entries.ts'

type AnyEntry = ToolEntry | ResourceEntry | ResourceTemplateEntry | PromptEntry

/** What of an entry clients see, in the words of the newest revision. */
const SEEN = [
  'name',
  'title',
  'description',
  'icons',
  'tags',
  'uri',
  'uriTemplate',
  'mimeType',
  'size',
  'annotations',
  'inputSchema',
  'outputSchema',
  'arguments',
  'taskSupport',
] as const

/** What clients see of a view, by the key of each entry. */
export function definitionsOf(view: RegistryView): ReadonlyMap<string, JsonObject> {
  return new Map([
    ...view.tools().map((entry) => [entryKey('tool', entry.name), seen(entry)] as const),
    ...view.resources().map((entry) => [entryKey('resource', entry.uri), seen(entry)] as const),
    ...view
      .resourceTemplates()
      .map((entry) => [entryKey('template', entry.uriTemplate), seen(entry)] as const),
    ...view.prompts().map((entry) => [entryKey('prompt', entry.name), seen(entry)] as const),
  ])
}

function seen(entry: AnyEntry): JsonObject {
  const members: JsonObject = { ...entry, _meta: entry.meta }
  const shown = [...SEEN, '_meta'].map((key) => [key, members[key]] as const)
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined))
}

/** Whether clients see the same of both. */
export function sameDefinitions(
  one: ReadonlyMap<string, JsonObject>,
  other: ReadonlyMap<string, JsonObject>,
): boolean {
  const text = (map: ReadonlyMap<string, JsonObject>): string => JSON.stringify([...map])
  return text(one) === text(other)
}
