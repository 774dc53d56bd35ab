import type { HttpRequest } from './http-exchange.ts'
import { isIP } from 'node:net'
import { isLoopbackHost, readHost } from '../ports/host-name.ts'

/**
 * Which `Host` a request may name (specification: Streamable HTTP, security; the defence against DNS rebinding). A
 * listener on loopback takes loopback names alone; one that is reachable from elsewhere takes addresses too, since
 * only names can be rebound. Other names must be listed.
 */
export class HostGuard {
  readonly #listed: ReadonlySet<string>
  readonly #takesAddresses: boolean
  #lastGood: string | undefined

  /** Throws a `RangeError` for what no request could name: a URL, a name with a port. */
  constructor(boundTo: string, listed: readonly string[]) {
    this.#listed = new Set(listed.map(listedHost))
    this.#takesAddresses = !isLoopbackHost(boundTo)
  }

  allows(request: HttpRequest): boolean {
    const { host } = request.headers
    if (host === undefined || isRepeated(request, 'host')) return false
    // Clients send the same one over and over.
    if (host === this.#lastGood) return true
    const name = readHost(host)
    if (name === undefined || !this.#allowsName(name)) return false
    this.#lastGood = host
    return true
  }

  #allowsName(name: string): boolean {
    return isLoopbackHost(name) || this.#listed.has(name) || (this.#takesAddresses && isIP(name) !== 0)
  }
}

function listedHost(text: string): string {
  const name = text.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) === 6 || readHost(name) === name) return name
  throw new RangeError(
    `An allowed host is a name or an address without scheme and port, such as notes.example; got "${text}".`,
  )
}

/** Parsers disagree on which of two equal headers counts. */
export function isRepeated({ rawHeaders }: HttpRequest, name: string): boolean {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]
    if (raw?.length === name.length && raw.toLowerCase() === name) times += 1
  }
  return times > 1
}

/**
 * Which pages' requests may come in: those of the origins listed (scheme, host and port, exactly), and of the
 * listener's own. `null` is foreign like any other. No Origin: not a browser, or a browser that says by
 * `Sec-Fetch-Site` where the request comes from (Fetch metadata): images and links of other sites have no Origin.
 */
export class OriginGuard {
  readonly #listed: ReadonlySet<string>

  /** Throws a `RangeError` for what no browser sends as an origin: a path, a name alone, capitals, a usual port. */
  constructor(port: number, listed: readonly string[]) {
    for (const origin of listed) requireOrigin(origin)
    const own = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`)
    this.#listed = new Set([...own, ...listed])
  }

  allows({ headers }: HttpRequest): boolean {
    const { origin } = headers
    if (origin !== undefined) return this.#listed.has(origin)
    const site = headers['sec-fetch-site']
    return site === undefined || site === 'same-origin' || site === 'none'
  }
}

function requireOrigin(text: string): void {
  const url = URL.parse(text)
  // Schemes that are not web ones have no origin for URL, and browsers send scheme and host of them all the same.
  const isOrigin =
    url?.origin === text || (url?.origin === 'null' && /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/.test(text))
  if (isOrigin) return
  throw new RangeError(
    `An allowed origin is a scheme, a host and a port other than the usual one, such as https://app.example; got "${text}".`,
  )
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

/** What lets every page read an answer. */
export const PUBLIC_HEADERS = { 'access-control-allow-origin': '*' }

/** The headers that a browser at an allowed origin needs (Fetch, CORS). */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    vary: 'origin',
  }
}

/** The answer to a preflight: the protocol's headers, and every `Mcp-Param-*` that it asks for. */
export function preflightHeaders(request: HttpRequest): Record<string, string> {
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
