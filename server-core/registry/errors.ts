import { ErrorCode, ProtocolError } from '../protocol/errors.ts'

export type RegistryErrorCode =
  /** Something of that kind and name is there already. */
  | 'duplicate'
  /** A definition that cannot be served: a URI with white space, a schema that is no object, … */
  | 'invalid-definition'
  /** The handle's thing was removed. */
  | 'removed'

/** What an author did wrong when registering something. `message` says what was expected and what came. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode

  constructor(code: RegistryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * There is no such resource (specification: Resources, Error Handling). Carries the code of 2026-07-28; a server
 * that speaks an older revision takes the code from its revision's row.
 */
export class ResourceNotFoundError extends ProtocolError {
  readonly uri: string

  constructor(uri: string, message = `There is no resource ${uri}.`) {
    super(ErrorCode.invalidParams, message, { uri })
    this.uri = uri
  }
}
