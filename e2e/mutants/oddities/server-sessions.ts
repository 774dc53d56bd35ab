import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { SUPPORTED } from '../../../server-core/protocol/revisions.ts'
import { changeAnswer, changeResult, changeSent, errorFor, paramsOf } from '../areas/changes-message.ts'
import { Messages, type ChangeHttp, type ProxyResponse } from '../mutant.ts'
import { LEGACY, SESSIONS, type Oddity } from './oddity.ts'

const status = (code: number): ProxyResponse => ({ status: code, headers: {}, body: Buffer.alloc(0) })

const isUnknownVersion = (version: unknown) => !SUPPORTED.some((revision) => revision === version)
const PING = 'patchbay-odd-ping'
const LONG = 'ä'.repeat(100)

/** Event ids that are long and not ASCII on their way out, and the right ones on their way in. */
const originalId: ChangeHttp = (request, next) => {
  const last = request.headers['last-event-id']
  if (last === undefined) return next(request)
  const text = Buffer.from(last, 'latin1').toString()
  const id = text.startsWith(LONG) ? text.slice(LONG.length) : last
  return next({ ...request, headers: { ...request.headers, 'last-event-id': id } })
}

/** What servers of the revisions with sessions may do. */
export const SERVER_SESSION_ODDITIES: readonly Oddity[] = [
  {
    id: 'o.older-version',
    row: 11,
    side: 'server',
    revisions: LEGACY,
    transports: ['stdio', 'websocket'],
    change: {
      outgoing: changeResult('initialize', (result, { params }) =>
        isUnknownVersion(params['protocolVersion']) ? { ...result, protocolVersion: '2025-03-26' } : result,
      ),
    },
  },
  { id: 'o.served-before-initialized', row: 12, side: 'server', revisions: LEGACY, change: {} },
  {
    id: 'o.early-ping',
    row: 13,
    side: 'server',
    revisions: LEGACY,
    transports: ['stdio', 'websocket'],
    change: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'initialize' && 'result' in message
          ? new Messages(
              message,
              { jsonrpc: '2.0', id: PING, method: 'ping' },
              { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'started' } },
            )
          : message,
      incoming: (message) =>
        message['id'] === PING && message['method'] === undefined ? undefined : message,
    },
  },
  {
    id: 'o.versions-in-error',
    row: 14,
    side: 'server',
    revisions: LEGACY,
    change: {
      incoming: changeSent('initialize', (message, { reply }) => {
        const { protocolVersion: requested } = paramsOf(message)
        if (!isUnknownVersion(requested)) return message
        const data = { supported: [...LEGACY], requested }
        const error = { code: -32_602, message: 'Unsupported protocol version', data }
        reply({ jsonrpc: '2.0', id: message['id'], error })
        return undefined
      }),
    },
  },
  {
    id: 'o.bad-arguments-as-errors',
    row: 16,
    side: 'server',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    change: {
      outgoing: changeAnswer('tools/call', (message) => {
        const { result } = message
        const isRefusal = isJsonObject(result) && result['isError'] === true
        return isRefusal && /arguments/i.test(JSON.stringify(result['content']))
          ? errorFor(message, -32_602, 'Invalid arguments')
          : message
      }),
    },
  },
  {
    id: 'o.batch-order',
    row: 17,
    side: 'server',
    revisions: ['2025-03-26'],
    change: {
      outgoingBytes: (bytes) => {
        const value: unknown = JSON.parse(bytes.toString())
        return Array.isArray(value) ? Buffer.from(JSON.stringify((value as unknown[]).toReversed())) : bytes
      },
    },
  },
  {
    id: 'o.no-get-no-delete',
    row: 18,
    side: 'server',
    revisions: SESSIONS,
    transports: ['http'],
    change: {
      http: (request, next) =>
        request.method === 'GET' || request.method === 'DELETE' ? status(405) : next(request),
    },
  },
  {
    id: 'o.no-sessions',
    row: 18,
    side: 'server',
    revisions: SESSIONS,
    transports: ['http'],
    change: { listener: (options) => ({ ...options, sessions: 'none' }) },
  },
  {
    id: 'o.no-event-ids',
    row: 19,
    side: 'server',
    revisions: SESSIONS,
    transports: ['http'],
    change: {
      streams: {
        event: ({ name, data }) => (data === undefined || data.length === 0 ? [] : [{ name, data }]),
      },
    },
  },
  {
    id: 'o.no-resuming',
    row: 20,
    side: 'server',
    revisions: SESSIONS,
    transports: ['http'],
    change: {
      http: (request, next) => (request.headers['last-event-id'] === undefined ? next(request) : status(400)),
    },
  },
  {
    id: 'o.long-event-ids',
    row: 21,
    side: 'server',
    revisions: SESSIONS,
    transports: ['http'],
    change: {
      http: originalId,
      streams: {
        event: (event) => [event.id === undefined ? event : { ...event, id: `${LONG}${event.id}` }],
      },
    },
  },
  {
    id: 'o.closed-early',
    row: 22,
    side: 'server',
    revisions: ['2025-11-25'],
    transports: ['http'],
    change: {},
  },
  {
    id: 'o.task-details',
    row: 23,
    side: 'server',
    revisions: ['2025-11-25'],
    change: {
      outgoing: (message) => {
        if (message['method'] === 'notifications/tasks/status') return undefined
        const { result } = message
        if (!isJsonObject(result) || !isJsonObject(result['task'])) return message
        const { pollInterval: _, ...task } = result['task']
        return { ...message, result: { ...result, task: { ...task, ttl: 30_000 } } }
      },
    },
  },
  {
    id: 'o.form-without-mode',
    row: 24,
    side: 'server',
    revisions: ['2025-11-25'],
    change: {
      outgoing: changeSent('elicitation/create', (message) => {
        const { mode, ...params } = paramsOf(message)
        return mode === 'form' ? { ...message, params } : message
      }),
    },
  },
]
