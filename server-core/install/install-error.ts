import { CodedError } from '../protocol/coded-error.ts'

export type InstallErrorCode =
  /** The client is not on this machine, or has no such file here. */
  | 'no-client'
  /** The client's file cannot be read as what it should be; it was left as it is. */
  | 'broken'
  /** The file is well-formed, but written in a way in which one entry cannot be changed by itself. */
  | 'unsupported'
  /** Another server has the name. */
  | 'foreign'
  /** There is no entry of that name. */
  | 'no-entry'
  /** There is nothing to take back, or somebody changed the file since. */
  | 'no-undo'
  /** A symbolic link leads out of the project. */
  | 'outside'
  /** Another program changed the file while we did. */
  | 'contended'
  /** What is to be installed is not there. */
  | 'no-target'

/** The error type of this module. `message` says which file, what was expected, what came and what to do. */
export class InstallError extends CodedError<InstallErrorCode> {
  override readonly name = 'InstallError'
}
