import type { RegistryView } from '../registry/entries.ts'
import type {
  LiveChange,
  LiveEntry,
  LiveFault,
  ScriptLogLine,
  ScriptRevision,
  ScriptState,
} from './live-state.ts'

/** A workspace folder as one registry that follows its files. */
export interface LiveWorkspace {
  /** Absolute. */
  readonly folder: string
  /** All that is served of it; stays the same object while the folder is open. */
  readonly registry: RegistryView
  /** Every entry, those too that are switched off or cannot be served. */
  entries(): readonly LiveEntry[]
  /** The scripts by file, `patchbay.config.ts` among them. */
  scripts(): readonly ScriptState[]
  /** Faults that belong to no script and no entry. */
  faults(): readonly LiveFault[]
  /** The newest lines, oldest first; of one script, or of all. */
  log(file?: string): readonly ScriptLogLine[]
  /** What is kept of a script, newest first. */
  revisions(file: string): readonly ScriptRevision[]
  toolHost(): { readonly pid?: number; readonly spareReady: boolean }
  /** Gives the function that ends it. */
  onChange(listener: (change: LiveChange) => void): () => void
  /** Waits until what is on the disk now is served, or known to be broken. */
  settled(): Promise<void>
  /**
   * Writes the sources of a revision back to the disk, which makes a new revision; gives the files that were written.
   * Rejects with a `LiveError` `unknown-revision`.
   */
  backTo(file: string, revision: number): Promise<readonly string[]>
  close(): Promise<void>
}
