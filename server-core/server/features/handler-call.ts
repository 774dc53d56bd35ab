import type { CacheHints, TaskBehaviour } from '../../registry/entries.ts'
import type { Runnable } from '../run.ts'
import type { WireResult } from '../result-metadata.ts'

/** A handler that has to run for a request. */
export type HandlerCall = Runnable & {
  readonly type: 'handler'
  /** The handler may be run again from the top. */
  readonly reentrant: boolean
  /** The client may be asked meanwhile, in the eras where that is a matter of the method. */
  readonly mayAsk: boolean
  /** How long clients may keep the result, where the revision has such hints for it; undefined where it has none. */
  readonly cache?: CacheHints | undefined
  /** Whether and how the call becomes a task; undefined where it may not. */
  readonly task?: TaskSupport | undefined
  /** A fault of the run as a result that the model can read; without it the fault is an error answer. */
  faultResult?(message: string): WireResult
}

/** A tool whose calls may or must be tasks. */
export type TaskSupport = TaskBehaviour & {
  readonly tool: string
  readonly support: 'optional' | 'required'
}
