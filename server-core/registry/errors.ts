import { CodedError } from '../protocol/coded-error.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { visibleLine } from '../protocol/visible-text.ts'

export type RegistryErrorCode =
  /** Something of that kind and name is there already. */
  | 'duplicate'
  /** A definition that cannot be served: a URI with white space, a schema that is not an object, … */
  | 'invalid-definition'
  /** The handle's thing was removed. */
  | 'removed'

/** What an author did wrong when registering something. `message` says what was expected and what came. */
export class RegistryError extends CodedError<RegistryErrorCode> {
  override readonly name = 'RegistryError'
}

/**
 * There is no such resource (specification: Resources, Error Handling). Carries the code of 2026-07-28; a server
 * that speaks an older revision takes the code from its revision's row.
 *
 * @example
 * ```ts
 * import { ResourceNotFoundError, template } from 'patchbay'
 *
 * const notes = new Map([['1', 'Buy milk']])
 * export default template({
 *   name: 'note',
 *   uriTemplate: 'notes://{id}',
 *   read: ({ id }) => {
 *     const note = notes.get(id)
 *     if (note === undefined) throw new ResourceNotFoundError(`notes://${id}`)
 *     return note
 *   },
 * })
 * ```
 */
export class ResourceNotFoundError extends ProtocolError {
  readonly uri: string

  constructor(uri: string, message = `There is no resource ${visibleLine(uri, 150)}.`) {
    super(ErrorCode.invalidParams, message, { uri })
    this.uri = uri
  }
}

/** The code of a `ForbiddenError`: an application's own, outside -32768 … -32000. */
export const FORBIDDEN = -31_403

/**
 * A guard refused the call. It goes to the client as a JSON-RPC error and not as a tool's result: there is nothing in
 * the arguments that a model could do better. `data` is `{ type: "FORBIDDEN", guard }`.
 *
 * @example
 * ```ts
 * import { ForbiddenError, tool } from 'patchbay'
 *
 * export default tool({
 *   run: (_args, ctx) => {
 *     if (ctx.principal === undefined) throw new ForbiddenError('Log in first.')
 *     return 'done'
 *   },
 * })
 * ```
 */
export class ForbiddenError extends ProtocolError {
  readonly guard: string

  constructor(guard: string, reason?: string) {
    const why = reason === undefined ? '.' : `: ${reason}`
    super(FORBIDDEN, `Forbidden by guard "${guard}"${why}`, { type: 'FORBIDDEN', guard })
    this.guard = guard
  }
}

/** What handlers share cannot be had, or did not end as it should. */
export class LifespanError extends CodedError<'lifespan'> {
  override readonly name = 'LifespanError'

  constructor(message: string, options?: ErrorOptions) {
    super('lifespan', message, options)
  }
}
