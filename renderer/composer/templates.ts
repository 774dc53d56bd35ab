import type { JsonObject } from '../../server-core/protocol/json.ts'
import { MetaKey } from '../../server-core/protocol/meta-keys.ts'
import type { RevisionRow } from '../../server-core/protocol/revisions.ts'
import { printJson } from '../json/print-json.ts'

/** What messages of this client say of it. */
export type Declared = { readonly identity: JsonObject; readonly capabilities: JsonObject }

/** Parameters to begin with; a method that is not here needs none. */
const PARAMS: Readonly<Record<string, JsonObject>> = {
  'tools/call': { name: '', arguments: {} },
  'resources/read': { uri: '' },
  'resources/subscribe': { uri: '' },
  'resources/unsubscribe': { uri: '' },
  'subscriptions/listen': { notifications: { toolsListChanged: true, resourceSubscriptions: [] } },
  'prompts/get': { name: '', arguments: {} },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: '' },
    argument: { name: '', value: '' },
  },
  'logging/setLevel': { level: 'info' },
  'tasks/get': { taskId: '' },
  'tasks/result': { taskId: '' },
  'tasks/cancel': { taskId: '' },
  'tasks/update': { taskId: '', inputResponses: {} },
  'notifications/cancelled': { requestId: 1, reason: '' },
  'notifications/progress': { progressToken: 1, progress: 0 },
  'notifications/tasks/status': {
    taskId: '',
    status: 'working',
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
    ttl: null,
  },
}

/** Methods of the tasks extension, which the row of a revision does not name. */
const TASK_EXTENSION = ['tasks/get', 'tasks/update', 'tasks/cancel']

/** The methods that a client may send, requests first. */
export function methodsOf(row: RevisionRow): {
  requests: readonly string[]
  notifications: readonly string[]
} {
  const sendable = ([, direction]: readonly [string, string]): boolean =>
    direction === 'client-to-server' || direction === 'both'
  const requests = Object.entries(row.requests)
    .filter(sendable)
    .map(([method]) => method)
  return {
    requests: row.tasks === 'extension' ? [...requests, ...TASK_EXTENSION] : requests,
    notifications: Object.entries(row.notifications)
      .filter(sendable)
      .map(([method]) => method),
  }
}

/** A message of this method as this client would send it, as JSON text to go on from. */
export function templateOf(row: RevisionRow, method: string, declared: Declared, id: string): string {
  const isNotification = method.startsWith('notifications/')
  const params = method === 'initialize' ? handshake(row, declared) : PARAMS[method]
  const described =
    row.era === 'modern' && !isNotification ? { ...params, _meta: envelope(row, declared) } : params
  const message = {
    jsonrpc: '2.0',
    ...(isNotification ? {} : { id }),
    method,
    ...(described === undefined ? {} : { params: described }),
  }
  return printJson(message)
}

function handshake({ revision }: RevisionRow, { identity, capabilities }: Declared): JsonObject {
  return { protocolVersion: revision, capabilities, clientInfo: identity }
}

function envelope({ revision }: RevisionRow, { identity, capabilities }: Declared): JsonObject {
  return {
    [MetaKey.protocolVersion]: revision,
    [MetaKey.clientCapabilities]: capabilities,
    [MetaKey.clientInfo]: identity,
  }
}
