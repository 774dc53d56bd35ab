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

/** The entry of a server that a message is about. */
export type Subject =
  | { readonly kind: 'tool' | 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'resource-template'; readonly uriTemplate: string }

/**
 * A message of this method as this client would send it, as JSON text to edit.
 *
 * @param subject filled in where the method takes an entry of its kind
 */
export function templateOf(
  row: RevisionRow,
  method: string,
  declared: Declared,
  id: string,
  subject?: Subject,
): string {
  const isNotification = method.startsWith('notifications/')
  const params =
    method === 'initialize' ? handshake(row, declared) : { ...PARAMS[method], ...paramsOf(subject, method) }
  const described =
    row.era === 'modern' && !isNotification ? { ...params, _meta: envelope(row, declared) } : params
  const message = {
    jsonrpc: '2.0',
    ...(isNotification ? {} : { id }),
    method,
    ...(Object.keys(described).length === 0 ? {} : { params: described }),
  }
  return printJson(message)
}

/** The parameters that name the subject, if the method takes one of its kind. */
function paramsOf(subject: Subject | undefined, method: string): JsonObject {
  switch (subject?.kind) {
    case undefined:
      return {}
    case 'tool':
      return method === 'tools/call' ? { name: subject.name } : {}
    case 'prompt':
      if (method === 'prompts/get') return { name: subject.name }
      return method === 'completion/complete' ? { ref: { type: 'ref/prompt', name: subject.name } } : {}
    case 'resource':
      if (method === 'subscriptions/listen')
        return { notifications: { toolsListChanged: true, resourceSubscriptions: [subject.uri] } }
      return RESOURCE_METHODS.has(method) ? { uri: subject.uri } : {}
    case 'resource-template':
      return method === 'completion/complete'
        ? { ref: { type: 'ref/resource', uri: subject.uriTemplate } }
        : {}
  }
}

const RESOURCE_METHODS = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])

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
