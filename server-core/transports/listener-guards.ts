import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackHost, readHost } from './host-name.ts'

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
    this.#listed = new Set(listed.map((name) => name.toLowerCase().replace(/^\[(.*)\]$/, '$1')))
    this.#takesAddresses = !isLoopbackHost(boundTo)
  }

  allows(request: IncomingMessage): boolean {
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

/** Parsers disagree on which of two equal headers counts. */
export function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]
    if (raw?.length === name.length && raw.toLowerCase() === name) times += 1
  }
  return times > 1
}

/**
 * Which pages' requests may come in: those of the origins listed (scheme, host and port, exactly), and of the
 * listener's own. `null` is foreign like any other. No Origin is no browser, or a browser that says by
 * `Sec-Fetch-Site` where the request comes from (Fetch metadata): images and links of other sites have no Origin.
 */
export class OriginGuard {
  readonly #listed: ReadonlySet<string>

  constructor(port: number, listed: readonly string[]) {
    const own = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`)
    this.#listed = new Set([...own, ...listed])
  }

  allows({ headers }: IncomingMessage): boolean {
    const { origin } = headers
    if (origin !== undefined) return this.#listed.has(origin)
    const site = headers['sec-fetch-site']
    return site === undefined || site === 'same-origin' || site === 'none'
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

/** What lets every page read an answer. */
export const PUBLIC_HEADERS = { 'access-control-allow-origin': '*' }

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
