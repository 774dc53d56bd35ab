import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { ChangeMessage, Mutant, ProxyRequest } from '../mutant.ts'
import { eventMessage, json, messageIn } from './http-servers.ts'

const MODERN = '2026-07-28'

function versionOf(message: JsonObject): unknown {
  const { params } = message
  return isJsonObject(params) && isJsonObject(params['_meta'])
    ? params['_meta'][MetaKey.protocolVersion]
    : undefined
}

function errorReply(request: ProxyRequest, status: number, code: number) {
  const { id } = messageIn(request)
  return json(status, { jsonrpc: '2.0', id, error: { code, message: 'Refused' } })
}

const argumentsOf = (request: ProxyRequest): JsonObject => {
  const { params } = messageIn(request)
  const args = isJsonObject(params) ? params['arguments'] : undefined
  return isJsonObject(args) ? args : {}
}

/** Changes a property of a listed tool's input schema. */
const property =
  (tool: string, name: string, change: (schema: JsonObject) => JsonObject): ChangeMessage =>
  (message, { answers }) => {
    const { result } = message
    if (answers?.['method'] !== 'tools/list' || !isJsonObject(result) || !Array.isArray(result['tools']))
      return message
    const tools = (result['tools'] as JsonObject[]).map((each) => {
      const { inputSchema } = each
      if (each['name'] !== tool || !isJsonObject(inputSchema)) return each
      const properties = isJsonObject(inputSchema['properties']) ? inputSchema['properties'] : {}
      const changed = isJsonObject(properties[name]) ? change(properties[name]) : change({})
      return { ...each, inputSchema: { ...inputSchema, properties: { ...properties, [name]: changed } } }
    })
    return { ...message, result: { ...result, tools } }
  }

const HEADERS: readonly Mutant[] = [
  {
    id: 'm.http26.server.endpoint',
    side: 'server',
    fault: {
      // The answer stays, so that the checks that use discover for something else see what they look for.
      http: async (request, next) => {
        const reply = await next(request)
        return reply.status === 200 && messageIn(request)['method'] === 'server/discover'
          ? { ...reply, status: 404 }
          : reply
      },
    },
    alsoBreaks: {
      'http.server.json-or-sse': 'what can be fulfilled is answered by a 2xx',
      'http.server.origin': 'discover, which it sends without Origin, is not served',
    },
  },
  {
    id: 'm.http26.server.version-mismatch',
    side: 'server',
    fault: {
      http: (request, next) => {
        const version = versionOf(messageIn(request))
        if (typeof version === 'string' && request.headers['mcp-protocol-version'] !== undefined)
          request.headers['mcp-protocol-version'] = version
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.server.version-unsupported',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const isOld = request.headers['mcp-protocol-version'] === '1900-01-01'
        return reply.status === 400 && isOld && 'id' in messageIn(request) ? { ...reply, status: 200 } : reply
      },
    },
  },
  {
    id: 'm.http26.server.method-404',
    side: 'server',
    fault: {
      http: (request, next) => {
        const message = messageIn(request)
        const isPing = message['method'] === 'ping' && versionOf(message) === MODERN
        return isPing
          ? json(200, { jsonrpc: '2.0', id: message['id'], result: { resultType: 'complete' } })
          : next(request)
      },
    },
  },
  {
    id: 'm.http26.server.version-absent',
    side: 'server',
    fault: {
      http: (request, next) => {
        const { method } = messageIn(request)
        const isMissing =
          request.headers['mcp-method'] === undefined && versionOf(messageIn(request)) === MODERN
        if (isMissing && typeof method === 'string') request.headers['mcp-method'] = method
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.server.header-mismatch',
    side: 'server',
    fault: {
      http: (request, next) => {
        const { params } = messageIn(request)
        const name = isJsonObject(params) ? params['name'] : undefined
        if (typeof name === 'string' && /^[\w-]+$/.test(name)) request.headers['mcp-name'] = name
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.server.header-tolerance',
    side: 'server',
    fault: {
      http: (request, next) =>
        request.headers['mcp-name']?.startsWith('=?base64?') === true
          ? errorReply(request, 400, -32020)
          : next(request),
    },
  },
  {
    id: 'm.http26.server.bad-sentinel',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const isEncoded = request.headers['mcp-name']?.startsWith('=?base64?') === true
        return isEncoded && reply.status === 400 ? { status: 500, headers: {}, body: Buffer.alloc(0) } : reply
      },
    },
  },
  {
    id: 'm.http26.server.session-ignored',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        if (request.headers['mcp-protocol-version'] !== MODERN) return reply
        return { ...reply, headers: { ...reply.headers, 'mcp-session-id': 'session-of-a-modern-server' } }
      },
    },
  },
  {
    id: 'm.http26.server.get-delete',
    side: 'server',
    fault: {
      server: (options) => ({ ...options, revisions: [MODERN] }),
      listener: (options) => ({ ...options, routes: { mcp: true, ws: true } }),
      http: (request, next) =>
        request.method === 'GET' && request.headers['origin'] === undefined
          ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: Buffer.from(': open\n\n') }
          : next(request),
    },
  },
  {
    id: 'm.http26.server.body-single',
    side: 'server',
    fault: {
      http: (request, next) => {
        if (!request.body.toString().startsWith('[')) return next(request)
        const items = JSON.parse(request.body.toString()) as unknown[]
        if (items.length === 1) request.body = Buffer.from(JSON.stringify(items[0]))
        return next(request)
      },
    },
  },
]

const STREAMS: readonly Mutant[] = [
  {
    id: 'm.http26.server.sse-headers',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const { 'x-accel-buffering': _, ...headers } = reply.headers
        return { ...reply, headers }
      },
    },
  },
  {
    id: 'm.http26.server.related-only',
    side: 'server',
    fault: {
      streams: {
        event: (event, stream) => {
          if (eventMessage(event)['method'] === 'notifications/progress')
            for (const other of stream.others) other.write(event)
          return [event]
        },
      },
    },
  },
]

const PARAMETERS: readonly Mutant[] = [
  {
    id: 'm.http26.param.server-publishes',
    side: 'server',
    fault: {
      outgoing: property('test_custom_header', 'weight', () => ({
        type: 'number',
        'x-mcp-header': 'Weight',
      })),
    },
    transports: ['http'],
  },
  {
    id: 'm.http26.server.safe-integers',
    side: 'server',
    fault: {
      outgoing: property('test_header_integer', 'count', (schema) => ({ ...schema, maximum: 2 ** 60 })),
    },
    transports: ['http'],
  },
  {
    id: 'm.http26.param.server-checks',
    side: 'server',
    fault: {
      http: (request, next) => {
        const { region } = argumentsOf(request)
        if (typeof region === 'string' && request.headers['mcp-param-region'] === undefined)
          request.headers['mcp-param-region'] = region
        return next(request)
      },
    },
  },
  {
    id: 'm.http26.param.server-integer',
    side: 'server',
    fault: {
      http: (request, next) => {
        const { count } = argumentsOf(request)
        const header = request.headers['mcp-param-count']
        return typeof count === 'number' && header !== undefined && header !== String(count)
          ? errorReply(request, 400, -32020)
          : next(request)
      },
    },
  },
]

/** Servers with a fault in Streamable HTTP of 2026-07-28. */
export const HTTP26_SERVER_MUTANTS: readonly Mutant[] = [...HEADERS, ...STREAMS, ...PARAMETERS]
