/** Any value that JSON can carry. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * A JSON object of unknown members. Messages stay raw objects end to end, so that nothing a peer sent is
 * dropped; whoever needs a member looks at it as `unknown` and checks it there.
 */
export type JsonObject = { readonly [key: string]: unknown }

/** A JSON Schema document (2020-12 unless `$schema` says otherwise), kept exactly as its author wrote it. */
export type JsonSchema = JsonObject

/** Returns whether a value is a JSON object (neither null nor an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
