import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { encodeSseEvent, type SseEvent } from '../../../server-core/transports/http/sse-codec.ts'
import type { Mutant, ProxiedStream, ProxyRequest, ProxyResponse } from '../mutant.ts'

/** The message in a body; an empty object if the body has no message. */
export function messageIn({ body }: Pick<ProxyRequest, 'body'>): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

export function eventMessage({ data }: SseEvent): JsonObject {
  return data === undefined ? {} : messageIn({ body: data })
}

export const isAnswer = (message: JsonObject) => message['method'] === undefined && 'id' in message
export const isNotification = (message: JsonObject) => message['method'] !== undefined && !('id' in message)

/** A response of JSON that replaces that of the server. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): ProxyResponse {
  const body = Buffer.from(value === undefined ? '' : JSON.stringify(value))
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body }
}

const sessionOf = ({ headers }: ProxyRequest) => headers['mcp-session-id'] ?? ''

/** The open GET streams of the same session. */
const getStreams = (stream: ProxiedStream) =>
  stream.others.filter(
    ({ request }) =>
      request.method === 'GET' &&
      request.headers['last-event-id'] === undefined &&
      sessionOf(request) === sessionOf(stream.request),
  )

type Stored = { readonly event: SseEvent; readonly stream: ProxiedStream }

/** Every event with an id that passed. */
function stored(peer: Map<string, unknown>): Stored[] {
  const known = peer.get('events') as Stored[] | undefined
  if (known !== undefined) return known
  const events: Stored[] = []
  peer.set('events', events)
  return events
}

function keep(event: SseEvent, stream: ProxiedStream): readonly SseEvent[] {
  if (event.id !== undefined && (event.data?.length ?? 0) > 0) stored(stream.peer).push({ event, stream })
  return [event]
}

/** Writes events before those of a stream that is resumed. */
function replay(stream: ProxiedStream, accepts: (each: Stored, named: Stored) => boolean): void {
  const id = stream.request.headers['last-event-id']
  const events = stored(stream.peer).filter(
    (each) => sessionOf(each.stream.request) === sessionOf(stream.request),
  )
  const named = events.find(({ event }) => event.id === id)
  if (named === undefined) return
  for (const each of events) if (accepts(each, named)) stream.write(each.event)
}

const ENDPOINT: readonly Mutant[] = [
  {
    id: 'm.http.server.one-endpoint',
    side: 'server',
    fault: {
      http: (request, next) => {
        const { origin, 'last-event-id': resumed } = request.headers
        const isPlain = request.method === 'GET' && origin === undefined && resumed === undefined
        return isPlain ? json(200, {}) : next(request)
      },
    },
    alsoBreaks: {
      'lists.server.changed': 'there is no stream by which the notice could come',
      'resources.server.updated': 'there is no stream by which the notice could come',
    },
  },
  {
    id: 'm.http.server.accept-required',
    side: 'server',
    fault: {
      http: (request, next) => {
        if (request.method === 'POST') request.headers['accept'] = 'application/json, text/event-stream'
        return next(request)
      },
    },
  },
  {
    id: 'm.http.server.notification-202',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const isAccepted = reply.status === 202 && isNotification(messageIn(request))
        return isAccepted ? json(200, {}) : reply
      },
    },
    alsoBreaks: { 'base.notification.unanswered.server': 'a body of JSON is an answer to a notification' },
  },
  {
    id: 'm.http.server.notification-refused',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        const isRefused = reply.status >= 400 && isNotification(messageIn(request))
        return isRefused ? { status: 202, headers: {}, body: Buffer.alloc(0) } : reply
      },
    },
  },
  {
    id: 'm.http.server.json-or-sse',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const reply = await next(request)
        if (!/^application\/json/.test(reply.headers['content-type'] ?? '')) return reply
        return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }
      },
    },
  },
  {
    id: 'm.http.server.origin',
    side: 'server',
    fault: {
      http: (request, next) => {
        if (/localhost|127\.0\.0\.1/.test(request.headers['origin'] ?? '')) delete request.headers['origin']
        return next(request)
      },
    },
  },
  {
    id: 'm.http.server.host',
    side: 'server',
    fault: {
      http: (request, next) => {
        delete request.headers['host']
        return next(request)
      },
    },
  },
  {
    id: 'm.http.auth.framework',
    side: 'server',
    fault: {
      listener: (options) => ({ ...options, token: 'patchbay-token' }),
      target: (target) => ({ ...target, headers: { authorization: 'Bearer patchbay-token' } }),
      http: (request, next) =>
        request.headers['authorization'] === undefined
          ? { status: 302, headers: { location: '/login' }, body: Buffer.alloc(0) }
          : next(request),
    },
  },
]

const STREAMS: readonly Mutant[] = [
  { id: 'm.http.server.sse-complete', side: 'server', fault: { streams: { staysOpen: true } } },
  {
    id: 'm.http.server.disconnect-survives',
    side: 'server',
    fault: {
      abandoned: (request, post) => {
        const { id } = messageIn(request)
        post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
      },
    },
  },
  {
    id: 'm.http.server.priming',
    side: 'server',
    fault: {
      streams: {
        begin: ({ request, write }) => {
          if (request.headers['mcp-protocol-version'] === '2025-06-18')
            write({ name: 'message', id: 'primed', data: Buffer.alloc(0) })
        },
      },
    },
  },
  {
    id: 'm.http.server.retry',
    side: 'server',
    fault: {
      streams: {
        event: ({ retry: _, ...event }) =>
          event.data === undefined && event.id === undefined ? [] : [event],
      },
    },
  },
  {
    id: 'm.http.server.get-stream',
    side: 'server',
    fault: {
      streams: {
        event: (event, stream) => {
          const [other] = getStreams(stream)
          if (stream.request.method !== 'POST' || other === undefined || !isAnswer(eventMessage(event)))
            return [event]
          other.write(event)
          return []
        },
      },
    },
  },
  {
    id: 'm.http.server.no-broadcast',
    side: 'server',
    fault: {
      streams: {
        event: (event, stream) => {
          if (stream.request.method === 'POST' && isNotification(eventMessage(event)))
            for (const other of getStreams(stream)) other.write(event)
          return [event]
        },
      },
    },
  },
  {
    id: 'm.http.server.event-ids',
    side: 'server',
    fault: {
      streams: {
        // Only notices of progress: an id that is lost altogether would break resuming as well.
        event: (event, { notes }) => {
          if (event.id === undefined || eventMessage(event)['method'] !== 'notifications/progress')
            return [event]
          const count = Number(notes.get('count') ?? 0) + 1
          notes.set('count', count)
          return [{ ...event, id: String(count) }]
        },
      },
    },
  },
  {
    id: 'm.http.server.resume',
    side: 'server',
    fault: {
      streams: {
        event: keep,
        begin: (stream) => {
          replay(stream, (each, named) => each === named)
        },
      },
    },
  },
  {
    id: 'm.http.server.resume-own-stream',
    side: 'server',
    fault: {
      streams: {
        event: keep,
        begin: (stream) => {
          replay(stream, (each, named) => each.stream !== named.stream)
        },
      },
    },
  },
  {
    id: 'm.http.server.resume-foreign',
    side: 'server',
    fault: {
      streams: { event: keep },
      http: async (request, next, peer) => {
        const reply = await next(request)
        const id = request.headers['last-event-id']
        const named = stored(peer).find(({ event }) => event.id === id)
        if (reply.status < 400 || named === undefined) return reply
        const events = stored(peer).filter(({ stream }) => stream === named.stream)
        const body = Buffer.concat(events.map(({ event }) => Buffer.from(encodeSseEvent(event))))
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
      },
    },
  },
]

const legacyRequest = ({ method, headers, body }: ProxyRequest) =>
  method === 'POST' &&
  headers['mcp-protocol-version'] !== '2026-07-28' &&
  messageIn({ body })['method'] !== 'initialize'

const SESSIONS: readonly Mutant[] = [
  {
    id: 'm.http.server.session-id',
    side: 'server',
    fault: {
      http: async (request, next, peer) => {
        const given = request.headers['mcp-session-id']
        const meant = given === undefined ? undefined : peer.get(given)
        if (typeof meant === 'string') request.headers['mcp-session-id'] = meant
        const reply = await next(request)
        const own = reply.headers['mcp-session-id']
        if (own === undefined) return reply
        const known = given ?? `session-${String(peer.size + 1).padStart(12, '0')}`
        peer.set(known, own)
        return { ...reply, headers: { ...reply.headers, 'mcp-session-id': known } }
      },
    },
  },
  {
    id: 'm.http.server.session-missing',
    side: 'server',
    fault: {
      http: async (request, next, peer) => {
        const newest = peer.get('newest')
        const isMissing = request.headers['mcp-session-id'] === undefined && legacyRequest(request)
        if (isMissing && typeof newest === 'string') request.headers['mcp-session-id'] = newest
        const reply = await next(request)
        const issued = reply.headers['mcp-session-id']
        if (issued !== undefined) peer.set('newest', issued)
        return reply
      },
    },
  },
  {
    id: 'm.http.server.session-dead',
    side: 'server',
    fault: {
      http: (request, next) =>
        request.method === 'DELETE' ? { status: 204, headers: {}, body: Buffer.alloc(0) } : next(request),
    },
  },
  {
    id: 'm.http.server.version-header-bad',
    side: 'server',
    fault: {
      http: (request, next) => {
        if (legacyRequest(request)) delete request.headers['mcp-protocol-version']
        return next(request)
      },
    },
  },
  {
    id: 'm.http.server.version-header-absent',
    side: 'server',
    fault: {
      http: (request, next) => {
        const isAbsent = request.headers['mcp-protocol-version'] === undefined && sessionOf(request) !== ''
        const error = { code: -32600, message: 'The version header is missing' }
        return isAbsent && request.method === 'POST' ? json(400, { jsonrpc: '2.0', error }) : next(request)
      },
    },
  },
  {
    id: 'm.http.server.version-header-differs',
    side: 'server',
    fault: {
      http: (request, next) => {
        if (request.headers['mcp-protocol-version'] !== '2025-03-26') return next(request)
        request.headers['mcp-protocol-version'] = '2025-11-25'
        if (!request.body.toString().startsWith('[')) return next(request)
        const [only] = JSON.parse(request.body.toString()) as JsonObject[]
        return json(200, [{ jsonrpc: '2.0', id: only?.['id'], result: {} }])
      },
    },
  },
]

/** Servers with a fault in Streamable HTTP of the legacy revisions. */
export const HTTP_SERVER_MUTANTS: readonly Mutant[] = [...ENDPOINT, ...STREAMS, ...SESSIONS]
