/** A JavaScript process of our own, started beside the host. */
export type ProcessRequest = {
  /** Absolute path of a bundled module. */
  readonly entry: string
  readonly args: readonly string[]
  /** Options of Node for the child, such as a heap limit; not every runtime reads `NODE_OPTIONS`. */
  readonly execArgv?: readonly string[]
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** What the system's process list shows. */
  readonly name: string
}

/** How a process ended. */
export type ProcessExit = {
  readonly code: number | null
  readonly signal: string | null
  /** Why it was killed, as a clause, if it was because of what it sent. */
  readonly fault?: string
}

export type StartedProcess = {
  readonly pid: number
  /**
   * Sends a value to the child; does nothing once the child has ended.
   *
   * @throws Error if the value cannot be serialized
   */
  post(message: unknown): void
  /** What arrives was sent by a process that may run code of others: it must be parsed. */
  onMessage(listener: (message: unknown) => void): void
  onOutput(listener: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void): void
  /** Resolves when it has ended. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when it has ended, and all that it started. */
  readonly gone: Promise<void>
  /** Ends it at once, and what it started. */
  kill(): void
}

/**
 * Starts processes that run our bundled modules. In Node it forks a child; in the desktop the host is itself a
 * utility process, which can start none, so the shell's main process forks and relays.
 */
export interface ProcessStarter {
  start(request: ProcessRequest): Promise<StartedProcess>
}
