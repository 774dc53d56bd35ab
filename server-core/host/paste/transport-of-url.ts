import type { RemoteTransport } from '../contract/servers.ts'

/** The transport of an address of which nothing else is known: WebSocket by its scheme, else negotiated. */
export function transportOfUrl(url: string): RemoteTransport {
  return /^wss?:/i.test(url) ? 'websocket' : 'auto'
}

/**
 * The same for an entry of a client's configuration, which may name a type. `http` and its kin are what clients write
 * for anything behind a URL, so it is found out what that is; `sse` names the older transport alone.
 */
export function transportOfType(type: unknown, url: string): RemoteTransport {
  const byUrl = transportOfUrl(url)
  return byUrl === 'auto' && type === 'sse' ? 'sse' : byUrl
}
