import { encodeHeaderValue } from '../../protocol/header-value.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { revisionRow } from '../../protocol/revisions.ts'

/** The parameter of a method that `Mcp-Name` repeats (2026-07-28, Streamable HTTP: standard headers). */
const NAMED_BY: ReadonlyMap<string, 'name' | 'uri' | 'taskId'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/**
 * Adds the headers that a POSTed message needs in a revision: none while a handshake is under way, the negotiated
 * version in a legacy session, the routing headers as well where every request describes itself.
 */
export function addProtocolHeaders(
  headers: Record<string, string>,
  message: JsonRpcMessage,
  revision: string | undefined,
): void {
  if (revision === undefined) return
  headers['mcp-protocol-version'] = revision
  if (revisionRow(revision)?.era !== 'modern' || !('method' in message)) return
  headers['mcp-method'] = message.method
  const member = NAMED_BY.get(message.method)
  const value = member === undefined ? undefined : message.params?.[member]
  if (typeof value === 'string') headers['mcp-name'] = encodeHeaderValue(value)
}
