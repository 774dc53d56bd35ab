/** A JSON value, or that the bytes are not JSON. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false }

/** Parses bytes as JSON. Never throws; a byte order mark is passed over. */
export function parsedOf(bytes: Uint8Array): Parsed {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    return { ok: true, value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) }
  } catch {
    return { ok: false }
  }
}
