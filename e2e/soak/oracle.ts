import { isUtf8 } from 'node:buffer'

/** What a session of 2025-11-25 owes for one message, judged without the product's own code. */
export type Owed =
  /** Nothing at all: a notification, or an answer to nothing. */
  | { readonly type: 'nothing' }
  /** One error; it carries the id if that could be read, or none. */
  | { readonly type: 'error'; readonly id: string | number | undefined }
  /** One answer of either kind, with exactly that id. */
  | { readonly type: 'answer'; readonly id: string | number }

/** Bounds that the product documents as its defaults. */
const DEPTH = 256
const ID_LENGTH = 1_024

/** Returns what is owed for the bytes of one message (JSON-RPC 2.0; MCP 2025-11-25, base protocol). */
export function owedFor(bytes: Buffer): Owed {
  const unreadable: Owed = { type: 'error', id: undefined }
  if (!isUtf8(bytes)) return unreadable
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return unreadable
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable
  if (depthOf(bytes.toString('utf8')) > DEPTH) return unreadable
  const message = new Map<string, unknown>(Object.entries(value))
  const id = message.get('id')
  const legalId = isLegalId(id) ? id : undefined
  const fault: Owed = { type: 'error', id: legalId }
  if (message.get('jsonrpc') !== '2.0') return fault
  const method = message.get('method')
  if (method === undefined) return owedForResponse(message, legalId, fault)
  const params = message.get('params')
  const isCall = typeof method === 'string' && (params === undefined || isPlainObject(params))
  if (!isCall) return fault
  if (!message.has('id')) return { type: 'nothing' }
  if (legalId === undefined) return fault
  const tooLong = typeof legalId === 'string' && legalId.length > ID_LENGTH
  return tooLong ? { type: 'error', id: undefined } : { type: 'answer', id: legalId }
}

function owedForResponse(
  message: ReadonlyMap<string, unknown>,
  legalId: string | number | undefined,
  fault: Owed,
): Owed {
  const result = message.get('result')
  const error = message.get('error')
  if (result !== undefined && error === undefined) {
    return isPlainObject(result) && legalId !== undefined ? { type: 'nothing' } : fault
  }
  if (error === undefined || result !== undefined || !isPlainObject(error)) return fault
  const { code, message: text } = error
  if (!Number.isInteger(code) || typeof text !== 'string') return fault
  const id = message.get('id')
  return legalId !== undefined || id === undefined || id === null ? { type: 'nothing' } : fault
}

function isLegalId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How deep valid JSON text is nested; recursion would not survive what this is asked about. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[[\]{}]/g) ?? []) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, (depth += 1))
    else if (token === ']' || token === '}') depth -= 1
  }
  return deepest
}
