import { CodedError } from '../../protocol/coded-error.ts'

/** How the command line ends. */
export const ExitCode = {
  ok: 0,
  /** A check, comparison or test failed. */
  regression: 1,
  /** The command line makes no sense as it was typed. */
  usage: 2,
  /** The server wants an authorization that is not there, or refuses the one that is. */
  authorization: 3,
  /** The server cannot be reached, or may not be. */
  unreachable: 4,
  /** The server answered with an error. */
  toolError: 5,
  /** A request of the server was declined or could not be answered here, so the call could not finish. */
  unanswered: 6,
  /** An internal error. */
  internal: 9,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The same for help texts. */
export const EXIT_CODES = `Exit codes:
  0  done
  1  a check, comparison or test failed
  2  the command line is wrong
  3  authorization is missing or was refused
  4  the server cannot be reached, does not answer or is not approved, or the command was interrupted
  5  the server or the tool returned an error
  6  a request of the server was declined or not answered here, so the call could not finish
  9  a fault of Patchbay`

/** The user typed something that makes no sense. The message says what was expected. */
export class UsageError extends CodedError<'usage'> {
  override readonly name = 'UsageError'

  constructor(message: string, options?: ErrorOptions) {
    super('usage', message, options)
  }
}

/** The server answered with an error, its cause, and lists nothing of the name. The message says what it has. */
export class UnknownNameError extends CodedError<'unknown-name'> {
  override readonly name = 'UnknownNameError'

  constructor(message: string, options?: ErrorOptions) {
    super('unknown-name', message, options)
  }
}

/** What was to be run could not be started. The message has cause and remedy. */
export class StartError extends CodedError<'not-started'> {
  override readonly name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super('not-started', message, options)
  }
}

/** The server cannot be reached. The message has cause and remedy. */
export class UnreachableError extends CodedError<'unreachable'> {
  override readonly name = 'UnreachableError'

  constructor(message: string, options?: ErrorOptions) {
    super('unreachable', message, options)
  }
}
