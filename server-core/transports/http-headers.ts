import { encodeHeaderValue } from '../protocol/header-value.ts'
import type { JsonRpcMessage } from '../protocol/messages.ts'
import { revisionRow } from '../protocol/revisions.ts'

/** The parameter of a method that `Mcp-Name` repeats (2026-07-28, Streamable HTTP: standard headers). */
const NAMED_BY: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * The headers that a POSTed message needs in a revision: none while a handshake is under way, the negotiated
 * version in a legacy session, the routing headers as well where every request describes itself.
 */
export function protocolHeaders(
  message: JsonRpcMessage,
  revision: string | undefined,
): Record<string, string> {
  if (revision === undefined) return {}
  const headers: Record<string, string> = { 'mcp-protocol-version': revision }
  if (revisionRow(revision)?.era !== 'modern' || !('method' in message)) return headers
  headers['mcp-method'] = message.method
  const member = NAMED_BY.get(message.method)
  const value = member === undefined ? undefined : message.params?.[member]
  if (typeof value === 'string') headers['mcp-name'] = encodeHeaderValue(value)
  return headers
}
