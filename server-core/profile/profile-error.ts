import { CodedError } from '../protocol/coded-error.ts'

export type ProfileErrorCode =
  /** There is no such server, or no such removed server. */
  | 'NOT_FOUND'
  /** Several servers have that name. */
  | 'AMBIGUOUS'
  /** What was approved is not what is stored now. */
  | 'APPROVAL_OUTDATED'
  /** The entry cannot be used as it is. */
  | 'INVALID_ENTRY'

/** The error type of per-user storage. The code reaches the window and the command line. */
export class ProfileError extends CodedError<ProfileErrorCode> {
  override readonly name = 'ProfileError'
}
