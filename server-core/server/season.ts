import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import type { CacheHints } from '../registry/entries.ts'

/** A result under construction: the era adapter adds its own members. */
export type WireResult = Record<string, unknown>

/**
 * Adds what results of the revision carry (2026-07-28: resultType, caching, server identity). `info` is who the server
 * is, `cache` how long the result may be kept, false where the method's results have no such hints. The result is
 * changed in place: it was made for this answer.
 */
export function seasonResult(
  info: JsonObject,
  row: RevisionRow,
  result: WireResult,
  cache: CacheHints | false,
): WireResult {
  if (!row.resultEnvelope) return result
  result['resultType'] ??= 'complete'
  if (cache !== false) {
    result['ttlMs'] = cache.ttlMs
    result['cacheScope'] = cache.scope
  }
  const meta = result['_meta']
  result['_meta'] = isJsonObject(meta)
    ? { ...meta, [MetaKey.serverInfo]: info }
    : { [MetaKey.serverInfo]: info }
  return result
}
