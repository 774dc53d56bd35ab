import type { ListKind } from '../protocol/list-kind.ts'
import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import type { Upstream } from './upstream.ts'
import type { Invocation } from './invocation.ts'

/** Members that tools, resources, templates and prompts share on the wire. */
type Described = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly JsonObject[]
  readonly meta?: JsonObject
  /** The author's words to sort and choose by; on the wire a member of their own, and in `meta`. */
  readonly tags?: readonly string[]
}

/** The outcome of a tool in neutral form; the era adapters make a wire result of it. */
export type ToolOutcome = {
  readonly content: readonly JsonObject[]
  /** Any JSON value; undefined means there is none. */
  readonly structured?: unknown
  readonly isError?: boolean
  readonly meta?: JsonObject
  /** Members of the result that the specification does not know. */
  readonly others?: JsonObject
}

export type ResourceOutcome = {
  readonly contents: readonly JsonObject[]
  readonly meta?: JsonObject
  readonly others?: JsonObject
}
export type PromptOutcome = {
  readonly description?: string
  readonly messages: readonly JsonObject[]
  readonly meta?: JsonObject
  readonly others?: JsonObject
}
export type CompletionOutcome = {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}

/**
 * How calls of a tool become tasks, where the client and the server agree on tasks (2025-11-25, Tasks; extension
 * `io.modelcontextprotocol/tasks`).
 */
export type TaskBehaviour = {
  /**
   * When the task begins. `at-once` (if not given): before the handler runs, whose questions are then the task's.
   * `by-handler`: when the handler calls `startTask`; what it asks before belongs to the call. A client of
   * 2025-11-25 that asks for a task gets it at once in any case.
   */
  readonly start?: 'at-once' | 'by-handler'
  /** Milliseconds for which the task is kept, from its creation. */
  readonly ttlMs?: number
  /** Milliseconds a client should wait between two looks at it. */
  readonly pollIntervalMs?: number
  /** What the client's model receives immediately, while the task goes on (2025-11-25 only). */
  readonly immediateResponse?: string
}

/** How long, and by whom, a client may keep a list or a resource (2026-07-28, Caching). */
export type CacheHints = {
  /** Milliseconds, a whole number; 0 means not at all. */
  readonly ttlMs: number
  /** `public`: the same for every caller, so that caches may share it. */
  readonly scope: 'public' | 'private'
}

/**
 * One registered tool as the server sees it. `invoke` takes arguments that were validated against `inputSchema`
 * (unless `validation` says otherwise) and never throws for a fault of the author's code: that becomes an outcome with
 * `isError`. It rejects with a `ProtocolError` or an `InputUnavailableError` only. A structured value is checked
 * against a zod output schema here, against a plain JSON Schema by the server.
 */
export type ToolEntry = Described & {
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: JsonObject
  readonly taskSupport?: 'forbidden' | 'optional' | 'required'
  readonly task?: TaskBehaviour
  /** Another server checks arguments and structured results, and what it says of them reaches the client as it is. */
  readonly isCheckedElsewhere?: boolean
  /** `handler`: `invoke` takes any object and holds it against `inputSchema` itself. */
  readonly validation?: 'handler'
  /** Milliseconds of the handler's own time; waiting for the client does not count. */
  readonly timeoutMs: number
  /** The handler may be run again from the top with the answers so far. */
  readonly reentrant: boolean
  invoke(args: JsonObject, invocation: Invocation): ToolOutcome | Promise<ToolOutcome>
}

/**
 * A static resource. `read` rejects with a `ResourceNotFoundError` (whose code the server chooses by revision),
 * a `ProtocolError` or an `InputUnavailableError` only; a fault of the author's code is an internal error.
 */
export type ResourceEntry = Described & {
  readonly uri: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: JsonObject
  readonly cache?: CacheHints
  readonly reentrant: boolean
  read(uri: string, invocation: Invocation): Promise<ResourceOutcome>
}

/** A resource as `resources/list` shows it: data only, it is read through `RegistryView.resourceFor`. */
export type ListedResource = Omit<ResourceEntry, 'read' | 'reentrant' | 'cache'>

/** What the text of a template's variable must be able to say, if it is more than text. */
export type VariableType = 'number' | 'integer' | 'boolean'
/** By the name of the variable; data, so that a URI can be matched where the handler does not run. */
export type VariableTypes = Readonly<Record<string, VariableType>>

export type ResourceTemplateEntry = Described & {
  readonly uriTemplate: string
  readonly mimeType?: string
  readonly annotations?: JsonObject
  /** Of every resource under this template. */
  readonly cache?: CacheHints
  /** What the texts of variables must be able to say; a URI where one does not is not of this template. */
  readonly variableTypes?: VariableTypes
  readonly reentrant: boolean
  /** The variables of a URI that matches, or undefined. Linear in the length of the URI. */
  match(uri: string): Readonly<Record<string, string | readonly string[]>> | undefined
  /** The resources that exist under this template just now; see `resourceListing`. */
  list?(invocation: Invocation): Promise<readonly ListedResource[]>
  read(
    uri: string,
    variables: Readonly<Record<string, string | readonly string[]>>,
    invocation: Invocation,
  ): Promise<ResourceOutcome>
}

export type PromptArgument = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A prompt. `get` rejects like `ResourceEntry.read`; missing and undeclared arguments are `invalidParams`. */
export type PromptEntry = Described & {
  readonly arguments: readonly PromptArgument[]
  readonly reentrant: boolean
  get(args: Readonly<Record<string, string>>, invocation: Invocation): Promise<PromptOutcome>
}

/** What a completion is asked for. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/**
 * What may become of a kind while clients are connected. `fixed`: its list stays as it is. `changes`: entries may come
 * and go, and it is declared to clients that come while there are some. `may-appear`: it is declared even while there
 * are not entries.
 */
export type ListStability = 'fixed' | 'changes' | 'may-appear'

export type RegistryChange =
  { readonly type: 'list'; readonly kind: ListKind } | { readonly type: 'updated'; readonly uri: string }

/**
 * What the server reads. Lists keep their order and are the same arrays until something changed, so that a
 * server may keep what it made of them.
 */
export interface RegistryView {
  tools(): readonly ToolEntry[]
  tool(name: string): ToolEntry | undefined
  resources(): readonly ResourceEntry[]
  resourceTemplates(): readonly ResourceTemplateEntry[]
  /** The static resource with that URI, else the first template that matches it. */
  resourceFor(uri: string):
    | {
        readonly read: (invocation: Invocation) => Promise<ResourceOutcome>
        readonly reentrant: boolean
        readonly cache?: CacheHints | undefined
      }
    | undefined
  prompts(): readonly PromptEntry[]
  prompt(name: string): PromptEntry | undefined
  /** Undefined if the reference is unknown; an entry without a completer gives no values. */
  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined>
  /** What may become of a kind from now on. */
  listStability(kind: ListKind): ListStability
  /** Where the entries are those of another server. */
  readonly upstream?: Upstream | undefined
  /** Called once per real change. Returns an unsubscribe function. */
  onChange(listener: (change: RegistryChange) => void): () => void
}

/** A registry whose handlers share something that is started and cleaned up. */
export interface Lifecycle {
  /** Starts it now, and not with the first call. Rejects with a `LifespanError` if it cannot start. */
  start(): Promise<void>
  /** Cleans up, once no call needs it any more; a later call would start it again. Rejects with what that throws. */
  stop(): Promise<void>
}
