import path from 'node:path'

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.aac': 'audio/aac',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.flac': 'audio/flac',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.m4a': 'audio/mp4',
  '.markdown': 'text/markdown',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ndjson': 'application/x-ndjson',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.toml': 'application/toml',
  '.tsv': 'text/tab-separated-values',
  '.wasm': 'application/wasm',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}

/** The media type that the name of a file says; undefined where it says none. */
export function mediaTypeOf(file: string): string | undefined {
  return BY_EXTENSION[path.extname(file).toLowerCase()]
}

/** Bytes as the content of a resource: text if they are UTF-8 without zeros, else base64. */
export function contentOfBytes(
  bytes: Buffer,
  mimeType: string | undefined,
):
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string } {
  const isBinary = mimeType !== undefined && /^(?:image\/(?!svg)|audio\/|video\/|font\/)/.test(mimeType)
  if (!isBinary && !bytes.includes(0)) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      return { mimeType: mimeType ?? 'text/plain', text }
    } catch {
      // Not UTF-8: bytes, then.
    }
  }
  return { mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') }
}
