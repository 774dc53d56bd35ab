import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import type { CacheHints } from '../registry/entries.ts'

/** A result under construction: the era adapter adds its own members. */
export type WireResult = Record<string, unknown>

const tails = new WeakMap<JsonObject, string>()

/**
 * What `addResultMetadata` adds to a result without hints, as the JSON of members at its end; undefined where
 * the result has some of them.
 */
export function resultMetadataTail(
  info: JsonObject,
  row: RevisionRow,
  result: WireResult,
): string | undefined {
  if (!row.resultEnvelope) return ''
  if ('_meta' in result || 'resultType' in result) return undefined
  let tail = tails.get(info)
  if (tail === undefined) {
    tail = `,${JSON.stringify(addResultMetadata(info, row, {}, false)).slice(1, -1)}`
    tails.set(info, tail)
  }
  return tail
}

/**
 * Adds what results of the revision carry (2026-07-28: resultType, caching, server identity). `info` is who the server
 * is, `cache` how long the result may be kept, false where the method's results have no such hints. The result is
 * changed in place: it was made for this answer.
 */
export function addResultMetadata(
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
