import { ErrorCode } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import { kindOf, pathText, wireFault } from '../protocol/wire/fault.ts'
import { PeerError } from './errors.ts'

/** An entry of a list that breaks the rules, where it stood over all pages, and how: the path and what is wrong. */
export type Malformed = { readonly index: number; readonly value: unknown; readonly reason: string }

/** A whole list, over all pages. */
export type Listed = {
  /** The entries that can be used; of flawed ones what is sound. */
  readonly items: readonly JsonObject[]
  readonly malformed: readonly Malformed[]
  /** Entries that can be used, although members that need not be there are wrong; those are left out of the item. */
  readonly flawed: readonly Malformed[]
  /** What breaks the rules of lists without harm. */
  readonly warning?: string
  /** Why reading stopped before the end, if it did. */
  readonly problem?: string
  /** Whether every page came from the cache. */
  readonly fromCache?: true
}

/** One page of a list. */
export type Page = Listed & {
  /** Where the next page begins; missing on the last. An empty text is a cursor like any other. */
  readonly nextCursor?: string
  /** A cursor had failed and the list begins again: what earlier pages held is void. */
  readonly restarted?: true
}

/** One kind of list: the method, where its result keeps the entries, what names an entry, what an entry is. */
export type ListDefinition = {
  readonly method:
    'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list' | 'tasks/list'
  readonly member: string
  readonly key: string
  /** The name of an entry in the specification's schema file. */
  readonly definition: string
}

export const LISTS = {
  tools: { method: 'tools/list', member: 'tools', key: 'name', definition: 'Tool' },
  resources: { method: 'resources/list', member: 'resources', key: 'uri', definition: 'Resource' },
  resourceTemplates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    definition: 'ResourceTemplate',
  },
  prompts: { method: 'prompts/list', member: 'prompts', key: 'name', definition: 'Prompt' },
  /** Of 2025-11-25 alone. */
  tasks: { method: 'tasks/list', member: 'tasks', key: 'taskId', definition: 'Task' },
} as const satisfies Readonly<Record<string, ListDefinition>>

export type ListId = keyof typeof LISTS

export type ListReader = {
  readonly kind: ListDefinition
  /** The revision whose rules the entries are checked against. */
  readonly revision: Revision
  /** `refresh`: no stored result may be used. */
  readonly readPage: (
    params: JsonObject | undefined,
    refresh: boolean,
  ) => Promise<{ readonly result: JsonObject; readonly fromCache?: unknown }>
  /** Returns what else is wrong with an entry. */
  readonly alsoCheck?: (entry: JsonObject) => string | undefined
}

const MAX_PAGES = 10_000

/**
 * Reads a list page by page (utilities: pagination). An entry that is malformed, or named like one before it, is kept
 * apart with its reason and harms no other; one with a wrong member that need not be there is used without it. A cursor that comes twice ends the reading with a named problem; one that
 * the server refuses begins the list again, once. An empty cursor is a cursor; only an absent one is the end.
 */
export async function* readPages(reader: ListReader): AsyncGenerator<Page, void, void> {
  const { kind, readPage } = reader
  let entries = new Entries(reader)
  let cursors = new Set<string>()
  let refresh = false
  let firstScope: unknown
  for (let cursor: string | undefined; ;) {
    const isFirstAgain = refresh && cursor === undefined
    let read: Awaited<ReturnType<typeof readPage>>
    try {
      read = await readPage(cursor === undefined ? undefined : { cursor }, refresh)
    } catch (error) {
      if (cursor === undefined || refresh || !isCursorRefused(error)) throw error
      refresh = true
      cursor = undefined
      entries = new Entries(reader)
      cursors = new Set()
      continue
    }
    const page = entries.page(read.result)
    const { nextCursor, cacheScope } = read.result
    if (cursor === undefined) firstScope = cacheScope
    // All pages of a list have one scope (2026-07-28, caching); the cache keeps later pages no wider than the first.
    const isOtherScope = cursor !== undefined && cacheScope !== firstScope
    const facts = {
      ...(isOtherScope ? { warning: otherScope(kind.method, cacheScope, firstScope) } : {}),
      ...(isFirstAgain ? ({ restarted: true } as const) : {}),
      ...(read.fromCache === undefined ? {} : ({ fromCache: true } as const)),
    }
    let problem = page.problem
    if (nextCursor !== undefined && typeof nextCursor !== 'string')
      problem ??= `${kind.method}: nextCursor must be a string, got ${kindOf(nextCursor)}`
    else if (nextCursor !== undefined && cursors.has(nextCursor))
      problem ??= `${kind.method}: the cursor ${JSON.stringify(nextCursor)} came twice, so the pages never end`
    else if (cursors.size + 1 >= MAX_PAGES) problem ??= `${kind.method}: stopped after ${MAX_PAGES} pages`
    if (problem !== undefined || typeof nextCursor !== 'string') {
      yield { ...page, ...facts, ...(problem === undefined ? {} : { problem }) }
      return
    }
    yield { ...page, ...facts, nextCursor }
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}

/** Reads every page of a list, as `readPages` does. */
export async function readList(reader: ListReader): Promise<Listed> {
  let items: JsonObject[] = []
  let malformed: Malformed[] = []
  let flawed: Malformed[] = []
  let problem: string | undefined
  let warning: string | undefined
  let isFromCache = true
  for await (const page of readPages(reader)) {
    if (page.restarted === true) {
      items = []
      malformed = []
      flawed = []
      warning = undefined
      isFromCache = true
    }
    for (const item of page.items) items.push(item)
    for (const entry of page.malformed) malformed.push(entry)
    for (const entry of page.flawed) flawed.push(entry)
    warning ??= page.warning
    isFromCache &&= page.fromCache === true
    problem = page.problem
  }
  return {
    items,
    malformed,
    flawed,
    ...(problem === undefined ? {} : { problem }),
    ...(warning === undefined ? {} : { warning }),
    ...(isFromCache ? { fromCache: true } : {}),
  }
}

/** The entries so far: a repeated one is reported with the place of the first. */
class Entries {
  readonly #reader: ListReader
  readonly #firstIndexes = new Map<unknown, number>()
  #index = 0

  constructor(reader: ListReader) {
    this.#reader = reader
  }

  page(result: JsonObject): Listed {
    const { kind } = this.#reader
    const entries = result[kind.member]
    if (!Array.isArray(entries)) {
      const problem = `${kind.method}: ${kind.member} must be an array, got ${kindOf(entries)}`
      return { items: [], malformed: [], flawed: [], problem }
    }
    const items: JsonObject[] = []
    const malformed: Malformed[] = []
    const flawed: Malformed[] = []
    for (const value of entries as readonly unknown[]) {
      const index = this.#index
      this.#index += 1
      const sound = this.#soundPart(value)
      const { reason } = sound
      if (sound.item === undefined) {
        malformed.push({ index, value, reason: sound.reason })
        continue
      }
      if (reason !== undefined) flawed.push({ index, value, reason })
      items.push(sound.item)
      this.#firstIndexes.set(sound.item[kind.key], index)
    }
    return { items, malformed, flawed }
  }

  /** An entry without those of its optional members that are wrong; none if a member that it needs is. */
  #soundPart(
    value: unknown,
  ):
    | { readonly item: JsonObject; readonly reason?: string }
    | { readonly item?: undefined; readonly reason: string } {
    const { kind, revision, alsoCheck } = this.#reader
    if (!isJsonObject(value)) return { reason: `expected an object, got ${kindOf(value)}` }
    let item: JsonObject = value
    const reasons: string[] = []
    for (;;) {
      const fault = wireFault(revision, kind.definition, item)
      if (fault === undefined) break
      const [member] = fault.path
      const [first = `${pathText(fault.path)}: ${fault.message}`] = reasons
      if (typeof member !== 'string' || !Object.hasOwn(item, member)) return { reason: first }
      reasons.push(`${pathText(fault.path)}: ${fault.message}`)
      const { [member]: _, ...rest } = item
      item = rest
    }
    const refused = alsoCheck?.(item) ?? this.#doubled(item)
    if (refused !== undefined) return { reason: refused }
    return reasons.length === 0 ? { item } : { item, reason: reasons.join('; ') }
  }

  #doubled(item: JsonObject): string | undefined {
    const { key } = this.#reader.kind
    const first = this.#firstIndexes.get(item[key])
    return first === undefined
      ? undefined
      : `${key}: ${JSON.stringify(item[key])} is listed twice, first as entry ${first}`
  }
}

function otherScope(method: string, scope: unknown, first: unknown): string {
  const [its, firsts] = [scope, first].map((each) => (each === undefined ? 'nothing' : JSON.stringify(each)))
  return `${method}: a page has cacheScope ${its}, but the first ${firsts}; all pages of a list have one`
}

/** The server does not know the cursor (any more). */
function isCursorRefused(error: unknown): boolean {
  return error instanceof PeerError && error.code === ErrorCode.invalidParams
}
