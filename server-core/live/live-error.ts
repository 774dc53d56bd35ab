import { CodedError } from '../protocol/coded-error.ts'

export type LiveErrorCode =
  /** No such revision is kept of that script. */
  | 'unknown-revision'
  /** There is no entry or script of that name. */
  | 'unknown-entry'
  /** The folder does not exist, or is not a folder. */
  | 'no-folder'
  /** Nothing of the folder may run before it is trusted. */
  | 'untrusted'
  /** What was to be composed into the server cannot be served. */
  | 'source'
  /** A file could not be written. */
  | 'write'

/** What cannot be done with a workspace. `message` says what was expected, what came and what to do. */
export class LiveError extends CodedError<LiveErrorCode> {
  override readonly name = 'LiveError'
}
