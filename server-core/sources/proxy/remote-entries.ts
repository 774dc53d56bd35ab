import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { tagsOf } from '../../protocol/tags.ts'
import { compileUriTemplate } from '../../protocol/uri-template.ts'
import type {
  PromptArgument,
  PromptEntry,
  PromptOutcome,
  ResourceEntry,
  ResourceOutcome,
  ResourceTemplateEntry,
  ToolEntry,
  ToolOutcome,
} from '../../registry/entries.ts'
import type { Invocation } from '../../registry/invocation.ts'
import type { Forwarded } from './forward.ts'
import type { MemberNames } from './member-names.ts'

/** Sends a request of a client to the server that has the entry. */
export type Send = (request: Forwarded, invocation: Invocation) => Promise<JsonObject>

/** The longest that a timer of Node knows: the client in front says how long a call may take. */
export const UNLIMITED_MS = 2_147_483_647

/** A definition as its server sent it, beside the entry that was made of it. */
export type Made<Entry> = { readonly raw: JsonObject; readonly entry: Entry }

/** Entries of the definitions; one that did not change stays the same object. */
export function madeOf<Entry>(
  items: readonly JsonObject[],
  before: readonly Made<Entry>[],
  make: (raw: JsonObject) => Entry | undefined,
): readonly Made<Entry>[] {
  const kept =
    items.length === before.length && items.every((raw, at) => isDeepStrictEqual(raw, before[at]?.raw))
  if (kept) return before
  return items.flatMap((raw) => {
    const old = before.find((each) => isDeepStrictEqual(each.raw, raw))
    if (old !== undefined) return [old]
    const entry = make(raw)
    return entry === undefined ? [] : [{ raw, entry }]
  })
}

/** A tool under its outward name; undefined if it is not shown. `tasks`: how its server has tasks. */
export function toolEntry(
  raw: JsonObject,
  names: MemberNames,
  tasks: 'by-itself' | 'when-asked' | 'never',
  send: Send,
): ToolEntry | undefined {
  const own = String(raw['name'])
  const name = names.tool(own, tagsOf(raw))
  if (name === undefined) return undefined
  const { inputSchema, outputSchema, annotations, execution } = raw
  const said = isJsonObject(execution) ? execution['taskSupport'] : undefined
  const taskSupport =
    tasks === 'by-itself'
      ? 'optional'
      : tasks === 'when-asked' && (said === 'optional' || said === 'required')
        ? said
        : undefined
  const asTask = taskSupport === 'required'
  return {
    ...described(raw, name),
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(taskSupport !== undefined && {
      taskSupport,
      task: { start: tasks === 'by-itself' ? 'by-handler' : 'at-once' },
    }),
    isCheckedElsewhere: true,
    timeoutMs: UNLIMITED_MS,
    reentrant: false,
    invoke: async (args, invocation) =>
      toolOutcome(
        await send({ method: 'tools/call', params: { name: own, arguments: args }, asTask }, invocation),
      ),
  }
}

export function resourceEntry(raw: JsonObject, send: Send): ResourceEntry {
  const { mimeType, size, annotations } = raw
  return {
    ...described(raw, String(raw['name'])),
    uri: String(raw['uri']),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(typeof size === 'number' && { size }),
    ...(isJsonObject(annotations) && { annotations }),
    reentrant: false,
    read: (uri, invocation) => readThrough(uri, invocation, send),
  }
}

/** Undefined for a template that no URI can be checked against. */
export function templateEntry(raw: JsonObject, send: Send): ResourceTemplateEntry | undefined {
  const uriTemplate = String(raw['uriTemplate'])
  const { mimeType, annotations } = raw
  const match = matcherOf(uriTemplate)
  return {
    ...described(raw, String(raw['name'])),
    uriTemplate,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(isJsonObject(annotations) && { annotations }),
    reentrant: false,
    match,
    read: (uri, _variables, invocation) => readThrough(uri, invocation, send),
  }
}

/** A template that we cannot read is still shown; its URIs are found as those that no list names. */
function matcherOf(uriTemplate: string): ResourceTemplateEntry['match'] {
  try {
    const compiled = compileUriTemplate(uriTemplate)
    return (uri) => compiled.match(uri)
  } catch {
    return () => undefined
  }
}

export function promptEntry(raw: JsonObject, names: MemberNames, send: Send): PromptEntry {
  const own = String(raw['name'])
  const args = Array.isArray(raw['arguments']) ? (raw['arguments'] as readonly PromptArgument[]) : []
  return {
    ...described(raw, names.prompt(own)),
    arguments: args,
    reentrant: false,
    get: async (given, invocation) =>
      promptOutcome(
        await send({ method: 'prompts/get', params: { name: own, arguments: given } }, invocation),
      ),
  }
}

/** Reads a URI, whether any list names it or not. */
export async function readThrough(uri: string, invocation: Invocation, send: Send): Promise<ResourceOutcome> {
  const result = await send({ method: 'resources/read', params: { uri } }, invocation)
  const { contents, ...rest } = result
  return { contents: objectsOf(contents), ...withMetadata(rest) }
}

function toolOutcome({ content, structuredContent, isError, ...rest }: JsonObject): ToolOutcome {
  return {
    content: objectsOf(content),
    ...(structuredContent !== undefined && { structured: structuredContent }),
    ...(isError === true && { isError }),
    ...withMetadata(rest),
  }
}

function promptOutcome({ messages, description, ...rest }: JsonObject): PromptOutcome {
  return {
    messages: objectsOf(messages),
    ...(typeof description === 'string' && { description }),
    ...withMetadata(rest),
  }
}

/** What a result says beside what it is for, without what the server's side of the proxy says of itself. */
function withMetadata(rest: JsonObject): { readonly meta?: JsonObject; readonly others?: JsonObject } {
  const { _meta, resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...others } = rest
  const meta = metaWithout(_meta)
  return {
    ...(meta !== undefined && { meta }),
    ...(Object.keys(others).length > 0 && { others }),
  }
}

function metaWithout(given: unknown): JsonObject | undefined {
  if (!isJsonObject(given)) return undefined
  const { [MetaKey.serverInfo]: _info, [MetaKey.relatedTask]: _task, ...meta } = given
  return Object.keys(meta).length === 0 && Object.keys(given).length > 0 ? undefined : meta
}

function described(raw: JsonObject, name: string) {
  const { title, description, icons, _meta: meta } = raw
  const tags = tagsOf(raw)
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(icons) && { icons: icons as readonly JsonObject[] }),
    ...(isJsonObject(meta) && { meta }),
    ...(tags.length > 0 && { tags }),
  }
}

function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
