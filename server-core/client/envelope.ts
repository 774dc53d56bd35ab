import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { Revision } from '../protocol/revisions.ts'

/** Who this client says it is: `name`, `version` and whatever else the revision allows. */
export type Identity = JsonObject & { readonly name: string; readonly version: string }

/** The `_meta` members by which every request of 2026-07-28 describes itself (basic: `_meta`). */
export function envelopeOf(revision: Revision, identity: Identity, capabilities: JsonObject): JsonObject {
  return {
    [MetaKey.protocolVersion]: revision,
    [MetaKey.clientCapabilities]: capabilities,
    [MetaKey.clientInfo]: identity,
  }
}

/** Parameters with the envelope in their `_meta`. What the caller wrote there itself wins. */
export function withEnvelope(params: JsonObject | undefined, envelope: JsonObject): JsonObject {
  const meta = params?.['_meta']
  return { ...params, _meta: isJsonObject(meta) ? { ...envelope, ...meta } : envelope }
}
