import { CodedError } from '../protocol/coded-error.ts'

export type TapErrorCode =
  /** The client's file has no entry of that name. */
  | 'no-entry'
  /** The entry does not start a command. */
  | 'not-stdio'
  /** The entry starts a tap already. */
  | 'wrapped'
  /** No tap is known for the entry. */
  | 'not-wrapped'
  /** Somebody changed the entry after it was wrapped. */
  | 'changed'
  /** The program that is to be written does not exist. */
  | 'not-built'
  /** The rules cannot be used. */
  | 'rules'
  /** The server cannot be replaced; the present one goes on. */
  | 'swap'
  /** No tap that runs is meant, or several are. */
  | 'no-tap'

/** The error type of this module. `message` says what was expected, what came and what to do. */
export class TapError extends CodedError<TapErrorCode> {
  override readonly name = 'TapError'
}
