import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { DEPRECATED_CAPABILITIES } from '../deprecated/table.ts'

/** What needs a session. */
const LASTING: ReadonlySet<string> = new Set(['tasks', ...Object.keys(DEPRECATED_CAPABILITIES)])

/**
 * What is declared to a client of the revision. Extensions are declared in every revision: capabilities are open, and
 * peers of older ones read them.
 */
export function declaredFor(row: RevisionRow, capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(capabilities).filter(
      ([name]) => name === 'extensions' || row.serverCapabilities.includes(name),
    ),
  )
}

/**
 * What can be declared to a client that is served without a session (Streamable HTTP, session management): nothing
 * that would need a later notification, or memory of the client.
 */
export function declaredWithoutSession(row: RevisionRow, capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(declaredFor(row, capabilities))
      .filter(([name]) => !LASTING.has(name))
      .map(([name, value]) => [name, isJsonObject(value) ? withoutNotices(value) : value]),
  )
}

function withoutNotices({
  listChanged: _listChanged,
  subscribe: _subscribe,
  ...rest
}: JsonObject): JsonObject {
  return rest
}
