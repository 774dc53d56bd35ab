import { REVISIONS, type Direction, type Revision } from '../revisions.ts'
import {
  choice,
  inRevision,
  named,
  need,
  object,
  since,
  union,
  type Definitions,
  type Shape,
  type Variant,
} from './shape.ts'
import { CONTENT } from './tables/content.ts'
import { ELICITATION } from './tables/elicitation.ts'
import { LIFECYCLE } from './tables/lifecycle.ts'
import { MESSAGES } from './tables/messages.ts'
import { PROMPTS } from './tables/prompts.ts'
import { RESOURCES } from './tables/resources.ts'
import { ROUNDS } from './tables/rounds.ts'
import { SAMPLING } from './tables/sampling.ts'
import { TASKS } from './tables/tasks.ts'
import { TOOLS } from './tables/tools.ts'

/** A request and what it is answered with, the usual result first. */
type RequestNames = { readonly request: string; readonly results: readonly string[] }

/** The definitions of every request, by method. */
export const REQUESTS: { readonly [method: string]: RequestNames } = {
  initialize: { request: 'InitializeRequest', results: ['InitializeResult'] },
  ping: { request: 'PingRequest', results: ['EmptyResult'] },
  'server/discover': { request: 'DiscoverRequest', results: ['DiscoverResult'] },
  'tools/list': { request: 'ListToolsRequest', results: ['ListToolsResult'] },
  'tools/call': {
    request: 'CallToolRequest',
    results: ['CallToolResult', 'CreateTaskResult', 'InputRequiredResult'],
  },
  'resources/list': { request: 'ListResourcesRequest', results: ['ListResourcesResult'] },
  'resources/templates/list': {
    request: 'ListResourceTemplatesRequest',
    results: ['ListResourceTemplatesResult'],
  },
  'resources/read': {
    request: 'ReadResourceRequest',
    results: ['ReadResourceResult', 'InputRequiredResult'],
  },
  'resources/subscribe': { request: 'SubscribeRequest', results: ['EmptyResult'] },
  'resources/unsubscribe': { request: 'UnsubscribeRequest', results: ['EmptyResult'] },
  'subscriptions/listen': { request: 'SubscriptionsListenRequest', results: ['SubscriptionsListenResult'] },
  'prompts/list': { request: 'ListPromptsRequest', results: ['ListPromptsResult'] },
  'prompts/get': { request: 'GetPromptRequest', results: ['GetPromptResult', 'InputRequiredResult'] },
  'completion/complete': { request: 'CompleteRequest', results: ['CompleteResult'] },
  'logging/setLevel': { request: 'SetLevelRequest', results: ['EmptyResult'] },
  'tasks/get': { request: 'GetTaskRequest', results: ['GetTaskResult'] },
  'tasks/result': { request: 'GetTaskPayloadRequest', results: ['GetTaskPayloadResult'] },
  'tasks/cancel': { request: 'CancelTaskRequest', results: ['CancelTaskResult'] },
  'tasks/list': { request: 'ListTasksRequest', results: ['ListTasksResult'] },
  'sampling/createMessage': {
    request: 'CreateMessageRequest',
    results: ['CreateMessageResult', 'CreateTaskResult'],
  },
  'roots/list': { request: 'ListRootsRequest', results: ['ListRootsResult'] },
  'elicitation/create': { request: 'ElicitRequest', results: ['ElicitResult', 'CreateTaskResult'] },
}

/** The definition of every notification, by method. */
export const NOTIFICATIONS: { readonly [method: string]: string } = {
  'notifications/initialized': 'InitializedNotification',
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/roots/list_changed': 'RootsListChangedNotification',
  'notifications/elicitation/complete': 'ElicitationCompleteNotification',
  'notifications/tasks/status': 'TaskStatusNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
}

const FIXED: Definitions = {
  ...MESSAGES,
  ...LIFECYCLE,
  ...CONTENT,
  ...TOOLS,
  ...RESOURCES,
  ...PROMPTS,
  ...SAMPLING,
  ...ELICITATION,
  ...TASKS,
  ...ROUNDS,
}

/** Every definition of the wire, by the specification's name for it; the unions follow from the table of revisions. */
export const DEFINITIONS: Definitions = { ...FIXED, ...answers(), ...sides() }

/** The shape of a definition in a revision, or undefined if that revision has none of the name. */
export function shapeOf(name: string, revision: Revision): Shape | undefined {
  const entries = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name] : undefined
  return entries === undefined ? undefined : inRevision(entries, revision)?.shape
}

/** The definitions that a request of a revision may be answered with. */
export function resultNames(method: string, revision: Revision): readonly string[] {
  const names = Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined
  return (names?.results ?? []).filter((name) => isFixedIn(name, revision))
}

/** 2026-07-28 names whole answers, envelope included. */
function answers(): Definitions {
  const entries: [string, Variant][] = []
  for (const [method, { results }] of Object.entries(REQUESTS)) {
    const [first = ''] = results
    const isAsked = REVISIONS.at(-1)?.requests[method] === 'client-to-server'
    if (!isAsked) continue
    const shape = object({
      jsonrpc: need(choice('2.0')),
      id: need(named('RequestId')),
      result: need(union(...results.filter((name) => isFixedIn(name, '2026-07-28')).map(named))),
    })
    entries.push([`${first}Response`, { ...since('2026-07-28'), shape }])
  }
  return Object.fromEntries(entries)
}

/** What each side may send, by revision. */
function sides(): Definitions {
  const of = (make: (row: (typeof REVISIONS)[number]) => readonly string[]): readonly Variant[] =>
    REVISIONS.flatMap((row) => {
      const names = make(row)
      const shape = union(...[...new Set(names)].map(named))
      return names.length === 0 ? [] : [{ since: row.revision, until: row.revision, shape }]
    })
  const methods = (table: { readonly [method: string]: string }, sender: Direction) =>
    Object.keys(table).filter((method) => table[method] === sender || table[method] === 'both')
  const requests = (sender: Direction) =>
    of((row) => methods(row.requests, sender).flatMap((method) => REQUESTS[method]?.request ?? []))
  const notifications = (sender: Direction) =>
    of((row) => methods(row.notifications, sender).flatMap((method) => NOTIFICATIONS[method] ?? []))
  const results = (asker: Direction) =>
    of((row) => [
      'Result',
      ...methods(row.requests, asker).flatMap((method) => resultNames(method, row.revision)),
    ])
  return {
    ClientRequest: requests('client-to-server'),
    ServerRequest: requests('server-to-client'),
    ClientNotification: notifications('client-to-server'),
    ServerNotification: notifications('server-to-client'),
    ClientResult: results('server-to-client'),
    ServerResult: results('client-to-server'),
  }
}

function isFixedIn(name: string, revision: Revision): boolean {
  const entries = FIXED[name]
  return entries !== undefined && inRevision(entries, revision) !== undefined
}
