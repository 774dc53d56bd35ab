import type { Connection } from '../../client/connection.ts'
import type { Listed as FetchedList } from '../../client/listed.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { Listed, ListKind, Lists } from '../contract/inspect.ts'

/**
 * The lists that a server declares, of these kinds, fetched side by side. A list that fails is a problem and harms no other.
 *
 * @param kinds the lists of another kind come empty, and the server is not asked for them
 * @param signal ends the reading between pages and within one; then its reason is thrown
 */
export async function readLists(
  connection: Connection,
  kinds: readonly ListKind[],
  signal?: AbortSignal,
): Promise<Lists> {
  // Whoever looks at a list wants to see what the server says now.
  const options = { cache: 'anew', ...(signal !== undefined && { signal }) } as const
  const problems: Lists['problems'] = []
  const { capabilities } = connection
  const read = async (list: string, kind: ListKind, fetch: () => Promise<FetchedList>): Promise<Listed[]> => {
    if (!kinds.includes(kind) || !isJsonObject(capabilities[kind])) return []
    try {
      const fetched = await fetch()
      const { problem, warning } = fetched
      if (problem !== undefined) problems.push({ list, message: problem })
      if (warning !== undefined) problems.push({ list, message: warning, isHarmless: true })
      return merge(fetched)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const code =
        error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
      problems.push({ list, message, ...(code !== undefined && { code }) })
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
  return { tools, resources, resourceTemplates, prompts, problems }
}

/** Puts malformed entries back to where they stood in the list, and shows flawed ones as they came. */
function merge({ items, malformed, flawed }: FetchedList): Listed[] {
  const listed: Listed[] = items.map((value) => ({ value, name: nameOf(value) }))
  for (const { index, value, reason } of [...malformed].sort((a, b) => a.index - b.index)) {
    listed.splice(Math.min(index, listed.length), 0, { value, name: nameOf(value), malformed: reason })
  }
  for (const { index, value, reason } of flawed)
    listed[index] = { value, name: nameOf(value), malformed: reason }
  return listed
}

function nameOf(value: unknown): string {
  if (!isJsonObject(value)) return '(no name)'
  const name = [value['name'], value['uri'], value['uriTemplate']].find((each) => typeof each === 'string')
  return typeof name === 'string' && name !== '' ? name : '(no name)'
}
