/** Revisions of the specification that Patchbay speaks. */
export type Revision = '2025-11-25' | '2026-07-28'

/**
 * Which of the two protocols a revision belongs to: `legacy` opens with a handshake and keeps a session in
 * which both sides ask; in `modern` every request describes itself and only the client asks.
 */
export type Era = 'legacy' | 'modern'

type Direction = 'client-to-server' | 'server-to-client' | 'both'

/** One revision as data. Features read this row; nothing else in the tree compares version strings. */
export type RevisionRow = {
  readonly revision: Revision
  readonly era: Era
  /** Requests of this revision and who may send them. `embedded` ones travel inside `input_required`. */
  readonly requests: { readonly [method: string]: Direction | 'embedded' }
  readonly notifications: { readonly [method: string]: Direction }
  /** JSON-RPC arrays are read on this revision's wire. */
  readonly batches: boolean
  /** Results carry `resultType`, and list-like ones `ttlMs` and `cacheScope`. */
  readonly resultEnvelope: boolean
  /** The error code of a resource that does not exist. */
  readonly resourceNotFoundCode: -32002 | -32602
  /** A structured result may be any JSON value; otherwise it must be an object. */
  readonly structuredContentIsAnyValue: boolean
  /** Tools carry `execution` (task support). */
  readonly toolExecution: boolean
  /** How long-lived change notices are asked for. */
  readonly subscriptions: 'subscribe' | 'listen'
  /** A POST stream may open with an empty event that carries an id, and may be polled (2025-11-25). */
  readonly primingEvents: boolean
}

const REVISION_2025_11_25: RevisionRow = {
  revision: '2025-11-25',
  era: 'legacy',
  requests: {
    initialize: 'client-to-server',
    ping: 'both',
    'tools/list': 'client-to-server',
    'tools/call': 'client-to-server',
    'resources/list': 'client-to-server',
    'resources/templates/list': 'client-to-server',
    'resources/read': 'client-to-server',
    'resources/subscribe': 'client-to-server',
    'resources/unsubscribe': 'client-to-server',
    'prompts/list': 'client-to-server',
    'prompts/get': 'client-to-server',
    'completion/complete': 'client-to-server',
    'logging/setLevel': 'client-to-server',
    'tasks/get': 'both',
    'tasks/result': 'both',
    'tasks/cancel': 'both',
    'tasks/list': 'both',
    'sampling/createMessage': 'server-to-client',
    'roots/list': 'server-to-client',
    'elicitation/create': 'server-to-client',
  },
  notifications: {
    'notifications/initialized': 'client-to-server',
    'notifications/cancelled': 'both',
    'notifications/progress': 'both',
    'notifications/message': 'server-to-client',
    'notifications/tools/list_changed': 'server-to-client',
    'notifications/prompts/list_changed': 'server-to-client',
    'notifications/resources/list_changed': 'server-to-client',
    'notifications/resources/updated': 'server-to-client',
    'notifications/roots/list_changed': 'client-to-server',
    'notifications/elicitation/complete': 'server-to-client',
    'notifications/tasks/status': 'both',
  },
  batches: false,
  resultEnvelope: false,
  resourceNotFoundCode: -32002,
  structuredContentIsAnyValue: false,
  toolExecution: true,
  subscriptions: 'subscribe',
  primingEvents: true,
}

const REVISION_2026_07_28: RevisionRow = {
  revision: '2026-07-28',
  era: 'modern',
  requests: {
    'server/discover': 'client-to-server',
    'tools/list': 'client-to-server',
    'tools/call': 'client-to-server',
    'resources/list': 'client-to-server',
    'resources/templates/list': 'client-to-server',
    'resources/read': 'client-to-server',
    'subscriptions/listen': 'client-to-server',
    'prompts/list': 'client-to-server',
    'prompts/get': 'client-to-server',
    'completion/complete': 'client-to-server',
    'sampling/createMessage': 'embedded',
    'roots/list': 'embedded',
    'elicitation/create': 'embedded',
  },
  notifications: {
    'notifications/cancelled': 'both',
    'notifications/progress': 'server-to-client',
    'notifications/message': 'server-to-client',
    'notifications/tools/list_changed': 'server-to-client',
    'notifications/prompts/list_changed': 'server-to-client',
    'notifications/resources/list_changed': 'server-to-client',
    'notifications/resources/updated': 'server-to-client',
    'notifications/subscriptions/acknowledged': 'server-to-client',
  },
  batches: false,
  resultEnvelope: true,
  resourceNotFoundCode: -32602,
  structuredContentIsAnyValue: true,
  toolExecution: false,
  subscriptions: 'listen',
  primingEvents: false,
}

/** Every revision we speak, oldest first. Adding one is adding a row. */
export const REVISIONS: readonly RevisionRow[] = [REVISION_2025_11_25, REVISION_2026_07_28]

/** The newest revision we speak. */
export const LATEST: Revision = '2026-07-28'
/** The newest revision that opens with a handshake. */
export const STABLE: Revision = '2025-11-25'
/** The version strings we speak, oldest first. */
export const SUPPORTED: readonly Revision[] = REVISIONS.map((row) => row.revision)

const rowsByVersion = new Map<string, RevisionRow>(REVISIONS.map((row) => [row.revision, row]))

/** The row of a version string a peer sent, or undefined if we do not speak it. */
export function revisionRow(version: string): RevisionRow | undefined {
  return rowsByVersion.get(version)
}

/** The version strings of one era, oldest first. */
export function revisionsOf(era: Era): readonly Revision[] {
  return REVISIONS.filter((row) => row.era === era).map((row) => row.revision)
}
