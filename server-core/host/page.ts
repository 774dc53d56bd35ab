import path from 'node:path'

/** What a load of the page may do beside being shown. */
export type PageOptions = {
  /** Made again for every load; the page's style elements carry it. */
  readonly nonce: string
  /** Addresses it may open connections to, beside its own origin. */
  readonly connect: readonly string[]
}

/** The bundler names a file in `assets` after its contents, so no other file ever has the name. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/

/** Response headers of every file of the page: its content security policy, and no guessing of types. */
export function pageHeaders({ nonce, connect }: PageOptions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text becomes neither markup nor the address of a script, but for the workers of the page itself.
    "require-trusted-types-for 'script'",
    'trusted-types patchbay',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** Header of a file of the page, beside those of all: whether a browser may keep it. */
export function cachingHeaders(pathname: string): Record<string, string> {
  return HASHED.test(pathname) ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}
}

/** `index.html` with the nonce of this load where it says `__CSP_NONCE__`. */
export function renderPage(html: string, nonce: string): string {
  return html.replaceAll('__CSP_NONCE__', nonce)
}

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
])

/** The content type of a file of the page by its name; bytes of an unknown kind stay bytes. */
export function contentTypeOf(file: string): string {
  return CONTENT_TYPES.get(path.extname(file).toLowerCase()) ?? 'application/octet-stream'
}
