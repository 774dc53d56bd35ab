import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused, before anything of it is looked at. */
export type Refusal = { readonly status: 400 | 401 | 403 | 404; readonly reason: string }

/** Subprotocol that the page and the host speak over the socket. */
export const SOCKET_PROTOCOL = 'patchbay.v1'
/** The page offers its token as a subprotocol with this prefix, because a browser lets it set no header. */
const TOKEN_PREFIX = 'patchbay.token.'

/**
 * Refuses requests that were addressed to another name (DNS rebinding) or made by another origin's page. Every
 * route is behind it.
 */
export function refuseForeign(request: IncomingMessage, port: number): Refusal | undefined {
  const hosts = rawHeader(request, 'host')
  const names = [`127.0.0.1:${port}`, `localhost:${port}`]
  const [host] = hosts
  if (hosts.length !== 1 || host === undefined || !names.includes(host)) {
    return { status: 403, reason: `Forbidden: this server answers to ${names.join(' and ')} only.` }
  }
  // A target in absolute form names a host of its own.
  if (!request.url?.startsWith('/'))
    return { status: 403, reason: 'Forbidden: expected a path as the target.' }
  const origins = rawHeader(request, 'origin')
  if (origins.length > 1 || (origins[0] !== undefined && origins[0] !== `http://${host}`)) {
    return { status: 403, reason: 'Forbidden: requests of other origins are refused.' }
  }
  return undefined
}

/**
 * Refuses an upgrade to the window's socket unless it comes from this server's own page and offers the token of
 * this launch.
 */
export function refuseUpgrade(request: IncomingMessage, port: number, token: string): Refusal | undefined {
  const foreign = refuseForeign(request, port)
  if (foreign !== undefined) return foreign
  // Browsers always send it with an upgrade.
  if (rawHeader(request, 'origin').length === 0)
    return { status: 403, reason: 'Forbidden: an Origin is needed.' }
  const offered = rawHeader(request, 'sec-websocket-protocol')
    .flatMap((line) => line.split(','))
    .map((part) => part.trim())
  const given = offered
    .filter((part) => part.startsWith(TOKEN_PREFIX))
    .map((part) => part.slice(TOKEN_PREFIX.length))
  if (given.length !== 1 || !sameText(given[0] ?? '', token)) {
    return { status: 401, reason: 'Unauthorized: the token of this launch is needed.' }
  }
  if (request.url !== '/socket') return { status: 404, reason: 'Not found.' }
  if (!offered.includes(SOCKET_PROTOCOL))
    return { status: 400, reason: `Bad request: offer ${SOCKET_PROTOCOL}.` }
  return undefined
}

/** Compares in constant time whatever the lengths are. */
export function sameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** All values of a header as they came; Node's own view merges or drops repeated ones. */
function rawHeader(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}
