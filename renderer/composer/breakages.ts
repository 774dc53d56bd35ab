import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { printJson } from '../json/print-json.ts'

/** A way to break a message. */
export interface Breakage {
  readonly name: string
  readonly apply: (message: JsonObject, text: string) => string
}

const LEVELS = 300

/** What peers get wrong, and what hostile ones send. */
export const BREAKAGES: readonly Breakage[] = [
  { name: 'Cut off the end', apply: (_, text) => text.trimEnd().slice(0, -1) },
  { name: 'Leave out jsonrpc', apply: ({ jsonrpc: _, ...rest }) => printJson(rest) },
  { name: 'Claim JSON-RPC 1.0', apply: (message) => printJson({ ...message, jsonrpc: '1.0' }) },
  { name: 'Make the id null', apply: (message) => printJson({ ...message, id: null }) },
  { name: 'Make the id a fraction', apply: (message) => printJson({ ...message, id: 1.5 }) },
  { name: 'Leave out the method', apply: ({ method: _, ...rest }) => printJson(rest) },
  {
    name: 'Ask for an unknown method',
    apply: (message) => printJson({ ...message, method: 'no/such/method' }),
  },
  {
    name: 'Make params a list',
    apply: (message) => printJson({ ...message, params: [message['params'] ?? null] }),
  },
  { name: 'Leave out _meta', apply: withoutMeta },
  { name: 'Give a key twice', apply: (message) => printJson(message).replace('{', '{\n  "method": "ping",') },
  {
    name: 'Make it a response as well',
    apply: (message) => printJson({ ...message, result: {}, error: { code: -32000, message: 'both' } }),
  },
  {
    name: 'Answer what nobody asked',
    apply: ({ id = 'nobody' }) => printJson({ jsonrpc: '2.0', id, result: {} }),
  },
  { name: 'Put it in a batch', apply: (message) => printJson([message]) },
  { name: 'Send an empty batch', apply: () => '[]' },
  {
    name: `Nest it ${String(LEVELS)} levels deep`,
    apply: (message) => {
      const bare = stringifyExact({ ...message, params: { deep: 'HERE' } })
      return bare.replace('"HERE"', `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`)
    },
  },
  {
    name: 'Put half a character in a text',
    apply: (message) => printJson(message).replace(/":\s*"/, '$&\\ud800'),
  },
]

/** The text broken in that way; undefined if it is no JSON object already. */
export function broken(text: string, breakage: Breakage): string | undefined {
  let message: unknown
  try {
    message = parseExact(text, 'text')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  return isJsonObject(message) ? breakage.apply(message, text) : undefined
}

function withoutMeta(message: JsonObject): string {
  const { params } = message
  if (!isJsonObject(params)) return printJson(message)
  const { _meta: _, ...rest } = params
  return printJson({ ...message, params: rest })
}
