import type { ProcessIdentity } from './process-tree.ts'

/** Where it is kept which processes were started and have not ended. */
export interface ProcessRegistry {
  /** @param command for people */
  started(process: ProcessIdentity, command: string): void
  /** The process has ended, with all that it started. */
  ended(process: ProcessIdentity): void
}
