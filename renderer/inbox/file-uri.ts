/** The `file://` URI of an absolute path of any system; any other text stays as it is. */
export function fileUri(text: string): string {
  const path = text.trim()
  if (/^[A-Za-z]:[\\/]/.test(path)) return `file:///${encoded(path.replaceAll('\\', '/'))}`
  if (path.startsWith('\\\\')) return `file:${encoded(path.replaceAll('\\', '/'))}`
  return path.startsWith('/') ? `file://${encoded(path)}` : text
}

function encoded(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')
}
