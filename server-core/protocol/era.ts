import { isJsonObject, type JsonObject } from './json.ts'
import { MetaKey } from './meta-keys.ts'
import { revisionRow } from './revisions.ts'

type Call = { readonly method: string; readonly params?: JsonObject }

/** The version a message claims in its `_meta` (2026-07-28: per-request metadata), whatever its type. */
export function versionClaim(message: Call): unknown {
  const meta = message.params?.['_meta']
  return isJsonObject(meta) ? meta[MetaKey.protocolVersion] : undefined
}

/**
 * Returns whether a request or notification is of the modern era, by its body first and the version header second
 * (2026-07-28, Versioning: serving both eras). `initialize` whose claim is malformed or names a legacy revision is
 * taken as if it claimed nothing.
 */
export function isModernMessage(message: Call, versionHeader: string | undefined): boolean {
  const claim = versionClaim(message)
  if (message.method === 'initialize') {
    const claimsLegacy = typeof claim !== 'string' || revisionRow(claim)?.era === 'legacy'
    if (claim !== undefined && !claimsLegacy) return true
  } else if (claim !== undefined) {
    return true
  }
  return versionHeader !== undefined && revisionRow(versionHeader)?.era === 'modern'
}
