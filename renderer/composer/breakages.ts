import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { printJson } from '../json/print-json.ts'
import { composerText } from './text.ts'

/** A way to break a message. */
export interface Breakage {
  readonly name: string
  readonly apply: (message: JsonObject, text: string) => string
}

const LEVELS = 300

/** What peers get wrong, and what hostile ones send. */
export const BREAKAGES: readonly Breakage[] = [
  { name: composerText.breakages.cutOffTheEnd, apply: (_, text) => text.trimEnd().slice(0, -1) },
  { name: composerText.breakages.leaveOutJsonrpc, apply: ({ jsonrpc: _, ...rest }) => printJson(rest) },
  { name: 'Claim JSON-RPC 1.0', apply: (message) => printJson({ ...message, jsonrpc: '1.0' }) },
  { name: composerText.breakages.makeTheIdNull, apply: (message) => printJson({ ...message, id: null }) },
  { name: composerText.breakages.fractionalId, apply: (message) => printJson({ ...message, id: 1.5 }) },
  { name: composerText.breakages.leaveOutTheMethod, apply: ({ method: _, ...rest }) => printJson(rest) },
  {
    name: composerText.breakages.unknownMethod,
    apply: (message) => printJson({ ...message, method: 'no/such/method' }),
  },
  {
    name: composerText.breakages.makeParamsAList,
    apply: (message) => printJson({ ...message, params: [message['params'] ?? null] }),
  },
  { name: composerText.breakages.leaveOutMeta, apply: withoutMeta },
  {
    name: composerText.breakages.giveAKeyTwice,
    apply: (message) => printJson(message).replace('{', '{\n  "method": "ping",'),
  },
  {
    name: composerText.breakages.requestAndResponse,
    apply: (message) => printJson({ ...message, result: {}, error: { code: -32000, message: 'both' } }),
  },
  {
    name: composerText.breakages.answerWhatNobodyAsked,
    apply: ({ id = 'nobody' }) => printJson({ jsonrpc: '2.0', id, result: {} }),
  },
  { name: composerText.breakages.batch, apply: (message) => printJson([message]) },
  { name: composerText.breakages.sendAnEmptyBatch, apply: () => '[]' },
  {
    name: composerText.breakages.nestItLevelsDeep(String(LEVELS)),
    apply: (message) => {
      const bare = stringifyExact({ ...message, params: { deep: 'HERE' } })
      return bare.replace('"HERE"', `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`)
    },
  },
  {
    name: composerText.breakages.halfCharacter,
    apply: (message) => printJson(message).replace(/":\s*"/, '$&\\ud800'),
  },
]

/** The text broken in that way; undefined if it is not a JSON object already. */
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
