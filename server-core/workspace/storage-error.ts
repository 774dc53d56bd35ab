import { CodedError } from '../protocol/coded-error.ts'

export type StorageErrorCode =
  /** The file could not be read or written; `cause` has the system's error. */
  | 'unavailable'
  /** Another program holds the file's lock for too long. */
  | 'locked'
  /** Another program kept changing the file while a change was being saved. */
  | 'contended'
  /** There is nothing stored under that name. */
  | 'not-found'
  /** The file's content cannot be used, and it was left as it is. */
  | 'damaged'
  /** A secret could not be decrypted. */
  | 'sealed'
  /** Secrets are in the key chain of the system, which cannot be used now. */
  | 'key-chain-locked'

/** The error type of the workspace module. `message` says which file, what happened and what to do. */
export class StorageError extends CodedError<StorageErrorCode> {
  override readonly name = 'StorageError'
}

/** Returns whether a secret is stored and cannot be opened, now or any more. */
export function isUnreadableSecret(error: unknown): error is StorageError {
  return error instanceof StorageError && (error.code === 'sealed' || error.code === 'key-chain-locked')
}

/** The system's code of an error (`ENOENT`, `ENOSPC` …), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
