/** How the command line ends. */
export const ExitCode = {
  ok: 0,
  /** Something of ours failed. */
  internal: 1,
  /** The command line makes no sense as it was typed. */
  usage: 2,
  /** The server cannot be reached, or may not be. */
  unreachable: 4,
  /** The server answered with an error. */
  toolError: 5,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The user typed something that makes no sense. The message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The server answered with an error, its cause, and lists no tool of the name. The message says which it has. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError'
}

/** What was to be run could not be started. The message has cause and remedy. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The server cannot be reached. The message has cause and remedy. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
