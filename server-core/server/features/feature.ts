import type { FeatureRequest } from '../core.ts'
import type { WireResult } from '../season.ts'
import type { Run } from '../run.ts'

/** What a feature made of a request. */
export type Prepared =
  /** The result, serialised already, with everything its revision wants. */
  | { readonly type: 'serialised'; readonly bytes: Uint8Array }
  /** The result, known without running anybody's code. */
  | { readonly type: 'result'; readonly result: WireResult }
  /** A handler has to run for it. */
  | HandlerCall

export type HandlerCall = {
  readonly type: 'handler'
  /** Milliseconds of the handler's own time. */
  readonly timeoutMs: number
  /** The handler may be run again from the top. */
  readonly reentrant: boolean
  /** The client may be asked meanwhile, in the eras where that is a matter of the method. */
  readonly mayAsk: boolean
  readonly run: (run: Run) => Promise<WireResult>
  /** A fault of the run as a result that the model can read; without it the fault is an error answer. */
  readonly faultResult?: (message: string) => WireResult
}

/** Serves one method. Throws (or rejects with) a `ProtocolError` for a request that cannot be served. */
export type Feature = (request: FeatureRequest) => Prepared | Promise<Prepared>
