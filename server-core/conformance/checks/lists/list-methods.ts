import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

/** One kind of list: who declares it, where its result keeps the entries, what names an entry. */
export type ListMethod = {
  readonly kind: 'tools' | 'prompts' | 'resources' | 'templates'
  readonly capability: 'tools' | 'prompts' | 'resources'
  readonly method: string
  readonly member: string
  readonly key: string
}

export const LIST_METHODS: readonly ListMethod[] = [
  { kind: 'tools', capability: 'tools', method: 'tools/list', member: 'tools', key: 'name' },
  { kind: 'prompts', capability: 'prompts', method: 'prompts/list', member: 'prompts', key: 'name' },
  { kind: 'resources', capability: 'resources', method: 'resources/list', member: 'resources', key: 'uri' },
  {
    kind: 'templates',
    capability: 'resources',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
  },
]

/** The lists that the server declares; ends the check as not applicable if it declares none. */
export function declaredLists(probe: ServerProbe, { templates = true } = {}): readonly ListMethod[] {
  const lists = LIST_METHODS.filter(
    ({ kind, capability }) => probe.declares(capability) && (templates || kind !== 'templates'),
  )
  if (lists.length === 0) probe.notApplicable('the server declares no tools, prompts or resources')
  return lists
}

/** The entries of one page. */
export function entriesOf({ member }: ListMethod, result: JsonObject): readonly JsonObject[] {
  const entries = result[member]
  return Array.isArray(entries) ? (entries as unknown[]).filter(isJsonObject) : []
}

/** What names the entries of one page. */
export function keysOf(list: ListMethod, result: JsonObject): readonly string[] {
  return entriesOf(list, result).map((entry) => String(entry[list.key]))
}

/** One page that was read: with which cursor, and what came. */
export type ReadPage = { readonly cursor: string | undefined; readonly outcome: Outcome }

/** All pages of a list; `isWhole` unless an error or the limit ended it. */
export type Walk = { readonly pages: readonly ReadPage[]; readonly isWhole: boolean }

export const MAX_PAGES = 1_000

/** Asks for one page. */
export function readPage(
  connection: ProbeConnection,
  { method }: ListMethod,
  cursor?: string,
): Promise<Outcome> {
  return connection.call(method, cursor === undefined ? {} : { cursor })
}

/** Reads a list page by page to its end, an error, or page 1,000. */
export async function walk(connection: ProbeConnection, list: ListMethod): Promise<Walk> {
  const pages: ReadPage[] = []
  let cursor: string | undefined
  while (pages.length < MAX_PAGES) {
    const outcome = await readPage(connection, list, cursor)
    pages.push({ cursor, outcome })
    if (outcome.type !== 'result') return { pages, isWhole: false }
    const { nextCursor } = outcome.result
    if (typeof nextCursor !== 'string') return { pages, isWhole: true }
    cursor = nextCursor
  }
  return { pages, isWhole: false }
}

/** The names of all entries of a walk, sorted. */
export function sortedKeys(list: ListMethod, { pages }: Walk): readonly string[] {
  return keysInOrder(list, { pages, isWhole: true }).toSorted()
}

/** The names of all entries of a walk, in the order in which they came. */
export function keysInOrder(list: ListMethod, { pages }: Walk): readonly string[] {
  return pages.flatMap(({ outcome }) => (outcome.type === 'result' ? keysOf(list, outcome.result) : []))
}
