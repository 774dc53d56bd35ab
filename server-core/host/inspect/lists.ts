import type { Connection } from '../../client/connection.ts'
import { LISTS, type Listed as FetchedList } from '../../client/listed.ts'
import { ErrorCode } from '../../protocol/errors.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { ListKind, ListName } from '../../protocol/list-kind.ts'
import type { Listed, Lists, NextPage } from '../contract/inspect.ts'
import type { PageReadings } from './page-readings.ts'
import { messageOf } from '../../protocol/error-message.ts'

/**
 * The lists that a server declares, of these kinds, fetched side by side. A list that fails is a problem and harms no other.
 *
 * @param kinds the lists of another kind come empty, and the server is not asked for them
 * @param signal ends the reading between pages and within one; then its reason is thrown
 * @param readings if given, only the first page of each list is read, and they go on with it
 */
export async function readLists(
  connection: Connection,
  kinds: readonly ListKind[],
  signal?: AbortSignal,
  readings?: PageReadings,
): Promise<Lists> {
  // Whoever looks at a list wants to see what the server says now.
  const options = { cache: 'refresh', ...(signal !== undefined && { signal }) } as const
  const problems: Lists['problems'] = []
  const more: NonNullable<Lists['more']> = []
  const { capabilities } = connection
  const firstPage = async (list: ListName, from: PageReadings): Promise<FetchedList> => {
    const { page, readingId } = await from.begin(connection, list)
    if (readingId !== undefined) more.push({ list, readingId })
    return page
  }
  const read = async (
    list: ListName,
    kind: ListKind,
    fetch: () => Promise<FetchedList>,
  ): Promise<Listed[]> => {
    if (!kinds.includes(kind) || !isJsonObject(capabilities[kind])) return []
    try {
      const fetched = await (readings === undefined ? fetch() : firstPage(list, readings))
      problems.push(...problemsOf(list, fetched))
      return merge(fetched)
    } catch (error) {
      const message = messageOf(error)
      const code =
        error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
      // Servers declare more than they handle: such a list is empty, and everything else works.
      if (code === ErrorCode.methodNotFound)
        problems.push({
          list,
          message: `The server does not know ${LISTS[list].method}`,
          code,
          isHarmless: true,
        })
      else problems.push({ list, message, ...(code !== undefined && { code }) })
      return []
    }
  }
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read('tools', 'tools', () => connection.listTools(options)),
    read('resources', 'resources', () => connection.listResources(options)),
    read('resourceTemplates', 'resources', () => connection.listResourceTemplates(options)),
    read('prompts', 'prompts', () => connection.listPrompts(options)),
  ])
  signal?.throwIfAborted()
  return { tools, resources, resourceTemplates, prompts, problems, ...(more.length > 0 && { more }) }
}

/** Goes on with a list by one page. Throws what the client throws. */
export async function readNextPage(
  connection: Connection,
  readings: PageReadings,
  readingId: string,
): Promise<NextPage> {
  const { list, page, first } = await readings.next(connection, readingId)
  return {
    list,
    entries: merge(page, first),
    hasMore: page.nextCursor !== undefined,
    isRestarted: page.restarted === true,
    problems: problemsOf(list, page),
  }
}

function problemsOf(list: ListName, { problem, warning }: FetchedList): Lists['problems'] {
  return [
    ...(problem === undefined ? [] : [{ list, message: problem }]),
    ...(warning === undefined ? [] : [{ list, message: warning, isHarmless: true }]),
  ]
}

/**
 * Puts malformed entries back to where they stood, and shows flawed ones as they came.
 *
 * @param first where in the whole list these entries begin
 */
function merge({ items, malformed, flawed }: FetchedList, first = 0): Listed[] {
  const listed: Listed[] = items.map((value) => ({ value, name: nameOf(value) }))
  for (const { index, value, reason } of [...malformed].sort((a, b) => a.index - b.index)) {
    listed.splice(Math.min(index - first, listed.length), 0, {
      value,
      name: nameOf(value),
      malformed: reason,
    })
  }
  for (const { index, value, reason } of flawed)
    listed[index - first] = { value, name: nameOf(value), malformed: reason }
  return listed
}

function nameOf(value: unknown): string {
  if (!isJsonObject(value)) return '(no name)'
  const name = [value['name'], value['uri'], value['uriTemplate']].find((each) => typeof each === 'string')
  return typeof name === 'string' && name !== '' ? name : '(no name)'
}
