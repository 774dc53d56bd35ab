import type { HandlerContext } from './context.ts'

/** What a guard, an interceptor or an error mapper knows of its call. */
export type HandlerCall = {
  /** `list`: a template lists its resources; `completion`: values for an argument or a variable are suggested. */
  readonly kind: 'tool' | 'resource' | 'template' | 'list' | 'prompt' | 'completion'
  /** The name of the tool, resource, template or prompt. */
  readonly name: string
  readonly tags: readonly string[]
  /** The URI that is read; only for `resource` and `template`. */
  readonly uri?: string
  /**
   * Arguments of a tool or prompt, variables of a template, or what a completion is given. A guard sees them as the
   * client sent them, an interceptor as the handler gets them: parsed, with defaults and transforms applied.
   */
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * Decides whether a call may run. `false` refuses, a text refuses and says why: the client gets a `ForbiddenError` that
 * names the guard. What a guard throws fails the call as a handler's error does. The server has held a tool's arguments
 * against its JSON Schema by then; zod parses after the guards.
 */
export type Guard<L = unknown> = {
  readonly name: string
  allows(call: HandlerCall, ctx: HandlerContext<L>): boolean | string | Promise<boolean | string>
}

/** Goes on to the next interceptor, in the end to the handler. With an argument the handler gets that instead. */
export type Next = (replaced?: Readonly<Record<string, unknown>>) => Promise<unknown>

/**
 * Wraps the handler and returns the result. It sees the value that the handler returned (of a stream the
 * value at its end), before that is checked against an output schema and written for the wire. Replaced arguments
 * are not checked again.
 */
export type Interceptor<L = unknown> = (call: HandlerCall, next: Next, ctx: HandlerContext<L>) => unknown

/**
 * Makes something else of what a guard, an interceptor or the handler threw: an error (a `ProtocolError` becomes the
 * JSON-RPC error), or a value, which is the result in its place. `undefined` leaves it to the next mapper. Refusals
 * of guards are not asked about; arguments that are not valid (an `ArgumentsError`) only of tools whose `validation` is
 * `handler`.
 */
export type ErrorMapper<L = unknown> = (error: unknown, call: HandlerCall, ctx: HandlerContext<L>) => unknown

/** Middleware of a handler. The same members of a `Registry` wrap all its handlers, further out. */
export type Middleware<L = unknown> = {
  /** All must allow the call; asked in order, the registry's first. */
  readonly guards?: readonly Guard<L>[]
  /** The first is the outermost, the registry's around them. */
  readonly interceptors?: readonly Interceptor<L>[]
  /** Asked first, then the registry's. */
  readonly mapError?: ErrorMapper<L>
  /** Facts of your own for guards and interceptors: `ctx.metadata`, over the registry's. Never sent to a client. */
  readonly metadata?: Readonly<Record<string, unknown>>
}
