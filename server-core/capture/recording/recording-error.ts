import { CodedError } from '../../protocol/coded-error.ts'

export type RecordingErrorCode =
  /** The file cannot be made or written; `cause` has the system's error. */
  | 'unwritable'
  /** The file cannot be read; `cause` has the system's error. */
  | 'unreadable'
  /** The file is something else. */
  | 'no-recording'
  /** The file is of a later version of Patchbay. */
  | 'newer'
  /** A line of the file cannot be read. */
  | 'damaged'
  /** The file has no end: it is still written, or its process was ended. */
  | 'open'

/** The error type of recordings. `message` says which file and line, what was expected and what to do. */
export class RecordingError extends CodedError<RecordingErrorCode> {
  override readonly name = 'RecordingError'
}
