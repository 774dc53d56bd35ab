import { UsageError } from '../output/exit-code.ts'

/** Addresses and the name of this machine alone. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

const NAME = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?$/i

/**
 * Parses a host name or an address, also in brackets, and returns it without them. Throws a `UsageError` with what
 * may have been meant for anything else: URLs, ports, patterns.
 *
 * @param where what it was read from, for the error
 */
export function readHostName(text: string, where: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (NAME.test(bare) || isAddress6(bare)) return bare
  const meant = URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname
  const hint =
    meant === undefined || !(NAME.test(meant) || meant.startsWith('[')) ? '' : `; did you mean ${meant}?`
  throw new UsageError(
    `${where} expects the name or address of a host, without scheme and port, got "${text}"${hint}`,
  )
}

/** A link-local address may name its interface. */
function isAddress6(text: string): boolean {
  return text.includes(':') && URL.canParse(`http://[${text.replace(/%[\w.-]+$/, '')}]/`)
}

/** Throws a `UsageError` if a host to listen on is a name that nobody knows. */
export async function requireKnownHost(host: string): Promise<void> {
  if (LOOPBACK.has(host)) return
  const { lookup } = await import('node:dns/promises')
  try {
    await lookup(host)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new UsageError(
      `the host ${host} is not known${code}: expected an address of this machine, such as 127.0.0.1, or a name that leads to one`,
      { cause: error },
    )
  }
}
