import type { LookupAddress, LookupOptions } from 'node:dns'
import type { GuardedUrl } from './guarded-url.ts'
import { NetworkError } from './network-error.ts'
import type { Resolve } from './policy.ts'

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

const bySystem: Resolve = async (hostname) => {
  const { lookup } = await import('node:dns/promises')
  return lookup(hostname, { all: true, order: 'verbatim' })
}

/**
 * The `lookup` of one connection: the socket connects to the addresses that were checked here and asks for no others,
 * so a name that changes between check and connection changes nothing. One address out of reach refuses them all.
 */
export function checkedLookup(guarded: GuardedUrl, resolve: Resolve = bySystem) {
  return (hostname: string, { all, family }: LookupOptions, found: Found): void => {
    const wanted = family === 4 || family === 6 ? family : undefined
    resolve(hostname)
      .then((addresses) => {
        for (const { address } of addresses) guarded.check(address)
        const usable = addresses.filter((entry) => wanted === undefined || entry.family === wanted)
        const [first] = usable
        if (first === undefined) throw new NetworkError('unreachable', `${hostname} has no address`)
        return { usable, first }
      })
      .then(
        ({ usable, first }) => {
          if (all === true) found(null, usable)
          else found(null, first.address, first.family)
        },
        (error: unknown) => {
          found(error instanceof Error ? error : new Error(String(error)), [])
        },
      )
  }
}
