import type { Connection } from '../../client/connect.ts'
import type { ListId } from '../../client/listed.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { UnknownNameError } from '../output/exit-code.ts'
import { suggest } from '../flags/suggest.ts'

/** Names shown when none is near; more would push the error off the screen. */
const SHOWN = 20

/** What is named, by the list that has it: the member of an entry that names it, and what it is called. */
const NAMED = {
  tools: { key: 'name', one: 'tool', many: 'tools' },
  prompts: { key: 'name', one: 'prompt', many: 'prompts' },
  resources: { key: 'uri', one: 'resource', many: 'resources' },
  resourceTemplates: { key: 'uriTemplate', one: 'URI template', many: 'URI templates' },
} as const satisfies Partial<Record<ListId, object>>
export type NamedList = keyof typeof NAMED

/**
 * What to say to a user whose request failed because the server has nothing of that name: the names that are near, or
 * those there are. `undefined` if it has it, or does not tell what it has.
 */
export async function unknownNameHint(
  connection: Connection,
  list: NamedList,
  name: string,
): Promise<string | undefined> {
  const { key, one, many } = NAMED[list]
  const names: string[] = []
  try {
    for await (const { items } of connection.pages(list))
      for (const item of items) if (typeof item[key] === 'string') names.push(item[key])
  } catch {
    // The failure of the request is what the user has to hear; that no list came adds nothing to it.
    return undefined
  }
  if (names.includes(name)) return undefined
  if (names.length === 0) return `It lists no ${many}.`
  const near = suggest(name, names)
  if (near.length > 0) return `It has no ${one} "${name}". Did you mean ${near.map(quoted).join(' or ')}?`
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more (patchbay list names them)` : ''
  return `It has no ${one} "${name}". Its ${many}: ${names.slice(0, SHOWN).join(', ')}${more}`
}

/** Runs a request that names something; where the server refuses it for its name, the error says what there is. */
export async function withNameHint<Value>(
  connection: Connection,
  list: NamedList,
  name: string,
  request: () => Promise<Value>,
): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    const hint = error instanceof ProtocolError ? await unknownNameHint(connection, list, name) : undefined
    throw hint === undefined ? error : new UnknownNameError(hint, { cause: error })
  }
}

function quoted(name: string): string {
  return `"${name}"`
}
