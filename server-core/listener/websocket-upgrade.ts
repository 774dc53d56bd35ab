import type { IncomingMessage } from 'node:http'

/** The one subprotocol that is spoken. */
export const SUBPROTOCOL = 'mcp'

/** Why an upgrade is not made: an HTTP answer. */
export type UpgradeFault = {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

const KEY = /^[A-Za-z0-9+/]{22}==$/
const TOKEN_PREFIX = 'bearer.'

/** Returns whether a request asks for a WebSocket (RFC 6455, 4.2.1). */
export function asksForWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** The answer to a plain GET where only WebSockets are served. */
export const UPGRADE_REQUIRED: UpgradeFault = {
  status: 426,
  reason: 'Upgrade required: expected a WebSocket handshake with the subprotocol mcp',
  headers: { upgrade: 'websocket', connection: 'upgrade' },
}

/** Returns what the handshake of a WebSocket breaks (RFC 6455, 4.2.1), and that `mcp` must be offered. */
export function upgradeFault(request: IncomingMessage): UpgradeFault | undefined {
  const { method = '', httpVersionMajor, httpVersionMinor, headers } = request
  if (method !== 'GET') {
    return { status: 405, reason: `A WebSocket is opened by GET, not ${method}`, headers: { allow: 'GET' } }
  }
  if (httpVersionMajor === 1 && httpVersionMinor === 0) {
    return { status: 400, reason: 'A WebSocket needs HTTP/1.1' }
  }
  if (!asksForWebSocket(request)) {
    return { status: 400, reason: `Upgrade must be websocket, got ${headers.upgrade ?? 'none'}` }
  }
  if (headers['sec-websocket-version'] !== '13') {
    const version = headers['sec-websocket-version'] ?? 'none'
    return {
      status: 426,
      reason: `Sec-WebSocket-Version must be 13, got ${version}`,
      headers: { 'sec-websocket-version': '13' },
    }
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    return { status: 400, reason: 'Sec-WebSocket-Key must be 16 bytes in base64' }
  }
  if (!offered(request).includes(SUBPROTOCOL)) {
    return {
      status: 400,
      reason: `Sec-WebSocket-Protocol must offer ${SUBPROTOCOL}, got ${headers['sec-websocket-protocol'] ?? 'none'}`,
    }
  }
  return undefined
}

/**
 * Takes a bearer token out of the subprotocols, for pages, which cannot set headers on a WebSocket: they offer
 * `mcp` and `bearer.` with the token in base64url. It then stands where tokens are expected, and nowhere else.
 */
export function takeOfferedToken(request: IncomingMessage): void {
  const protocols = offered(request)
  const carrier = protocols.find((protocol) => protocol.startsWith(TOKEN_PREFIX))
  if (carrier === undefined) return
  const { headers } = request
  headers['sec-websocket-protocol'] = protocols.filter((protocol) => protocol !== carrier).join(', ')
  const token = Buffer.from(carrier.slice(TOKEN_PREFIX.length), 'base64url').toString()
  headers.authorization ??= `Bearer ${token}`
}

function offered({ headers }: IncomingMessage): string[] {
  const list = headers['sec-websocket-protocol'] ?? ''
  return list
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
}
