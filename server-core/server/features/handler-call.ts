import type { CacheHints, TaskBehaviour } from '../../registry/entries.ts'
import type { Run } from '../run.ts'
import type { WireResult } from '../season.ts'

/** A handler that has to run for a request. */
export type HandlerCall = {
  readonly type: 'handler'
  /** Milliseconds of the handler's own time. */
  readonly timeoutMs: number
  /** The handler may be run again from the top. */
  readonly reentrant: boolean
  /** The client may be asked meanwhile, in the eras where that is a matter of the method. */
  readonly mayAsk: boolean
  /** How long clients may keep the result, where the revision has such hints for it; undefined where it has none. */
  readonly cache?: CacheHints | undefined
  /** Whether and how the call becomes a task; undefined where it may not. */
  readonly task?: TaskSupport | undefined
  /** The result, at once where nothing has to be awaited for it. Throws or rejects if there is none. */
  run(run: Run): WireResult | Promise<WireResult>
  /** A fault of the run as a result that the model can read; without it the fault is an error answer. */
  faultResult?(message: string): WireResult
}

/** A tool whose calls may or must be tasks. */
export type TaskSupport = TaskBehaviour & {
  readonly tool: string
  readonly support: 'optional' | 'required'
}
