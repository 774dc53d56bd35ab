/** Revisions of the specification that Patchbay speaks. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/**
 * Which of the two protocols a revision belongs to: `legacy` opens with a handshake and keeps a session in
 * which both sides ask; in `modern` every request describes itself and only the client asks.
 */
export type Era = 'legacy' | 'modern'

export type Direction = 'client-to-server' | 'server-to-client' | 'both'

/** The types of content blocks; the two of tools occur in sampling messages only. */
export type ContentBlockType =
  'text' | 'image' | 'audio' | 'resource' | 'resource_link' | 'tool_use' | 'tool_result'

/**
 * How a form may offer choices: `plain` is `enum`, `named` is `enum` with `enumNames`, `titled` is `oneOf` of
 * `const` and `title`, `many` is an array of plain or titled choices.
 */
export type ChoiceForm = 'plain' | 'named' | 'titled' | 'many'

/** One revision as data. Features read this row; nothing else in the tree compares version strings. */
export type RevisionRow = {
  readonly revision: Revision
  readonly era: Era
  /** Requests of this revision and who may send them. `embedded` ones travel inside `input_required`. */
  readonly requests: { readonly [method: string]: Direction | 'embedded' }
  readonly notifications: { readonly [method: string]: Direction }
  /** What a client may declare, as dotted paths of its capabilities: `sampling.tools`. */
  readonly clientCapabilities: readonly string[]
  /** What a server may declare, as dotted paths of its capabilities: `resources.subscribe`. */
  readonly serverCapabilities: readonly string[]
  /** The block types of tool results and prompt messages. */
  readonly contentBlocks: readonly ContentBlockType[]
  /** The block types of sampling messages. */
  readonly samplingBlocks: readonly ContentBlockType[]
  /** A sampling message holds exactly one block, or one or a list of them. */
  readonly samplingContent: 'one' | 'one-or-list'
  /** What a structured result may be, and with it the root of an output schema; `none`: there is neither. */
  readonly structuredContent: 'none' | 'object' | 'any'
  /** Tools carry `annotations`. */
  readonly toolAnnotations: boolean
  /** Tools carry `execution` (task support). */
  readonly toolExecution: boolean
  /** Tools, resources, templates, prompts, their arguments and implementations carry `title`. */
  readonly titles: boolean
  /** Tools, resources, templates, prompts and implementations carry `icons`. */
  readonly icons: boolean
  /** Where `_meta` may sit: on params and results; also on listed objects and blocks; also on sampling messages. */
  readonly metaOn: 'messages' | 'objects' | 'sampling'
  /** `x-mcp-header` in an input schema asks for a header of its own. */
  readonly parameterHeaders: boolean
  /** The dialect of a tool's schema that has no `$schema`. */
  readonly schemaDialect: 'unstated' | '2020-12'
  /** How arguments that break the input schema are reported: as an error, or to the model as a result. */
  readonly argumentFaults: 'error' | 'result'
  readonly elicitationModes: readonly ('form' | 'url')[]
  /** Requests to visit a URL carry `elicitationId` and may fail with -32042. */
  readonly elicitationIds: boolean
  readonly choiceForms: readonly ChoiceForm[]
  /** Which fields of a form may have a `default`. */
  readonly formDefaults: 'none' | 'boolean' | 'all'
  /** Tasks are part of the core, an extension, or unknown. */
  readonly tasks: 'none' | 'core' | 'extension'
  /** `completion/complete` carries the values of other arguments. */
  readonly completionContext: boolean
  /** `notifications/progress` carries `message`. */
  readonly progressMessages: boolean
  /** JSON-RPC arrays are read on this revision's wire. */
  readonly batches: boolean
  /** Results carry `resultType`, and list-like ones `ttlMs` and `cacheScope`. */
  readonly resultEnvelope: boolean
  /** The codes that MCP itself gives a meaning in this revision, those of JSON-RPC included. */
  readonly errorCodes: readonly number[]
  /** The error code of a resource that does not exist. */
  readonly resourceNotFoundCode: -32002 | -32602
  /** An answer to a request whose id could not be read has the id null, or none. */
  readonly unreadableId: 'null' | 'omitted'
  /** How long-lived change notices are asked for. */
  readonly subscriptions: 'subscribe' | 'listen'
  /** What HTTP looks like: HTTP+SSE, Streamable HTTP with sessions, or one POST for each request. */
  readonly http: 'sse' | 'sessions' | 'stateless'
  /** Which HTTP requests name the revision in `MCP-Protocol-Version`. */
  readonly versionHeader: 'none' | 'after-initialize' | 'all'
  /** A POST stream may open with an empty event that carries an id, and may be polled (2025-11-25). */
  readonly primingEvents: boolean
}

const JSON_RPC_CODES = [-32700, -32600, -32601, -32602, -32603] as const

const REVISION_2024_11_05: RevisionRow = {
  revision: '2024-11-05',
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
    'sampling/createMessage': 'server-to-client',
    'roots/list': 'server-to-client',
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
  },
  clientCapabilities: ['experimental', 'roots', 'roots.listChanged', 'sampling'],
  serverCapabilities: [
    'experimental',
    'logging',
    'prompts',
    'prompts.listChanged',
    'resources',
    'resources.subscribe',
    'resources.listChanged',
    'tools',
    'tools.listChanged',
  ],
  contentBlocks: ['text', 'image', 'resource'],
  samplingBlocks: ['text', 'image'],
  samplingContent: 'one',
  structuredContent: 'none',
  toolAnnotations: false,
  toolExecution: false,
  titles: false,
  icons: false,
  metaOn: 'messages',
  parameterHeaders: false,
  schemaDialect: 'unstated',
  argumentFaults: 'error',
  elicitationModes: [],
  elicitationIds: false,
  choiceForms: [],
  formDefaults: 'none',
  tasks: 'none',
  completionContext: false,
  progressMessages: false,
  batches: false,
  resultEnvelope: false,
  errorCodes: [...JSON_RPC_CODES, -32002, -1],
  resourceNotFoundCode: -32002,
  unreadableId: 'null',
  subscriptions: 'subscribe',
  http: 'sse',
  versionHeader: 'none',
  primingEvents: false,
}

const REVISION_2025_03_26: RevisionRow = {
  ...REVISION_2024_11_05,
  revision: '2025-03-26',
  serverCapabilities: [...REVISION_2024_11_05.serverCapabilities, 'completions'],
  contentBlocks: ['text', 'image', 'audio', 'resource'],
  samplingBlocks: ['text', 'image', 'audio'],
  toolAnnotations: true,
  progressMessages: true,
  batches: true,
  http: 'sessions',
}

const REVISION_2025_06_18: RevisionRow = {
  ...REVISION_2025_03_26,
  revision: '2025-06-18',
  requests: { ...REVISION_2025_03_26.requests, 'elicitation/create': 'server-to-client' },
  clientCapabilities: [...REVISION_2025_03_26.clientCapabilities, 'elicitation'],
  contentBlocks: [...REVISION_2025_03_26.contentBlocks, 'resource_link'],
  structuredContent: 'object',
  titles: true,
  metaOn: 'objects',
  elicitationModes: ['form'],
  choiceForms: ['plain', 'named'],
  formDefaults: 'boolean',
  completionContext: true,
  batches: false,
  versionHeader: 'after-initialize',
}

const REVISION_2025_11_25: RevisionRow = {
  ...REVISION_2025_06_18,
  revision: '2025-11-25',
  requests: {
    ...REVISION_2025_06_18.requests,
    'tasks/get': 'both',
    'tasks/result': 'both',
    'tasks/cancel': 'both',
    'tasks/list': 'both',
  },
  notifications: {
    ...REVISION_2025_06_18.notifications,
    'notifications/elicitation/complete': 'server-to-client',
    'notifications/tasks/status': 'both',
  },
  clientCapabilities: [
    ...REVISION_2025_06_18.clientCapabilities,
    'sampling.context',
    'sampling.tools',
    'elicitation.form',
    'elicitation.url',
    'tasks',
    'tasks.list',
    'tasks.cancel',
    'tasks.requests',
    'tasks.requests.sampling',
    'tasks.requests.sampling.createMessage',
    'tasks.requests.elicitation',
    'tasks.requests.elicitation.create',
  ],
  serverCapabilities: [
    ...REVISION_2025_06_18.serverCapabilities,
    'tasks',
    'tasks.list',
    'tasks.cancel',
    'tasks.requests',
    'tasks.requests.tools',
    'tasks.requests.tools.call',
  ],
  samplingBlocks: ['text', 'image', 'audio', 'tool_use', 'tool_result'],
  samplingContent: 'one-or-list',
  toolExecution: true,
  icons: true,
  metaOn: 'sampling',
  schemaDialect: '2020-12',
  argumentFaults: 'result',
  elicitationModes: ['form', 'url'],
  elicitationIds: true,
  choiceForms: ['plain', 'named', 'titled', 'many'],
  formDefaults: 'all',
  tasks: 'core',
  errorCodes: [...JSON_RPC_CODES, -32002, -32042, -1],
  unreadableId: 'omitted',
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
  clientCapabilities: [
    'experimental',
    'roots',
    'sampling',
    'sampling.context',
    'sampling.tools',
    'elicitation',
    'elicitation.form',
    'elicitation.url',
    'extensions',
  ],
  serverCapabilities: [...REVISION_2025_03_26.serverCapabilities, 'extensions'],
  contentBlocks: ['text', 'image', 'audio', 'resource', 'resource_link'],
  samplingBlocks: ['text', 'image', 'audio', 'tool_use', 'tool_result'],
  samplingContent: 'one-or-list',
  structuredContent: 'any',
  toolAnnotations: true,
  toolExecution: false,
  titles: true,
  icons: true,
  metaOn: 'sampling',
  parameterHeaders: true,
  schemaDialect: '2020-12',
  argumentFaults: 'result',
  elicitationModes: ['form', 'url'],
  elicitationIds: false,
  choiceForms: ['plain', 'named', 'titled', 'many'],
  formDefaults: 'all',
  tasks: 'extension',
  completionContext: true,
  progressMessages: true,
  batches: false,
  resultEnvelope: true,
  errorCodes: [...JSON_RPC_CODES, -32020, -32021, -32022],
  resourceNotFoundCode: -32602,
  unreadableId: 'omitted',
  subscriptions: 'listen',
  http: 'stateless',
  versionHeader: 'all',
  primingEvents: false,
}

/**
 * Every revision we speak, oldest first. Adding one is adding a row.
 *
 * @example
 * ```ts
 * import { REVISIONS } from 'patchbay/protocol'
 *
 * for (const { revision, era } of REVISIONS) console.log(revision, era)
 * ```
 */
export const REVISIONS: readonly RevisionRow[] = [
  REVISION_2024_11_05,
  REVISION_2025_03_26,
  REVISION_2025_06_18,
  REVISION_2025_11_25,
  REVISION_2026_07_28,
]

/**
 * The newest revision we speak.
 *
 * @example
 * ```ts
 * import { LATEST } from 'patchbay/protocol'
 *
 * console.log(LATEST) // 2026-07-28
 * ```
 */
export const LATEST: Revision = '2026-07-28'
/**
 * The newest revision that opens with a handshake.
 *
 * @example
 * ```ts
 * import { STABLE } from 'patchbay/protocol'
 *
 * console.log(STABLE) // 2025-11-25
 * ```
 */
export const STABLE: Revision = '2025-11-25'
/**
 * What a request is taken for that names no revision, where those of handshakes can stand alone (2025-06-18, Streamable
 * HTTP: protocol version header): the newest whose requests never name it.
 */
export const ASSUMED: Revision = '2025-03-26'
/**
 * The version strings we speak, oldest first.
 *
 * @example
 * ```ts
 * import { SUPPORTED } from 'patchbay/protocol'
 *
 * console.log(SUPPORTED.includes('2025-06-18'))
 * ```
 */
export const SUPPORTED: readonly Revision[] = REVISIONS.map((row) => row.revision)

/** The pre-release of the first revision has its shape; it is understood and never offered. */
const PRE_RELEASE = '2024-10-07'

const rowsByVersion = new Map<string, RevisionRow>(REVISIONS.map((row) => [row.revision, row]))

/**
 * The row of a version string a peer sent, or undefined if we do not speak it.
 *
 * @example
 * ```ts
 * import { revisionRow } from 'patchbay/protocol'
 *
 * console.log(revisionRow('2025-11-25')?.era) // legacy
 * ```
 */
export function revisionRow(version: string): RevisionRow | undefined {
  return rowsByVersion.get(version)
}

/**
 * The `id` of an error for a message whose own id is unreadable: null where the revision requires an `id` member,
 * undefined for every other revision and for a peer whose revision is not known.
 */
export function unreadableIdIn(version: string | undefined): null | undefined {
  const row = version === undefined ? undefined : revisionRow(version)
  return row?.unreadableId === 'null' ? null : undefined
}

/**
 * The row of the version string in `initialize` or in its answer (Lifecycle: version negotiation), or undefined if
 * it does not open with a handshake. The pre-release 2024-10-07 is taken for 2024-11-05.
 */
export function handshakeRow(version: string): RevisionRow | undefined {
  if (version === PRE_RELEASE) return REVISION_2024_11_05
  const row = revisionRow(version)
  return row?.era === 'legacy' ? row : undefined
}

/** The version strings of one era, oldest first. */
export function revisionsOf(era: Era): readonly Revision[] {
  return REVISIONS.filter((row) => row.era === era).map((row) => row.revision)
}
