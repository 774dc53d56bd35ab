import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'

/** Whether a request lacks what 2026-07-28 asks for: a server of both eras may serve it by the rules of an older one. */
export function isWithoutEnvelope({ params }: JsonObject): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return !isJsonObject(meta) || !(MetaKey.protocolVersion in meta)
}
