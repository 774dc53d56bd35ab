import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import type {
  ListStability,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../entries.ts'
import type { EntryData } from '../entry-data.ts'

/** Everything that is registered, as data. */
export type Definitions = {
  readonly tools: readonly EntryData<ToolEntry>[]
  readonly resources: readonly EntryData<ResourceEntry>[]
  /** `lists` says that the template can list its resources. */
  readonly templates: readonly (EntryData<ResourceTemplateEntry> & { readonly lists: boolean })[]
  readonly prompts: readonly EntryData<PromptEntry>[]
  readonly listStabilities: Readonly<Record<ListKind, ListStability>>
}

const LIST_STABILITIES = new Set<unknown>(['fixed', 'changes', 'may-appear'] satisfies ListStability[])
const TASK_SUPPORTS = new Set<unknown>([undefined, 'forbidden', 'optional', 'required'])
const TASK_STARTS = new Set<unknown>([undefined, 'at-once', 'by-handler'])
const SCOPES = new Set<unknown>(['public', 'private'])
const VARIABLE_TYPES = new Set<unknown>(['number', 'integer', 'boolean'])

/** Whether a value is the definitions of a registry. Without a schema, because a start reads many of them. */
export function isDefinitions(value: unknown): value is Definitions {
  if (!isJsonObject(value)) return false
  const { tools, resources, templates, prompts, listStabilities } = value
  return (
    isListOf(tools, isTool) &&
    isListOf(resources, isResource) &&
    isListOf(templates, isTemplate) &&
    isListOf(prompts, isPrompt) &&
    isJsonObject(listStabilities) &&
    ['tools', 'resources', 'prompts'].every((kind) => LIST_STABILITIES.has(listStabilities[kind]))
  )
}

function isTool(tool: JsonObject): boolean {
  const { inputSchema, outputSchema, annotations, timeoutMs, isCheckedElsewhere, validation, task } = tool
  return (
    isJsonObject(inputSchema) &&
    isOptional(outputSchema, isJsonObject) &&
    isOptional(annotations, isJsonObject) &&
    typeof timeoutMs === 'number' &&
    TASK_SUPPORTS.has(tool['taskSupport']) &&
    isOptional(task, isTask) &&
    isOptional(isCheckedElsewhere, isBoolean) &&
    (validation === undefined || validation === 'handler')
  )
}

function isTask(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    TASK_STARTS.has(value['start']) &&
    isOptional(value['ttlMs'], isNumber) &&
    isOptional(value['pollIntervalMs'], isNumber) &&
    isOptional(value['immediateResponse'], isText)
  )
}

function isResource({ uri, mimeType, size, annotations, cache }: JsonObject): boolean {
  return (
    isText(uri) &&
    isOptional(mimeType, isText) &&
    isOptional(size, isNumber) &&
    isOptional(annotations, isJsonObject) &&
    isOptional(cache, isCache)
  )
}

function isTemplate({ uriTemplate, mimeType, annotations, cache, variableTypes }: JsonObject): boolean {
  return (
    isText(uriTemplate) &&
    isOptional(mimeType, isText) &&
    isOptional(annotations, isJsonObject) &&
    isOptional(cache, isCache) &&
    isOptional(
      variableTypes,
      (types) => isJsonObject(types) && Object.values(types).every((type) => VARIABLE_TYPES.has(type)),
    )
  )
}

function isPrompt(prompt: JsonObject): boolean {
  return isListOf(
    prompt['arguments'],
    ({ title, description, required }) =>
      [title, description].every((each) => isOptional(each, isText)) && isOptional(required, isBoolean),
  )
}

function isCache(value: unknown): boolean {
  return isJsonObject(value) && isNumber(value['ttlMs']) && SCOPES.has(value['scope'])
}

/** A list of things that have a name, and perhaps what can be said of all of them. */
function isListOf(list: unknown, isOne: (item: JsonObject) => boolean): boolean {
  return isArrayOf(list, (item) => isJsonObject(item) && isDescribed(item) && isOne(item))
}

function isDescribed({ name, title, description, icons, meta, tags, reentrant }: JsonObject): boolean {
  return (
    isText(name) &&
    isOptional(title, isText) &&
    isOptional(description, isText) &&
    isOptional(icons, (each) => isArrayOf(each, isJsonObject)) &&
    isOptional(meta, isJsonObject) &&
    isOptional(tags, (each) => isArrayOf(each, isText)) &&
    isOptional(reentrant, isBoolean)
  )
}

/** Looks at holes too, which `every` passes over. */
export function isArrayOf(list: unknown, isOne: (item: unknown) => boolean): boolean {
  if (!Array.isArray(list)) return false
  for (const item of list as readonly unknown[]) if (!isOne(item)) return false
  return true
}

function isOptional(value: unknown, isOne: (value: unknown) => boolean): boolean {
  return value === undefined || isOne(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
