import type { JsonObject } from '../server-core/protocol/json.ts'
import { LATEST, STABLE } from '../server-core/protocol/revisions.ts'

export type Era = 'legacy' | 'modern'

/** A request that everybody answers, and how its answer is known. */
export type Ask = {
  readonly method: string
  readonly params: JsonObject
  /** Receives the bytes of the message. */
  readonly isAnswered: (answer: Buffer) => boolean
}

const MEGABYTE = 1024 * 1024

export const ADD: Ask = {
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 40, b: 2 } },
  isAnswered: (answer) => answer.includes('"42"'),
}

/** A megabyte there and back. */
export const ECHO: Ask = {
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'abcdefgh'.repeat(MEGABYTE / 8) } },
  isAnswered: (answer) => answer.length > MEGABYTE,
}

/** All tools in one page. */
export const LIST: Ask = {
  method: 'tools/list',
  params: {},
  isAnswered: (answer) => answer.includes('"tool_00000"') && answer.includes('"result"'),
}

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

/** The text of a request. */
export function messageOf(era: Era, id: number, { method, params }: Omit<Ask, 'isAnswered'>): string {
  const all = era === 'modern' ? { ...params, _meta: ENVELOPE } : params
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: all })
}

/** One POST as bytes; `headers` beside those that every POST has. */
export function post(body: string, headers: Readonly<Record<string, string>>, path = '/mcp'): Buffer {
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  })
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** The headers that repeat a request (specification of 2026-07-28: Streamable HTTP, Standard Request Headers). */
export function modernHeaders({ method, params }: Ask): Readonly<Record<string, string>> {
  const { name } = params
  return {
    'MCP-Protocol-Version': LATEST,
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  }
}

/** The headers that tie a request to its session (specification of 2025-11-25: Streamable HTTP, Session Management). */
export const legacyHeaders = (session: string) => ({
  'MCP-Protocol-Version': STABLE,
  'Mcp-Session-Id': session,
})
