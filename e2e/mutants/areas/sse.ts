import type { AreaProof } from '../area-proof.ts'
import type { Mutant, ProxiedStream, ProxyResponse } from '../mutant.ts'
import { eventMessage, messageIn } from './http-servers.ts'

const isSse = ({ request }: ProxiedStream) => request.path.startsWith('/sse')
const failing = { status: 500, headers: {}, body: Buffer.alloc(0) } satisfies ProxyResponse

const SERVERS: readonly Mutant[] = [
  {
    id: 'm.sse.server.endpoint-event',
    side: 'server',
    fault: {
      streams: {
        begin: (stream) => {
          if (isSse(stream)) stream.write({ name: 'ping', data: Buffer.from('{}') })
        },
      },
    },
  },
  {
    id: 'm.sse.server.message-events',
    side: 'server',
    fault: {
      streams: {
        event: (event, stream) =>
          isSse(stream) && 'result' in eventMessage(event) && eventMessage(event)['id'] === 1
            ? [{ ...event, name: 'mcp' }, event]
            : [event],
      },
    },
  },
  {
    id: 'm.sse.server.session-isolation',
    side: 'server',
    fault: {
      streams: {
        event: (event, stream) => {
          const newest = stream.others.findLast(isSse)
          const isNamed = typeof eventMessage(event)['id'] === 'string'
          if (!isSse(stream) || newest === undefined || !isNamed) return [event]
          newest.write(event)
          return []
        },
      },
    },
  },
  {
    id: 'm.sse.server.closed-stream',
    side: 'server',
    fault: {
      // Every stream after it fails, as at a process that has ended.
      http: async (request, next, peer) => {
        if (peer.has('ended')) return failing
        const reply = await next(request)
        const isLate = String(messageIn(request)['id']).startsWith('late-')
        if (isLate && reply.status >= 400) peer.set('ended', true)
        return reply
      },
    },
  },
]

const CLIENTS: readonly Mutant[] = [
  {
    id: 'm.sse.client.posts',
    side: 'client',
    fault: {
      http: (request, next) => {
        if (request.method === 'POST' && request.path.startsWith('/patchbay'))
          request.path = request.path.split('?')[0] ?? ''
        return next(request)
      },
    },
  },
  {
    id: 'm.sse.client.foreign-endpoint',
    side: 'client',
    fault: {
      streams: {
        event: (event) => {
          if (event.name === 'endpoint' && event.data?.toString().startsWith('http') === true)
            void fetch(event.data.toString(), { method: 'POST', body: '{}' }).catch(() => undefined)
          return [event]
        },
      },
    },
  },
  {
    id: 'm.sse.client.waits',
    side: 'client',
    fault: {
      http: (request, next, peer) => {
        const reply = next(request)
        if (request.method === 'GET' && !peer.has('posted')) {
          peer.set('posted', true)
          const body = Buffer.from('{"jsonrpc":"2.0","id":"early","method":"ping"}')
          const early = { method: 'POST', path: '/messages', headers: request.headers, body }
          setTimeout(() => void next(early), 100)
        }
        return reply
      },
    },
  },
]

/** The mutants of the area `sse`. */
export const SSE_PROOF: AreaProof = { mutants: [...SERVERS, ...CLIENTS] }
