import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type Fault } from '../mutant.ts'
import { diesOf } from './base-client.ts'
import { withError } from './base-faults.ts'

const LINES = ['stdio', 'websocket'] as const

/** An endpoint that serves each message of an array. */
const expandsArrays: Fault = {
  http: (request, next) => {
    const text = request.body.toString()
    const value: unknown = text.startsWith('[{') ? JSON.parse(text) : undefined
    if (!Array.isArray(value)) return next(request)
    const answers = (value as unknown[]).map((each) => ({
      jsonrpc: '2.0',
      id: isJsonObject(each) ? each['id'] : null,
      result: { resultType: 'complete' },
    }))
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(answers)),
    }
  },
}

const dead: Fault = diesOf(() => false)

/** The mutants of the area `jsonrpc`. */
export const JSONRPC_PROOF: AreaProof = {
  mutants: [
    { id: 'm.jsonrpc.parse-error.server', side: 'server', fault: { incomingBytes: () => undefined } },
    {
      id: 'm.jsonrpc.invalid-request.server',
      side: 'server',
      fault: { incoming: (message) => ('method' in message ? { ...message, jsonrpc: '2.0' } : message) },
    },
    {
      id: 'm.jsonrpc.unknown-method.server',
      side: 'server',
      fault: {
        outgoing: withError((error) => (error['code'] === -32_601 ? { ...error, code: -32_603 } : error)),
      },
    },
    {
      id: 'm.jsonrpc.unknown-method.client',
      side: 'client',
      fault: { incoming: (message) => (message['method'] === 'patchbay/none' ? undefined : message) },
    },
    {
      id: 'm.jsonrpc.invalid-params.server',
      side: 'server',
      transports: LINES,
      fault: {
        incoming: (message) => {
          const { method, params } = message
          return method === 'tools/call' && isJsonObject(params) && params['name'] === undefined
            ? { ...message, params: { ...params, name: 'test_simple_text' } }
            : message
        },
      },
    },
    {
      id: 'm.jsonrpc.batch-refused.server',
      side: 'server',
      transports: ['http'],
      fault: expandsArrays,
      alsoBreaks: {
        'meta.server-info': 'The answers of the array are served by the rules of an older revision.',
      },
    },
    {
      id: 'm.jsonrpc.batch-refused.client',
      side: 'client',
      transports: LINES,
      fault: {
        outgoing: (message) => (message['method'] === 'tools/list' ? new Messages([message]) : message),
      },
      alsoBreaks: { 'stdio.client.stdin-pure': 'The revision has no lines with arrays.' },
    },
    {
      id: 'm.jsonrpc.stray-response.server',
      side: 'server',
      transports: ['stdio', 'websocket', 'http'],
      fault: {
        incoming: (message, { reply }) => {
          if (message['id'] !== 'patchbay-none') return message
          reply({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Unknown response' } })
          return undefined
        },
      },
    },
    {
      id: 'm.jsonrpc.stray-response.client',
      side: 'client',
      fault: diesOf((message, { answers }) => !('method' in message) && answers === undefined),
    },
    {
      id: 'm.jsonrpc.parse-error.client',
      side: 'client',
      fault: {
        ...dead,
        incomingBytes: (bytes, { peer }) => {
          peer.set('dead', true)
          return bytes
        },
      },
    },
  ],
}
