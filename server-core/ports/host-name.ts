import { isIP } from 'node:net'

const LOOPBACK_IPV6 =
  /^(?:(?:0{1,4}:){7}0{0,3}1|::1|::ffff:127(?:\.\d{1,3}){3}|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/
const HOST = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@\\[\]]+))(?::\d{0,5})?$/

/**
 * Reads a `Host` header (RFC 9110, 7.2): a name, or an address without its brackets, in lower case and without the
 * port. Undefined for anything else: users, paths, zones, brackets that do not match.
 */
export function readHost(header: string): string | undefined {
  const match = HOST.exec(header.toLowerCase())
  if (match === null) return undefined
  const [, bracketed, plain] = match
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined
  return plain
}

/**
 * Returns whether a host name or address (without brackets) means this machine alone. Other spellings of 127.0.0.1
 * (decimal, octal, hexadecimal) do not count here, as our own clients never write them.
 */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true
  const family = isIP(host)
  return family === 4 ? host.startsWith('127.') : family === 6 && LOOPBACK_IPV6.test(host)
}
