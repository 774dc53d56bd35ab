import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Identity } from './envelope.ts'

/**
 * What a connection says about itself, as data: it is stored with an entry, edited, and goes out as it is, members
 * and extensions that we do not know included (lifecycle: initialization; 2026-07-28, basic: `_meta`).
 */
export type Declaration = {
  readonly identity: Identity
  /** The client capabilities. Declared requests are answered; others are rejected. */
  readonly capabilities: JsonObject
}

/** Returns whether a capability is declared, by the way to it: its presence as an object is all it takes. */
export function declares(capabilities: JsonObject, ...path: readonly string[]): boolean {
  let at: unknown = capabilities
  for (const name of path) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return false
    at = at[name]
  }
  return isJsonObject(at)
}
