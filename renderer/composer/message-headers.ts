import { encodeHeaderValue } from '../../server-core/protocol/header-value.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { revisionRow } from '../../server-core/protocol/revisions.ts'

/**
 * The headers that repeat members of a message (2026-07-28, Streamable HTTP: standard headers), as far as the text
 * can be read; none where the revision has none.
 */
export function messageHeaders(text: string, revision: string): Readonly<Record<string, string>> {
  if (revisionRow(revision)?.http !== 'stateless') return {}
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return {}
  const params = isJsonObject(message['params']) ? message['params'] : {}
  const name = nameIn(message['method'], params)
  return {
    'Mcp-Method': message['method'],
    ...(typeof name === 'string' && { 'Mcp-Name': encodeHeaderValue(name) }),
  }
}

function nameIn(method: string, params: Readonly<Record<string, unknown>>): unknown {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return params['name']
    case 'resources/read':
      return params['uri']
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return params['taskId']
    default:
      return undefined
  }
}
