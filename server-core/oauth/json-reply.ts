import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** A reply that is a JSON object, or why it is not taken for one. */
export type JsonReply =
  { readonly ok: true; readonly document: JsonObject } | { readonly ok: false; readonly problem: string }

/** Reads the reply to a request for a metadata document; what type it says it has does not matter. */
export async function readJsonReply(response: Response): Promise<JsonReply> {
  if (response.status !== 200) return { ok: false, problem: `HTTP ${response.status}` }
  try {
    const value: unknown = JSON.parse(await response.text())
    if (isJsonObject(value)) return { ok: true, document: value }
  } catch {
    // Said below.
  }
  return { ok: false, problem: 'no JSON object' }
}

/** The strings of a member that is to be a list of them. */
export function stringsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return (value as readonly unknown[]).filter((item) => typeof item === 'string')
}
