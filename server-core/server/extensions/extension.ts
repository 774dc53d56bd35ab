import type { JsonObject } from '../../protocol/json.ts'
import type { Era, Revision } from '../../protocol/revisions.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import type { WireResult } from '../result-metadata.ts'
import type { RunAdapter } from '../run.ts'

/** A request of a client as an extension sees it. */
export interface ExtensionRequest {
  readonly method: string
  readonly params: JsonObject
  readonly revision: Revision
  /** Names the caller the same on every connection: what one may see, another may not. */
  readonly caller: string
  /** Headers of the HTTP request in lower case; empty on other transports. */
  readonly headers: Readonly<Record<string, string>>
  readonly clientCapabilities: JsonObject
  /** The client's settings of the extension; undefined if the client does not declare it. */
  readonly settings: JsonObject | undefined
  /** Aborted when the request is cancelled. Made on first use. */
  readonly signal: AbortSignal
  /** Sends one of the extension's own notifications on the stream of this request; nothing after its end. */
  notify(method: string, params: JsonObject): void
}

export type ExtensionMethod = {
  /** The parameter that the header `Mcp-Name` repeats (2026-07-28, Streamable HTTP: request headers). */
  readonly nameParameter?: string
  /** Serves clients that do not declare the extension too; otherwise they get `missingClientCapability`. */
  readonly open?: boolean
  /** Returns the bare result. Throws or rejects with a `ProtocolError`. */
  serve(request: ExtensionRequest): JsonObject | Promise<JsonObject>
}

/** A part of a `subscriptions/listen` that an extension delivers. */
export type ExtensionSubscription = {
  /** What of the filter is delivered; it is acknowledged. */
  readonly accepted: unknown
  /** Called after the acknowledgement; from then on `notify` of the request may be used. */
  begin(): void
  /** Called once, when the subscription is over. */
  end(): void
}

export type ListenFilter = {
  /**
   * Reads what a client asked for under the filter's name; undefined leaves the filter out of what is acknowledged.
   * Throws a `ProtocolError` for an invalid filter.
   */
  open(asked: unknown, request: ExtensionRequest): ExtensionSubscription | undefined
}

/** How a detached run ended. `result` is complete, in the words of the request's revision. */
export type DetachedEnd =
  | { readonly type: 'result'; readonly result: WireResult; readonly isError: boolean }
  | { readonly type: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }

/** Leads a handler's run whose request was answered already. */
export interface DetachedRun extends RunAdapter {
  /** What the request is answered with: a result with one of the extension's values of `resultType`. */
  readonly result: JsonObject
  ended(end: DetachedEnd): void
}

/** What an extension needs to stop a run that it leads. */
export type RunControl = { readonly cancel: (reason: string) => void }

/** Lets an extension answer a `tools/call` early and lead the handler's run from then on. */
export type CallInterceptor = {
  /** A quick look at every call, before anything is made for the extension: false leaves it. */
  concerns(call: HandlerCall): boolean
  /**
   * Returns what becomes of a call: `leave` it, take it `at-once`, or take it when its handler says so (`startTask`).
   * Asked for every call that concerns it, also of clients that do not declare the extension; throws a `ProtocolError` to refuse one.
   */
  admit(call: HandlerCall, request: ExtensionRequest): 'leave' | 'at-once' | 'by-handler'
  /**
   * Takes the run over. `message` is what the handler said, if it did. Undefined: it cannot be taken just now, and
   * goes on as if it had been left. Throws a `ProtocolError` to refuse the call.
   */
  take(
    call: HandlerCall,
    request: ExtensionRequest,
    run: RunControl,
    message: string | undefined,
  ): DetachedRun | undefined
}

/** A notification of a client, as the extension gets it. */
export type ExtensionNotice = {
  readonly params: JsonObject
  readonly caller: string
  readonly revision: Revision
}

/**
 * An addition to the protocol (2026-07-28, Extensions), declared under its id in `capabilities.extensions`. Only
 * clients that declare the same id get anything of it.
 */
export type Extension = {
  /** `prefix/name`, as `com.example/thing`. */
  readonly id: string
  /** What is declared: the extension's settings, or a function that gives them, or undefined while it is off. */
  readonly settings?: JsonObject | (() => JsonObject | undefined)
  /** The eras in which it is served; both if not given. */
  readonly eras?: readonly Era[]
  readonly methods?: Readonly<Record<string, ExtensionMethod>>
  /** What it sends, and what it takes from clients. */
  readonly notifications?: Readonly<Record<string, 'sent' | ((notice: ExtensionNotice) => void)>>
  /** Values of `resultType` that its results may have beside `complete`. */
  readonly resultTypes?: readonly string[]
  /** Keys that it adds to the `_meta` of results, with what gives their values; undefined adds none. */
  readonly resultMeta?: Readonly<Record<string, (request: ExtensionRequest) => unknown>>
  /** Filters of `subscriptions/listen`, by their member of `notifications`. */
  readonly listen?: Readonly<Record<string, ListenFilter>>
  readonly calls?: CallInterceptor
  /** The server stops. */
  close?(): void
}
