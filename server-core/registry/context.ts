import type { JsonObject } from '../protocol/json.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { Ask, AskOptions, Asking } from './answers.ts'
import { DEPRECATED_MEMBERS, type DeprecatedEmission, type DeprecatedMembers } from './deprecated/table.ts'
import { formQuestion, urlQuestion } from './elicitation.ts'
import type { Invocation, SharedStore } from './invocation.ts'
import { Questions } from './questions.ts'
import type { OutputOf, SchemaInput } from './schema.ts'
import { defineForeignMembers } from './foreign-context-members.ts'

/**
 * All that a handler can reach beside its arguments. `L` is what the registry's lifespan gives.
 *
 * A question (`elicit`, `elicitUrl` and the deprecated ones) is an await in every revision, and its time is not the
 * handler's. Where the client cannot answer it, it rejects with an `InputUnavailableError` that names the capability;
 * an error that the client sends is a `ClientAnswerError`; without a usable answer in all rounds, a `QuestionError`.
 */
export interface HandlerContext<L = unknown> extends DeprecatedMembers {
  /** Aborted when the client cancels, the connection ends or the time limit passes. */
  readonly signal: AbortSignal
  /** The revision that the client speaks. */
  readonly revision: Revision
  /** Headers of the HTTP request in lower case, without the caller's token and cookies; empty on other transports. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Who calls, by an access token of an authorization server (specification: Authorization) or by a named token of this
   * server's own; else undefined.
   */
  readonly principal: Principal | undefined
  /** The session of a legacy client (specification: Transports, Session Management). */
  readonly sessionId: string | undefined
  /** Who the client says it is; nothing to trust. */
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  /** The request's own `_meta` (specification: General fields, `_meta`). */
  readonly meta: JsonObject
  /** The definition's `metadata`, over that of the registry. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** What the registry's lifespan gave; undefined if it has none. */
  readonly lifespan: L
  /**
   * Yours for this one call, shared by guards, interceptors and the handler. It lasts as long as the run does, also
   * while that waits for answers; a `reentrant` handler that starts again from the top gets a fresh one.
   */
  readonly state: Record<string, unknown>
  /** Values shared by all handlers, kept outside of them; they survive a restart of the handler's process. */
  readonly store: SharedStore
  /** Reports progress (specification: Progress). `progress` must rise from call to call. */
  readonly progress: (progress: number, total?: number, message?: string) => void
  /**
   * Accepts a call: from here on it is a task, if the tool's
   * `task.start` is `by-handler` and the client takes tasks; else nothing happens. `message` tells people what is
   * being done.
   */
  readonly startTask: (message?: string) => void
  /**
   * Lets go of the connection on which the client waits; the client comes back for the result, after `retryMs`
   * milliseconds if given. Does something over HTTP in 2025-11-25 only (specification: Transports, Streamable HTTP).
   */
  readonly releaseStream: (retryMs?: number) => void
  /**
   * Asks the user to fill in a form and gives its content, checked and with defaults: a flat zod or JSON Schema
   * (specification: Elicitation, Form Mode). An answer that does not fit is asked for again. Rejects with an
   * `ElicitationRefusedError`, whose `action` says decline or cancel.
   */
  readonly elicit: <S extends SchemaInput>(
    message: string,
    schema: S,
    options?: AskOptions,
  ) => Promise<OutputOf<S>>
  /**
   * Asks the user to open a page; resolves when they agreed (specification: Elicitation, URL Mode). Rejects like
   * `elicit`.
   */
  readonly elicitUrl: (message: string, url: string, options?: AskOptions) => Promise<void>
  /** Reports that the user has done what `elicitUrl` with that key asked for (2025-11-25 only; else nothing). */
  readonly urlCompleted: (key: string) => void
  /** Reports that a list changed, or a resource's content. */
  readonly changed: (change: Change) => void
}

type Change = { readonly kind: 'tools' | 'resources' | 'prompts' } | { readonly uri: string }

/** Without the members of deprecated features. */
type LastingContext = Omit<HandlerContext, keyof DeprecatedMembers>

/**
 * The context of one handler run: a thin face of the server's `Invocation`, with what the registry knows beside it.
 * Its lifespan fits every handler of the registry that it came from.
 */
export function createContext(
  invocation: Invocation,
  metadata: Readonly<Record<string, unknown>>,
  lifespan?: unknown,
): HandlerContext<never> {
  return new InvocationContext(invocation, metadata, lifespan) as LastingContext as HandlerContext<never>
}

/** What few handlers look at. */
type Extras = {
  readonly lifespan?: unknown
  state?: Record<string, unknown>
  deprecated?: Map<string, unknown>
  questions?: Questions
}

/** Made for every call, so it holds little; the rest is made when it is looked at. */
class InvocationContext implements LastingContext {
  static {
    for (const [name, make] of Object.entries(DEPRECATED_MEMBERS)) {
      Object.defineProperty(InvocationContext.prototype, name, {
        get(this: InvocationContext) {
          return this.#deprecated(name, make)
        },
      })
    }
    defineForeignMembers(InvocationContext.prototype)
  }

  readonly #invocation: Invocation
  readonly #metadata: Readonly<Record<string, unknown>>
  #extras: Extras | undefined

  constructor(invocation: Invocation, metadata: Readonly<Record<string, unknown>>, lifespan: unknown) {
    this.#invocation = invocation
    this.#metadata = metadata
    this.#extras = lifespan === undefined ? undefined : { lifespan }
  }

  get signal() {
    return this.#invocation.signal
  }
  get revision() {
    return this.#invocation.facts.revision
  }
  get headers() {
    return this.#invocation.facts.headers
  }
  get principal() {
    return this.#invocation.facts.principal
  }
  get sessionId() {
    return this.#invocation.facts.sessionId
  }
  get clientInfo() {
    return this.#invocation.facts.clientInfo
  }
  get clientCapabilities() {
    return this.#invocation.facts.clientCapabilities
  }
  get meta() {
    return this.#invocation.facts.meta
  }
  get metadata() {
    return this.#metadata
  }
  get lifespan() {
    return this.#extras?.lifespan
  }
  get state() {
    return ((this.#extras ??= {}).state ??= {})
  }
  get store() {
    return this.#invocation.store
  }

  // Functions, made when they are looked at, so that a handler may take them out of its context.
  get progress(): HandlerContext['progress'] {
    return (progress, total, message) => {
      this.#invocation.emit({
        type: 'progress',
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      })
    }
  }

  get startTask(): HandlerContext['startTask'] {
    return (message) => {
      this.#invocation.emit({ type: 'task', ...(message === undefined ? {} : { message }) })
    }
  }

  get releaseStream(): HandlerContext['releaseStream'] {
    return (retryMs) => {
      this.#invocation.emit({ type: 'release', ...(retryMs === undefined ? {} : { retryMs }) })
    }
  }

  get elicit(): HandlerContext['elicit'] {
    return async <S extends SchemaInput>(message: string, schema: S, options: AskOptions = {}) =>
      (await this.#ask(formQuestion(message, schema, options.key))) as OutputOf<S>
  }

  get elicitUrl(): HandlerContext['elicitUrl'] {
    return (message, url, options = {}) => this.#ask(urlQuestion(message, url, options.key))
  }

  get urlCompleted(): HandlerContext['urlCompleted'] {
    return (key) => {
      this.#invocation.emit({ type: 'elicitation-complete', key })
    }
  }

  get changed(): HandlerContext['changed'] {
    return (change) => {
      this.#invocation.changed(change)
    }
  }

  #deprecated(name: string, make: (typeof DEPRECATED_MEMBERS)[keyof DeprecatedMembers]): unknown {
    const made = ((this.#extras ??= {}).deprecated ??= new Map())
    if (!made.has(name)) {
      const emit = (emission: DeprecatedEmission): void => {
        this.#invocation.emit(emission)
      }
      const ask: Ask = (asking) => this.#ask(asking)
      // Each takes of it what it needs.
      const reach = { emit, ask }
      made.set(name, make(reach))
    }
    return made.get(name)
  }

  #ask<T>(asking: Asking<T>): Promise<T> {
    return ((this.#extras ??= {}).questions ??= new Questions(this.#invocation)).ask(asking)
  }
}
