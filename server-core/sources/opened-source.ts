import type { EntryFault, Source } from './source.ts'
import { messageOf } from '../protocol/error-message.ts'

/** A source that the configuration names, as long as it is open. Its view stays the same object. */
export type OpenedSource = {
  readonly source: Source
  /** What keeps all of it from being as it should; undefined if nothing does. */
  fault(): EntryFault | undefined
  /** Called when the fault is another. Returns an unsubscribe function. */
  onFault(listener: () => void): () => void
  close(): Promise<void>
}

export function faultOf(error: unknown): EntryFault {
  const message = messageOf(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  return { code, message }
}
