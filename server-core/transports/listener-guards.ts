import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const LOOPBACK_NAMES = new Set(['localhost', '[::1]', '[0:0:0:0:0:0:0:1]'])
const LOOPBACK_IPV4 = /^(?:\[::ffff:)?127(?:\.\d{1,3}){3}\]?$/
const LOOPBACK_MAPPED = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/

/** Tells whether a host name or address means this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host) || LOOPBACK_IPV4.test(host) || LOOPBACK_MAPPED.test(host) || host === '::1'
}

/**
 * Which `Host` a request may name (specification: Streamable HTTP, security; the defence against DNS rebinding). A
 * listener on loopback takes loopback names alone; one that is reachable from elsewhere takes addresses too, since
 * only names can be rebound. Other names must be listed.
 */
export class HostGuard {
  readonly #listed: ReadonlySet<string>
  readonly #takesAddresses: boolean
  #lastGood: string | undefined

  constructor(boundTo: string, listed: readonly string[]) {
    this.#listed = new Set(listed.map((name) => name.toLowerCase()))
    this.#takesAddresses = !isLoopback(boundTo)
  }

  allows(request: IncomingMessage): boolean {
    const { host } = request.headers
    if (host === undefined || isRepeated(request, 'host')) return false
    // Clients send the same one over and over.
    if (host === this.#lastGood) return true
    if (!this.#allowsName(nameOf(host.toLowerCase()))) return false
    this.#lastGood = host
    return true
  }

  #allowsName(name: string): boolean {
    if (isLoopback(name) || this.#listed.has(name)) return true
    return this.#takesAddresses && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
}

/** The host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** Parsers disagree on which of two equal headers counts. */
function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]
    if (raw?.length === name.length && raw.toLowerCase() === name) times += 1
  }
  return times > 1
}

/**
 * Which `Origin` a browser's request may come from: exactly those listed (scheme, host and port), and the
 * listener's own. `null` is foreign like any other; no Origin is no browser.
 */
export class OriginGuard {
  readonly #listed: ReadonlySet<string>

  constructor(port: number, listed: readonly string[]) {
    const own = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`)
    this.#listed = new Set([...own, ...listed])
  }

  allows(origin: string | undefined): boolean {
    return origin === undefined || this.#listed.has(origin)
  }
}

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-session-id',
  'last-event-id',
  'mcp-method',
  'mcp-name',
]

/** What a browser at an allowed origin has to be told (Fetch, CORS). */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    vary: 'origin',
  }
}

/** The answer to a preflight: the protocol's headers, and every `Mcp-Param-*` that it asks for. */
export function preflightHeaders(request: IncomingMessage): Record<string, string> {
  const asked = request.headers['access-control-request-headers'] ?? ''
  const params = asked
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': [...ALLOWED_HEADERS, ...params].join(', '),
    'access-control-max-age': '600',
  }
}

/** Who may call: the name of the caller, or why not. */
export type Admission = { readonly caller: string } | { readonly challenge: string }

/**
 * Compares the bearer token in constant time (RFC 6750). `token` is read at each request, so a new one holds at
 * once; without a token everybody is the anonymous caller.
 */
export class TokenGuard {
  readonly #token: () => string | undefined

  constructor(token: (() => string | undefined) | undefined) {
    this.#token = token ?? (() => undefined)
  }

  /** Tells whether a caller that was admitted once still would be. */
  stillAdmits(caller: string): boolean {
    const expected = this.#token()
    return expected === undefined || caller === nameOfBearer(digestOf(expected))
  }

  admit(authorization: string | undefined): Admission {
    const expected = this.#token()
    if (expected === undefined) return { caller: 'anonymous' }
    if (authorization === undefined) return { challenge: 'Bearer' }
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
    const digest = digestOf(expected)
    if (given !== undefined && timingSafeEqual(digestOf(given), digest)) {
      return { caller: nameOfBearer(digest) }
    }
    return { challenge: 'Bearer error="invalid_token", error_description="The token is not valid"' }
  }
}

function nameOfBearer(digest: Buffer): string {
  return `token ${digest.toString('base64url')}`
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
