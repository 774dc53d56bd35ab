import { decodeHeaderValue } from '../../../server-core/protocol/header-value.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Mutant, ProxyRequest, ProxyResponse } from '../mutant.ts'
import { json, messageIn } from './http-servers.ts'

const isStreamReply = ({ headers }: ProxyResponse) =>
  /^text\/event-stream/.test(headers['content-type'] ?? '')
const methodOf = (request: ProxyRequest) => messageIn(request)['method']

const argumentsOf = (request: ProxyRequest): JsonObject => {
  const { params } = messageIn(request)
  const args = isJsonObject(params) ? params['arguments'] : undefined
  return isJsonObject(args) ? args : {}
}

const HEADERS: readonly Mutant[] = [
  {
    id: 'm.http26.client.no-responses',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        if (methodOf(request) !== 'tools/list' || !isStreamReply(reply)) return reply
        const answer = { jsonrpc: '2.0', id: 'patchbay-illegal', result: { action: 'decline' } }
        void next({ ...request, body: Buffer.from(JSON.stringify(answer)) })
        return reply
      },
    },
  },
  {
    id: 'm.http26.client.headers',
    side: 'client',
    fault: {
      http: (request, next) => {
        if (methodOf(request) === 'resources/read') delete request.headers['mcp-name']
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.client.name-encoding',
    side: 'client',
    fault: {
      http: (request, next) => {
        const decoded = decodeHeaderValue(request.headers['mcp-name'] ?? '')
        if (decoded.ok && /[^\x00-\x7f]/.test(decoded.value))
          request.headers['mcp-name'] = encodeURIComponent(decoded.value)
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.client.header-case',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const isMissed = (name: string) =>
          reply.names?.some((each) => each.toLowerCase() === name && /SESSION|-TYPE/.test(each)) === true
        const kept = Object.entries(reply.headers).filter(([name]) => !isMissed(name))
        // Without its type a body is nothing to this client.
        const body = isMissed('content-type') ? Buffer.alloc(0) : reply.body
        return { ...reply, headers: Object.fromEntries(kept), body }
      },
    },
  },
]

const PARAMETERS: readonly Mutant[] = [
  {
    id: 'm.http26.param.client-mirrors',
    side: 'client',
    fault: {
      http: (request, next) => {
        const { text } = argumentsOf(request)
        if (
          typeof text === 'string' &&
          text.startsWith(' ') &&
          request.headers['mcp-param-text'] !== undefined
        )
          request.headers['mcp-param-text'] = text.trim()
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.param.client-omits',
    side: 'client',
    fault: {
      http: (request, next) => {
        if (argumentsOf(request)['text'] === null) request.headers['mcp-param-text'] = 'null'
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.param.client-integers',
    side: 'client',
    fault: {
      http: (request, next) => {
        const count = request.headers['mcp-param-count']
        if (count !== undefined) request.headers['mcp-param-count'] = `${count}.0`
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.param.client-rejects',
    side: 'client',
    transports: ['http'],
    fault: {
      incoming: (message, { answers }) => {
        const { result } = message
        if (answers?.['method'] !== 'tools/list' || !isJsonObject(result)) return message
        const isBad = JSON.stringify(result['tools']).includes('"x-mcp-header":""')
        return isBad ? { ...message, result: { ...result, tools: [] } } : message
      },
    },
  },
  {
    id: 'm.http26.param.client-relists',
    side: 'client',
    fault: {
      // The list that it would ask for is not asked for, so that the retry is as wrong as the call.
      http: async (request, next, peer) => {
        if (methodOf(request) === 'tools/list' && peer.has('refused')) {
          const { id } = messageIn(request)
          return json(500, { jsonrpc: '2.0', id, error: { code: -32603, message: 'not asked' } })
        }
        const reply = await next(request)
        if (methodOf(request) === 'tools/call' && reply.status === 400) peer.set('refused', true)
        return reply
      },
    },
  },
]

const ERAS: readonly Mutant[] = [
  {
    id: 'm.http26.client.era-400',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        return reply.status === 400 && methodOf(request) === 'server/discover'
          ? { ...reply, body: Buffer.alloc(0) }
          : reply
      },
    },
  },
  {
    id: 'm.http26.client.no-downgrade',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        return reply.status === 503 && methodOf(request) === 'server/discover'
          ? { status: 400, headers: {}, body: Buffer.alloc(0) }
          : reply
      },
    },
  },
  {
    id: 'm.http26.client.lost-stream',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        if (methodOf(request) === 'tools/call' && isStreamReply(reply)) {
          const { 'content-type': _, ...headers } = request.headers
          const resume = { ...request, method: 'GET', body: Buffer.alloc(0) }
          void next({ ...resume, headers: { ...headers, 'last-event-id': '1-1' } })
        }
        return reply
      },
    },
  },
]

/** Clients with a fault in Streamable HTTP of 2026-07-28. */
export const HTTP26_CLIENT_MUTANTS: readonly Mutant[] = [...HEADERS, ...PARAMETERS, ...ERAS]
