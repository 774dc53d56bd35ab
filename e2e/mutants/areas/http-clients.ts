import { randomUUID } from 'node:crypto'
import type { Mutant, ProxiedStream, ProxyResponse } from '../mutant.ts'
import { eventMessage, isAnswer, messageIn } from './http-servers.ts'
import { replaceSteps } from '../replace-steps.ts'

const isJsonReply = ({ headers }: ProxyResponse) => /^application\/json/.test(headers['content-type'] ?? '')
const isStreamReply = ({ headers }: ProxyResponse) =>
  /^text\/event-stream/.test(headers['content-type'] ?? '')
const never = () => new Promise<ProxyResponse>(() => undefined)
const isPost = ({ request }: ProxiedStream) => request.method === 'POST'

/** The methods of requests that were refused while the client did one thing. */
const refused = new Set<string>()

/** Clients with a fault in Streamable HTTP of the legacy revisions. */
export const HTTP_CLIENT_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.http.client.post-shape',
    side: 'client',
    fault: {
      http: (request, next) => {
        if (request.method === 'POST') request.headers['accept'] = 'application/json'
        return next(request)
      },
    },
  },
  {
    id: 'm.http.client.refused-body',
    side: 'client',
    fault: {
      // A client that fails to parse a body as JSON sends nothing more.
      http: async (request, next, peer) => {
        if (peer.has('crashed')) return never()
        const reply = await next(request)
        if (reply.status === 400 && !isJsonReply(reply)) peer.set('crashed', true)
        return reply
      },
    },
  },
  {
    id: 'm.http.client.both-forms',
    side: 'client',
    fault: {
      // Once it has seen a stream it reads streams alone.
      http: async (request, next, peer) => {
        const reply = await next(request)
        if (messageIn(request)['method'] !== 'tools/call') return reply
        if (isStreamReply(reply)) peer.set('streamed', true)
        return isJsonReply(reply) && peer.has('streamed') ? { ...reply, body: Buffer.alloc(0) } : reply
      },
    },
  },
  {
    id: 'm.http.client.sse-server-messages',
    side: 'client',
    fault: {
      streams: {
        event: (event, stream) => {
          const message = eventMessage(event)
          if (!isPost(stream) || stream.notes.has('first')) return [event]
          stream.notes.set('first', true)
          if (isAnswer(message)) return [event]
          const { id } = messageIn(stream.request)
          const error = { code: -32603, message: 'expected a result' }
          return [{ ...event, data: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })) }]
        },
      },
    },
  },
  {
    id: 'm.http.client.retry',
    side: 'client',
    fault: {
      streams: { event: (event) => [event.retry === undefined ? event : { ...event, retry: 1 }] },
    },
  },
  {
    id: 'm.http.client.get-stream',
    side: 'client',
    fault: {
      http: async (request, next, peer) => {
        if (peer.has('ended')) return { status: 500, headers: {}, body: Buffer.alloc(0) }
        const reply = await next(request)
        if (request.method === 'GET' && reply.status === 405) peer.set('ended', true)
        return reply
      },
    },
  },
  {
    id: 'm.http.client.event-ids',
    side: 'client',
    fault: {
      streams: {
        event: (event, stream) => {
          if (!isPost(stream) || (event.data?.length ?? 0) === 0) return [event]
          if (event.id !== undefined) stream.peer.set('has ids', true)
          return event.id === undefined && stream.peer.has('has ids') ? [] : [event]
        },
      },
    },
  },
  {
    id: 'm.http.client.session-id',
    side: 'client',
    fault: {
      http: (request, next) => {
        if (request.method === 'GET') delete request.headers['mcp-session-id']
        return next(request)
      },
    },
  },
  {
    id: 'm.http.client.session-dead',
    side: 'client',
    fault: {
      http: async (request, next, peer) => {
        const old = peer.get('session')
        if (messageIn(request)['method'] === 'initialize' && typeof old === 'string')
          request.headers['mcp-session-id'] = old
        const reply = await next(request)
        peer.set('session', reply.headers['mcp-session-id'] ?? old)
        return reply
      },
    },
  },
  {
    id: 'm.http.client.delete',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        if (request.method === 'DELETE' && reply.status === 405) refused.add('DELETE')
        return reply
      },
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          refused.clear()
          const outcome = await step(asked)
          return asked.type === 'close' && refused.has('DELETE')
            ? { type: 'failed', message: 'the session could not be deleted' }
            : outcome
        }),
    },
  },
  {
    id: 'm.http.client.version-header',
    side: 'client',
    // Where the negotiated version is the newest of the era, the fault cannot be seen.
    revisions: ['2025-06-18'],
    fault: {
      http: (request, next) => {
        if (request.headers['mcp-protocol-version'] !== undefined)
          request.headers['mcp-protocol-version'] = '2025-11-25'
        return next(request)
      },
    },
  },
  {
    id: 'm.http.client.legacy-fallback',
    side: 'client',
    transports: ['http'],
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        return request.method === 'POST' && reply.status >= 500 ? { ...reply, status: 400 } : reply
      },
    },
  },
  {
    id: 'm.http.client.session-optional',
    side: 'client',
    fault: {
      http: (request, next, peer) => {
        if (
          request.headers['mcp-session-id'] === undefined &&
          messageIn(request)['method'] !== 'initialize'
        ) {
          if (!peer.has('own')) peer.set('own', randomUUID())
          request.headers['mcp-session-id'] = String(peer.get('own'))
        }
        return next(request)
      },
    },
  },
]
