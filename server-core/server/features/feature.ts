import type { FeatureRequest } from '../core.ts'
import type { WireResult } from '../result-metadata.ts'
import type { HandlerCall } from './handler-call.ts'

/** What a feature made of a request. */
export type Prepared =
  /** The result, serialised already, with everything its revision wants. */
  | { readonly type: 'serialised'; readonly bytes: Uint8Array }
  /** The result, known without running anybody's code. */
  | { readonly type: 'result'; readonly result: WireResult }
  /** A handler has to run for it. */
  | HandlerCall

/** Serves one method. Throws (or rejects with) a `ProtocolError` for a request that cannot be served. */
export type Feature = (request: FeatureRequest) => Prepared | Promise<Prepared>
