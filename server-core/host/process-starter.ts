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

export type StartedProcess = {
  readonly pid: number
  /** Sends a cloneable value to the child. */
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onOutput(listener: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void): void
  /** Resolves when it is gone. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Ends it at once. */
  kill(): void
}

/**
 * Starts processes that run our bundled modules. In Node it forks a child; in the desktop the host is itself a
 * utility process, which can start none, so the shell's main process forks and relays.
 */
export interface ProcessStarter {
  start(request: ProcessRequest): Promise<StartedProcess>
}
