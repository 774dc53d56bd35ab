import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { RevisionRow } from '../protocol/revisions.ts'

/** A result under construction: the era adapter adds its own members. */
export type WireResult = Record<string, unknown>

/** How long, in milliseconds, and by whom the result may be kept: not at all, since the registry may change. */
const CACHE_HINTS = { ttlMs: 0, cacheScope: 'private' } as const

/**
 * Adds what results of the revision carry (2026-07-28: resultType, caching, server identity); `info` is who the server is. The result is
 * changed in place: it was made for this answer.
 */
export function seasonResult(
  info: JsonObject,
  row: RevisionRow,
  result: WireResult,
  cacheable: boolean,
): WireResult {
  if (!row.resultEnvelope) return result
  result['resultType'] ??= 'complete'
  if (cacheable) Object.assign(result, CACHE_HINTS)
  const meta = result['_meta']
  result['_meta'] = isJsonObject(meta)
    ? { ...meta, [MetaKey.serverInfo]: info }
    : { [MetaKey.serverInfo]: info }
  return result
}
