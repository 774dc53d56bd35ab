import type { Parsed } from '../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** Reads the reply to a request for a metadata document; what type it says it has does not matter. */
export async function readJsonReply(response: Response): Promise<Parsed<JsonObject>> {
  if (response.status !== 200) return { ok: false, reason: `HTTP ${response.status}` }
  try {
    const value: unknown = JSON.parse(await response.text())
    if (isJsonObject(value)) return { ok: true, value }
  } catch {
    // Said below.
  }
  return { ok: false, reason: 'no JSON object' }
}

/** The strings of a member that is to be a list of them. */
export function stringsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return (value as readonly unknown[]).filter((item) => typeof item === 'string')
}
