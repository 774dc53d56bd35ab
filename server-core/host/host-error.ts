import { CodedError } from '../protocol/coded-error.ts'

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
  /** The parameters are not a JSON object. */
  | 'INVALID_PARAMS'
  /** The id of a call that is still going on was used again. */
  | 'CALL_IN_PROGRESS'
  /** The server answered with an error, or not at all. */
  | 'REFUSED'
  /** A file of another client was left as it is, or what it is to start is not there. */
  | 'NOT_INSTALLED'
  /** The port cannot be used. */
  | 'PORT_UNAVAILABLE'
  /** The path names no file that a workspace can have. */
  | 'INVALID_NAME'
  /** The path leads out of the workspace. */
  | 'OUTSIDE_WORKSPACE'
  /** The file belongs to a package, to git or to Patchbay. */
  | 'READ_ONLY'
  /** The file is not text. */
  | 'NOT_TEXT'
  /** The file is larger than is edited. */
  | 'TOO_LARGE'
  /** Another file has that name. */
  | 'ALREADY_EXISTS'
  /** The folder is not there, or is not a folder. */
  | 'NO_FOLDER'
  /** What is kept of the workspace has no such revision. */
  | 'NOT_KEPT'
  /** Nothing of the workspace may run yet. */
  | 'NOT_TRUSTED'
  /** The language server cannot be started. */
  | 'NO_LANGUAGE_SERVER'

/** The error type of the host: what a procedure refuses. The code reaches the window and the command line. */
export class HostError extends CodedError<HostErrorCode> {
  override readonly name = 'HostError'
}
