export type HostErrorCode =
  /** There is no such server, removed server, notice or stream. */
  | 'NOT_FOUND'
  /** Several servers have that name. */
  | 'AMBIGUOUS'
  /** The entry was never approved, or was changed since. */
  | 'NOT_APPROVED'
  /** What was approved is not what is stored now. */
  | 'APPROVAL_OUTDATED'
  /** The entry cannot be used as it is. */
  | 'INVALID_ENTRY'
  /** The embedded server cannot be edited, removed or replaced. */
  | 'EMBEDDED'
  /** There is no open connection to that server. */
  | 'NOT_CONNECTED'
  /** Nobody waits for an answer to the question: it is over, or a rule is at it. */
  | 'NOT_OPEN'
  /** The parameters are no JSON object. */
  | 'INVALID_PARAMS'
  /** The id of a call that is still going on was used again. */
  | 'CALL_IN_PROGRESS'
  /** The server answered with an error, or not at all. */
  | 'REFUSED'
  /** The port cannot be used. */
  | 'PORT_UNAVAILABLE'

/** The error type of the host: what a procedure refuses. The code reaches the window and the command line. */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly code: HostErrorCode

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
