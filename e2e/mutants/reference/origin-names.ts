/** Replaces one origin by another in bytes, plain and as part of a query, whatever their encoding. */
export function renameOrigin(bytes: Buffer, from: URL, to: URL): Buffer {
  const text = bytes.toString('latin1')
  if (!text.includes(from.port)) return bytes
  return Buffer.from(renameInText(text, from, to), 'latin1')
}

/** The same for a text, such as a header. */
export function renameInText(text: string, from: URL, to: URL): string {
  return text
    .replaceAll(from.host, to.host)
    .replaceAll(encodeURIComponent(from.host), encodeURIComponent(to.host))
}
