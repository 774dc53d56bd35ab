import type { Connection } from '../client/connect.ts'
import { isJsonObject } from '../protocol/json.ts'
import { nearest } from './nearest.ts'

/** Names shown when none is near; more would push the error off the screen. */
const SHOWN = 20

/**
 * What to say to a user whose call failed because the server has no tool of that name: the names that are near, or
 * those there are. `undefined` if it has such a tool, or does not tell which it has.
 */
export async function unknownToolHint(connection: Connection, tool: string): Promise<string | undefined> {
  let names: readonly string[]
  try {
    names = namesOf((await connection.listTools()).items)
  } catch {
    // The failure of the call is what the user has to hear; that no list came adds nothing to it.
    return undefined
  }
  if (names.includes(tool)) return undefined
  if (names.length === 0) return 'It lists no tools.'
  const near = nearest(tool, names)
  if (near.length > 0) return `It has no tool "${tool}". Did you mean ${near.map(quoted).join(' or ')}?`
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more (patchbay list names them)` : ''
  return `It has no tool "${tool}". Its tools: ${names.slice(0, SHOWN).join(', ')}${more}`
}

function namesOf(tools: readonly unknown[]): readonly string[] {
  return tools.flatMap((tool) =>
    isJsonObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
  )
}

function quoted(name: string): string {
  return `"${name}"`
}
