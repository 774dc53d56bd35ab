import type { IncomingMessage } from 'node:http'

/** Names by which this machine alone is meant. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether a request addresses this machine by a loopback name. A page of another site that had its name resolved to this
 * machine (DNS rebinding) sends its own.
 */
export function isForLoopback({ headers: { host = '' } }: IncomingMessage): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return LOOPBACK.has(name)
}

/** The server's own addresses in texts, and ours in their place. */
export type AddressRewrite = { readonly from: string; readonly to: string }

/** Replaces the origin of the server in a text by ours. */
export function rewritten(text: string, { from, to }: AddressRewrite): string {
  return text.replaceAll(from, to)
}

/** Whether a path has metadata of OAuth that may name the server's own address. */
export function isMetadata(url: string): boolean {
  return url.startsWith('/.well-known/oauth-') || url.startsWith('/.well-known/openid-configuration')
}
