import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import { changeSent } from '../areas/changes-message.ts'
import { endedListens } from '../areas/ended-listens.ts'
import type { ChangeHttp, ChangeMessage } from '../mutant.ts'
import { MODERN, type Oddity } from './oddity.ts'

const withoutServerInfo: ChangeMessage = (message) => {
  const { result } = message
  if (!isJsonObject(result) || !isJsonObject(result['_meta'])) return message
  const { [MetaKey.serverInfo]: _, ...meta } = result['_meta']
  return { ...message, result: { ...result, _meta: meta } }
}

const neverCached: ChangeMessage = (message) => {
  const { result } = message
  return isJsonObject(result) && result['ttlMs'] !== undefined
    ? { ...message, result: { ...result, ttlMs: 0, cacheScope: 'private' } }
    : message
}

/** The header that only requests have to have. */
const addsMethodHeader: ChangeHttp = (request, next) => {
  if (request.method !== 'POST' || request.headers['mcp-method'] !== undefined) return next(request)
  let message: unknown
  try {
    message = JSON.parse(request.body.toString())
  } catch {
    return next(request)
  }
  if (!isJsonObject(message) || 'id' in message || typeof message['method'] !== 'string') return next(request)
  return next({ ...request, headers: { ...request.headers, 'mcp-method': message['method'] } })
}

/** What servers of 2026-07-28 may do. */
export const SERVER_MODERN_ODDITIES: readonly Oddity[] = [
  {
    id: 'o.no-server-info',
    row: 25,
    side: 'server',
    revisions: MODERN,
    change: { outgoing: withoutServerInfo },
    mayWarn: {
      'meta.server.server-info': 'a server should say what it is',
      'ws.server.modern': 'a server should say what it is',
    },
  },
  {
    id: 'o.never-cached',
    row: 26,
    side: 'server',
    revisions: MODERN,
    change: { outgoing: neverCached },
  },
  { id: 'o.several-rounds', row: 27, side: 'server', revisions: MODERN, change: {} },
  {
    id: 'o.empty-listen',
    row: 28,
    side: 'server',
    revisions: MODERN,
    transports: ['stdio', 'websocket'],
    change: {
      incoming: changeSent('subscriptions/listen', (message, { reply }) => {
        const meta = { _meta: { [MetaKey.subscriptionId]: message['id'] } }
        reply({
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: {}, ...meta },
        })
        reply({ jsonrpc: '2.0', id: message['id'], result: { resultType: 'complete', ...meta } })
        return undefined
      }),
    },
  },
  {
    id: 'o.listen-ended-by-result',
    row: 29,
    side: 'server',
    revisions: MODERN,
    transports: ['stdio'],
    change: endedListens,
  },
  { id: 'o.both-eras', row: 30, side: 'server', change: {} },
  {
    id: 'o.any-structure',
    row: 31,
    side: 'server',
    revisions: MODERN,
    change: {
      registry: (registry) => {
        registry.addTool({
          name: 'odd_list',
          description: 'Returns a list.',
          annotations: { readOnlyHint: true },
          output: { type: 'array', items: { type: ['number', 'null'] } },
          run: () => ({ content: [{ type: 'text', text: '[1,null]' }], structuredContent: [1, null] }),
        })
      },
    },
  },
  {
    id: 'o.accept-disregarded',
    row: 32,
    side: 'server',
    transports: ['http'],
    change: {
      http: (request, next) => {
        const accept =
          request.method === 'POST' ? 'application/json, text/event-stream' : request.headers['accept']
        return next({ ...request, headers: { ...request.headers, ...(accept !== undefined && { accept }) } })
      },
    },
  },
  {
    id: 'o.notification-without-method-header',
    row: 33,
    side: 'server',
    revisions: MODERN,
    transports: ['http'],
    change: { http: addsMethodHeader },
  },
]
