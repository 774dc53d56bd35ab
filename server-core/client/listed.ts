import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** An entry of a list that cannot be used, where it stood over all pages, and why: the path and what is wrong. */
export type Malformed = { readonly index: number; readonly value: unknown; readonly reason: string }

/** A whole list, over all pages. */
export type Listed = {
  readonly items: readonly JsonObject[]
  readonly malformed: readonly Malformed[]
  /** Why reading stopped before the end, if it did. */
  readonly problem?: string
}

/** One kind of list: the method, where its result keeps the entries, what names an entry, what an entry must have. */
export type ListKind = {
  readonly method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'
  readonly member: string
  readonly key: string
  readonly check: (entry: JsonObject) => string | undefined
}

const text = (entry: JsonObject, name: string): string | undefined =>
  typeof entry[name] === 'string' ? undefined : `${name}: expected a string, got ${nameOf(entry[name])}`

export const LISTS = {
  tools: {
    method: 'tools/list',
    member: 'tools',
    key: 'name',
    check: (tool) => text(tool, 'name') ?? checkSchemas(tool),
  },
  resources: {
    method: 'resources/list',
    member: 'resources',
    key: 'uri',
    check: (resource) => text(resource, 'uri') ?? text(resource, 'name'),
  },
  resourceTemplates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    check: (template) => text(template, 'uriTemplate') ?? text(template, 'name'),
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    key: 'name',
    check: (prompt) => text(prompt, 'name') ?? checkArguments(prompt),
  },
} as const satisfies Readonly<Record<string, ListKind>>

const MAX_PAGES = 10_000

/**
 * Reads every page of a list (utilities: pagination). An entry that is malformed, or named like one before it, is
 * kept apart with its reason and harms no other. A cursor that comes twice ends the reading with a named problem.
 * An empty cursor is a cursor; only an absent one is the end.
 */
export async function readList(
  kind: ListKind,
  readPage: (params: JsonObject | undefined) => Promise<JsonObject>,
  alsoCheck: (entry: JsonObject) => string | undefined = () => undefined,
): Promise<Listed> {
  const items: JsonObject[] = []
  const malformed: Malformed[] = []
  const firstIndexes = new Map<unknown, number>()
  const cursors = new Set<string>()
  const done = (problem?: string): Listed => ({
    items,
    malformed,
    ...(problem === undefined ? {} : { problem }),
  })
  let index = 0
  for (let params: JsonObject | undefined; ;) {
    const page = await readPage(params)
    const entries = page[kind.member]
    if (!Array.isArray(entries))
      return done(`${kind.method}: ${kind.member} must be an array, got ${nameOf(entries)}`)
    for (const value of entries as readonly unknown[]) {
      const reason = reasonAgainst(kind, value, firstIndexes, alsoCheck)
      if (reason !== undefined) malformed.push({ index, value, reason })
      else if (isJsonObject(value)) {
        items.push(value)
        firstIndexes.set(value[kind.key], index)
      }
      index += 1
    }
    const cursor = page['nextCursor']
    if (cursor === undefined) return done()
    if (typeof cursor !== 'string')
      return done(`${kind.method}: nextCursor must be a string, got ${nameOf(cursor)}`)
    if (cursors.has(cursor))
      return done(`${kind.method}: the cursor ${JSON.stringify(cursor)} came twice, so the pages never end`)
    cursors.add(cursor)
    if (cursors.size >= MAX_PAGES) return done(`${kind.method}: stopped after ${MAX_PAGES} pages`)
    params = { cursor }
  }
}

function reasonAgainst(
  kind: ListKind,
  value: unknown,
  firstIndexes: ReadonlyMap<unknown, number>,
  alsoCheck: (entry: JsonObject) => string | undefined,
): string | undefined {
  if (!isJsonObject(value)) return `expected an object, got ${nameOf(value)}`
  const reason = kind.check(value) ?? alsoCheck(value)
  if (reason !== undefined) return reason
  const first = firstIndexes.get(value[kind.key])
  return first === undefined
    ? undefined
    : `${kind.key}: ${JSON.stringify(value[kind.key])} is listed twice, first as entry ${first}`
}

function checkSchemas(tool: JsonObject): string | undefined {
  const { inputSchema, outputSchema } = tool
  if (!isJsonObject(inputSchema)) return `inputSchema: expected an object, got ${nameOf(inputSchema)}`
  if (inputSchema['type'] !== 'object')
    return `inputSchema.type: expected "object", got ${inputSchema['type'] === undefined ? 'nothing' : JSON.stringify(inputSchema['type'])}`
  const isSchema =
    outputSchema === undefined || typeof outputSchema === 'boolean' || isJsonObject(outputSchema)
  if (!isSchema) return `outputSchema: expected a schema, got ${nameOf(outputSchema)}`
  return undefined
}

function checkArguments(prompt: JsonObject): string | undefined {
  const list = prompt['arguments']
  if (list === undefined) return undefined
  if (!Array.isArray(list)) return `arguments: expected an array, got ${nameOf(list)}`
  const at = list.findIndex((argument) => !isJsonObject(argument) || typeof argument['name'] !== 'string')
  return at === -1 ? undefined : `arguments[${at}].name: expected a string`
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
