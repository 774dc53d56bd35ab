import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { reachOf, type Reach } from './addresses.ts'

/** All addresses of a host name, as the system that connects would find them. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Where guarded requests may go, and how much may come back. */
export type NetworkPolicy = {
  /**
   * URLs that the user wrote, not some server: their hosts may be on this machine and in private networks. Link-local
   * addresses, behind which clouds keep credentials, are out of reach even so.
   */
  readonly named?: readonly URL[]
  /** Hosts that nobody named may be on this machine. Default: false. */
  readonly loopback?: boolean
  /** Hosts that nobody named may be in private networks. Default: false. */
  readonly private?: boolean
  /** Where http will do: on this machine alone (default), or at the origins of the named URLs that are http too. */
  readonly clear?: 'loopback' | 'named'
  /** Redirects that a GET or HEAD follows; 0 (the default) gives the answer that redirects. */
  readonly redirects?: number
  /** Bytes of a body, decompressed. Default: 1 MiB. */
  readonly bodyBytes?: number
  /** Bytes of the head of an answer. Default: 32 KiB. */
  readonly headBytes?: number
  /** Milliseconds for the whole answer, redirects included. Default: 10,000. */
  readonly timeoutMs?: number
  /** Finds the addresses of names. Default: what the system finds. */
  readonly resolve?: Resolve
}

/**
 * The policy for what a server says of its authorization: its own host is named, and hosts beside it may be where it
 * is itself if its URL says so: on this machine for a server on this machine, in private networks for one whose URL
 * has a private address. `alsoNamed`: further URLs of the user's configuration.
 */
export function policyForServer(server: URL, alsoNamed: readonly URL[] = []): NetworkPolicy {
  const reach = reachOfHost(server)
  // What a WebSocket's server says of itself is read over HTTP from the same place.
  const page = new URL(server.href.replace(/^ws/, 'http'))
  return {
    named: [page, ...alsoNamed],
    loopback: reach === 'loopback',
    private: reach === 'private',
    clear: 'named',
    redirects: 3,
  }
}

/** The host of a URL as a resolver or a socket takes it: no brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Where the host of a URL leads if the URL says so by itself; undefined for names that must be resolved. */
export function reachOfHost(url: URL): Reach | undefined {
  const host = hostOf(url)
  if (isIP(host) !== 0) return reachOf(host)
  return host === 'localhost' ? 'loopback' : undefined
}
