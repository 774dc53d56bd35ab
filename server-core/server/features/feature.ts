import type { ServerCore, FeatureRequest, WireResult } from '../core.ts'
import type { Run } from '../run.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { isJsonObject } from '../../protocol/json.ts'

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

/** How long, in milliseconds, and by whom the result may be kept: not at all, since the registry may change. */
const CACHE_HINTS = { ttlMs: 0, cacheScope: 'private' } as const

/** Adds what results of the revision carry (2026-07-28: resultType, caching, server identity). */
export function seasonResult(
  core: ServerCore,
  row: RevisionRow,
  result: WireResult,
  cacheable: boolean,
): WireResult {
  if (!row.resultEnvelope) return result
  result['resultType'] ??= 'complete'
  if (cacheable) Object.assign(result, CACHE_HINTS)
  const meta = result['_meta']
  result['_meta'] = isJsonObject(meta)
    ? { ...meta, [MetaKey.serverInfo]: core.info }
    : { [MetaKey.serverInfo]: core.info }
  return result
}
