import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage, Mutant } from '../mutant.ts'
import { BASE_CLIENT_MUTANTS } from './base-client.ts'
import { decodedApart, latin1, stackMessage, textCode, withError, withIds } from './base-faults.ts'

const isResponse = (message: object) => !('method' in message)
const isRequest = (message: JsonObject) => typeof message['method'] === 'string' && 'id' in message

const oldVersion: ChangeMessage = (message) => ('error' in message ? { ...message, jsonrpc: '1.0' } : message)
const bothMembers: ChangeMessage = (message) => ('error' in message ? { ...message, result: {} } : message)
const identifiedProgress: ChangeMessage = (message) =>
  message['method'] === 'notifications/progress' ? { ...message, id: 77 } : message

const SERVER: readonly Mutant[] = [
  { id: 'm.base.wire.jsonrpc/server', side: 'server', fault: { outgoing: oldVersion } },
  {
    id: 'm.base.wire.request-id/server',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: { outgoing: (message) => (isRequest(message) ? { ...message, id: null } : message) },
  },
  {
    id: 'm.base.wire.id-unique-session/server',
    side: 'server',
    fault: withIds((_request, count) => `r${count % 2}`),
  },
  {
    id: 'm.base.wire.response-xor/server',
    side: 'server',
    fault: { outgoing: bothMembers },
    alsoBreaks: {
      'meta.server-info': 'The result beside the error is empty.',
      'resulttype.server': 'The result beside the error is empty.',
    },
  },
  { id: 'm.base.error.object-shape/server', side: 'server', fault: { outgoing: textCode } },
  { id: 'm.base.error.short-message/server', side: 'server', fault: { outgoing: stackMessage } },
  {
    id: 'm.base.error.reserved-codes/server',
    side: 'server',
    fault: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'resources/read'
          ? withError((error) => ({ ...error, code: -32_050 }))(message, NO_CONTEXT)
          : message,
    },
  },
  {
    id: 'm.base.error.private-codes/server',
    side: 'server',
    fault: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'tools/call' &&
        isJsonObject(message['result']) &&
        message['result']['isError'] === true
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_000, message: 'The tool failed' } }
          : message,
    },
  },
  {
    id: 'm.base.notification.no-id/server',
    side: 'server',
    fault: { outgoing: identifiedProgress },
    alsoBreaks: { 'stdio.server.modern-no-requests': 'A notification with an id is a request.' },
  },
  {
    id: 'm.base.notification.unanswered.server',
    side: 'server',
    fault: {
      incoming: (message, { reply }) => {
        if (message['method'] !== 'notifications/unknown') return message
        reply({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'Method not found' } })
        return undefined
      },
    },
  },
  {
    id: 'm.base.request.open.server',
    side: 'server',
    fault: {
      incoming: (message, { reply }) => {
        const text = JSON.stringify(message['params'] ?? {})
        if (
          !text.includes('"capabilities":{"patchbayUnknown"') &&
          !text.includes('clientCapabilities":{"patchbayUnknown"')
        )
          return message
        reply({ jsonrpc: '2.0', id: message['id'], error: { code: -32_602, message: 'Unknown capability' } })
        return undefined
      },
    },
  },
  {
    id: 'm.base.encoding.utf8/server',
    side: 'server',
    fault: { outgoingBytes: latin1 },
    alsoBreaks: { 'stdio.server.stdout-pure': 'Lines that are not UTF-8 may not be JSON.' },
  },
  { id: 'm.base.encoding.chunk-split/server', side: 'server', fault: { incoming: decodedApart } },
  {
    id: 'm.base.batch.empty',
    side: 'server',
    fault: {
      http: async (request, next) =>
        request.body.toString() === '[]'
          ? { status: 202, headers: {}, body: Buffer.alloc(0) }
          : next(request),
    },
    transports: ['http'],
  },
  {
    id: 'm.base.deep-nesting/server',
    side: 'server',
    transports: ['http'],
    fault: {
      http: (request, next) =>
        isShallow(parsed(request.body)) ? next(request) : { status: 500, headers: {}, body: Buffer.alloc(0) },
    },
  },
  {
    id: 'm.base.batch.receive.server',
    side: 'server',
    transports: ['http'],
    fault: { http: (request, next) => next({ ...request, body: firstOf(request.body, () => true) }) },
  },
  {
    id: 'm.base.batch.no-initialize/server',
    side: 'server',
    transports: ['http'],
    fault: {
      http: (request, next) =>
        next({ ...request, body: firstOf(request.body, (first) => first['method'] === 'initialize') }),
    },
  },
  {
    id: 'm.base.proto-keys/server',
    side: 'server',
    fault: {
      incoming: (message, { reply }) => {
        const { method, params } = message
        const name = isJsonObject(params) ? params['name'] : undefined
        if (method !== 'tools/call' || typeof name !== 'string' || !(name in {})) return message
        const result = { content: [{ type: 'text', text: '' }], resultType: 'complete' }
        reply({ jsonrpc: '2.0', id: message['id'], result })
        return undefined
      },
    },
    alsoBreaks: { 'meta.server-info': 'The answer of the fault has no serverInfo.' },
  },
  {
    id: 'm.base.id.echo-types',
    side: 'server',
    fault: {
      outgoing: (message) =>
        isResponse(message) && typeof message['id'] === 'number'
          ? { ...message, id: String(message['id']) }
          : message,
    },
  },
  {
    id: 'm.base.result.open.server',
    side: 'server',
    fault: {
      incoming: (message, { reply }) => {
        if (!JSON.stringify(message).includes('"patchbayExtra"')) return message
        if ('method' in message) {
          reply({ jsonrpc: '2.0', id: message['id'], error: { code: -32_602, message: 'Unknown member' } })
          return undefined
        }
        return { jsonrpc: '2.0', id: message['id'], error: { code: -32_603, message: 'Unknown member' } }
      },
    },
  },
]

const NO_CONTEXT = {
  transport: 'stdio',
  connection: new Map(),
  peer: new Map(),
  answers: undefined,
  isInArray: false,
  headers: {},
  reply: () => undefined,
} as const

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown
  } catch {
    return undefined
  }
}

/** The first message of an array in its place, if it is the one meant. */
function firstOf(body: Buffer, isMeant: (first: JsonObject) => boolean): Buffer {
  const value = parsed(body)
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return isJsonObject(first) && isMeant(first) ? Buffer.from(JSON.stringify(first)) : body
}

/** Whether a value nests at most a thousand levels. */
function isShallow(value: unknown, levels = 1_000): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

/** The mutants of the area `base`. */
export const BASE_PROOF: AreaProof = { mutants: [...SERVER, ...BASE_CLIENT_MUTANTS] }
