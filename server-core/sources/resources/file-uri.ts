/** The URI of a file: a base, then its path with forward slashes. */
export function fileUri(base: string, path: string): string {
  return `${base}${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The base of the URIs of a folder: as given, or `file:///` and the folder; with a slash at its end. */
export function baseUri(given: string | undefined, folder: string): string {
  const plain = folder.replaceAll('\\', '/').replace(/^(?:\.?\/)+|^\.$|\/+$/g, '')
  const base = given ?? fileUri('file:///', plain)
  return base.endsWith('/') ? base : `${base}/`
}
