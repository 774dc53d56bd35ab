import { CodedError } from '../protocol/coded-error.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { DeprecatedEmission } from './deprecated/table.ts'

/** What a handler sends before its result. */
export type Emission =
  | {
      readonly type: 'progress'
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  /** The call may become a task from here on, where its tool and the client have agreed on that. */
  | { readonly type: 'task'; readonly message?: string }
  /** Closes the connection of the call's stream; its client comes back for the rest after `retryMs`. */
  | { readonly type: 'release'; readonly retryMs?: number }
  /** What the user was sent to do at the URL of that question is done. */
  | { readonly type: 'elicitation-complete'; readonly key: string }
  | DeprecatedEmission

/** A question to the client. `key` names it; answers are taken by name. */
export type Question = {
  readonly key: string
  readonly method: string
  readonly params: JsonObject
  /** To be asked only when the client has said that what is asked for changed since it was asked for last. */
  readonly after?: 'change'
}

/** The facts of the request that a handler serves. Plain data: it crosses a message port as it is. */
export type InvocationFacts = {
  readonly revision: Revision
  /** Headers of the HTTP request in lower case, without the caller's token and cookies; empty on other transports. */
  readonly headers: Readonly<Record<string, string>>
  /** Who the caller's access token speaks for, where the server is given such tokens. */
  readonly principal?: Principal
  readonly sessionId?: string
  readonly clientInfo?: JsonObject
  readonly clientCapabilities: JsonObject
  /** The request's own `_meta`. */
  readonly meta: JsonObject
  /** Answers that are already there, by key: a `reentrant` handler that is run again from the top finds them. */
  readonly answers: Readonly<Record<string, JsonObject>>
}

/**
 * The server's side of one running handler: everything a handler can reach goes through these members, and
 * all that passes is cloneable data, so the handler may run in this process or across a message port.
 */
export interface Invocation {
  readonly facts: InvocationFacts
  /** Aborted when the client cancels, the connection ends or the time limit passes. Made on first use. */
  readonly signal: AbortSignal
  /** Sends at once; ignored after the result. */
  emit(emission: Emission): void
  /**
   * Asks the client, all questions together, and gives the bare results by key. The time it waits is not the
   * handler's. Throws an `InputUnavailableError` if the client cannot answer one of the kinds. When `withdrawn` is
   * aborted, the questions are withdrawn where the client supports it, and it rejects with the signal's reason.
   */
  ask(questions: readonly Question[], withdrawn?: AbortSignal): Promise<Readonly<Record<string, JsonObject>>>
  /** Reports that a list changed, or a resource's content. */
  changed(change: { readonly kind: 'tools' | 'resources' | 'prompts' } | { readonly uri: string }): void
  /** Values that the scripts of a workspace share; kept by the host, cloneable. */
  readonly store: SharedStore
}

/** Values that all handlers of a server share. */
export interface SharedStore {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<void>
  keys(): Promise<readonly string[]>
}

/**
 * A handler asked for something the client did not declare, or the connection has no way to ask.
 *
 * @example
 * ```ts
 * import { InputUnavailableError, tool, z } from 'patchbay'
 *
 * export default tool({
 *   run: (_args, ctx) =>
 *     ctx.elicit('Which colour?', z.object({ colour: z.string() })).catch((error: unknown) => {
 *       // The client does not support elicitation.
 *       if (error instanceof InputUnavailableError) return { colour: 'blue' }
 *       throw error
 *     }),
 * })
 * ```
 */
export class InputUnavailableError extends CodedError<'input-unavailable'> {
  override readonly name = 'InputUnavailableError'
  /** The client capability that is missing, as a capabilities object. */
  readonly requiredCapabilities: JsonObject

  constructor(message: string, requiredCapabilities: JsonObject) {
    super('input-unavailable', message)
    this.requiredCapabilities = requiredCapabilities
  }
}
