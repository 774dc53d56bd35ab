import { LATEST, STABLE } from '../server-core/protocol/revisions.ts'

export type Era = 'legacy' | 'modern'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': LATEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
}

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: STABLE, capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})

/** The call that everybody answers. */
export function addCall(era: Era, id: number): string {
  const params = { name: 'add', arguments: { a: 40, b: 2 }, ...(era === 'modern' ? { _meta: ENVELOPE } : {}) }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

/** One POST as bytes; `headers` beside those that every POST has. */
export function post(body: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  })
  return Buffer.from(
    `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

export const MODERN_HEADERS = {
  'MCP-Protocol-Version': LATEST,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'add',
}
/** The headers that tie a request to its session (specification of 2025-11-25: Streamable HTTP, Session Management). */
export const legacyHeaders = (session: string) => ({
  'MCP-Protocol-Version': STABLE,
  'Mcp-Session-Id': session,
})
