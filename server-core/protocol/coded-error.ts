/**
 * The base of every error that a program may tell apart by its `code`. A module derives one class from it, names its
 * codes, and adds only what its callers need beyond them.
 */
export abstract class CodedError<Code extends string | number> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
